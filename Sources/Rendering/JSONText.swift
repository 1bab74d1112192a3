/// Writes one JSON object with its keys in the order given (RFC 8259).
public struct JSONText {
  private(set) var text = "{"

  public init() {}

  /// The object, closed.
  public var finished: String { text + "}" }

  /// Adds a string; nothing for `nil`.
  public mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    add(key, raw: Self.quoted(value))
  }

  /// Adds a number; nothing for `nil`.
  public mutating func add(_ key: String, _ value: Int?) {
    guard let value else { return }
    add(key, raw: String(value))
  }

  /// Adds true or false; nothing for `nil`.
  public mutating func add(_ key: String, _ value: Bool?) {
    guard let value else { return }
    add(key, raw: value ? "true" : "false")
  }

  /// Adds an array of numbers.
  public mutating func add(_ key: String, _ values: [Int]) {
    add(key, raw: "[" + values.map(String.init).joined(separator: ",") + "]")
  }

  /// Adds an array of strings.
  public mutating func add(_ key: String, _ values: [String]) {
    add(key, raw: "[" + values.map(Self.quoted).joined(separator: ",") + "]")
  }

  /// Adds a value that is JSON already.
  public mutating func add(_ key: String, raw value: String) {
    if text.utf8.count > 1 { text += "," }
    text += Self.quoted(key) + ":" + value
  }

  /// A JSON string; control characters are escaped, everything else stands as it is.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
