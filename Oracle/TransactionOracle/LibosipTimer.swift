import COsip
import SIP

/// One timer of a libosip2 transaction. libosip2 keeps when it is due in real time; that it is set anew shows in that a
/// mark there is overwritten, and for how long it is set stands beside it.
struct LibosipTimer {
  let letter: TransactionTimer.Letter
  /// The event that says that it fires.
  let event: type_t
  /// In milliseconds.
  let length: Int
  private let start: UnsafeMutablePointer<timeval>?
  private let fitsState: Bool

  /// A second in which no timer is ever due.
  private static let marked = Int(Int32.max)

  init<Context>(
    _ letter: TransactionTimer.Letter, _ event: type_t, _ context: UnsafeMutablePointer<Context>,
    _ length: KeyPath<Context, Int32>, _ start: WritableKeyPath<Context, timeval>, if fitsState: Bool
  ) {
    self.letter = letter
    self.event = event
    self.length = Int(context.pointee[keyPath: length])
    self.start = context.pointer(to: start)
    self.fitsState = fitsState
  }

  /// Whether libosip2 would fire it: it does so in the state that the timer belongs to, if the timer was set.
  var runs: Bool { fitsState && start?.pointee.tv_sec != -1 }
  var isUnmarked: Bool { start?.pointee.tv_sec != Self.marked }

  func mark() {
    if start?.pointee.tv_sec != -1 { start?.pointee.tv_sec = Self.marked }
  }
}
