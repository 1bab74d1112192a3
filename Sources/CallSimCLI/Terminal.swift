import Foundation

/// The terminal that standard output goes to.
enum Terminal {
  /// The width of what is written for no terminal.
  static let usualWidth = 100

  /// How many columns the terminal has; `nil` where standard output is none.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    // A terminal over a serial line does not know.
    let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 0
    return columns > 0 ? columns : usualWidth
  }
}
