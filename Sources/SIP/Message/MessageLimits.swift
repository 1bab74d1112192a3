/// The most that is read of a message. RFC 3261 sets no limits and lets an element refuse what is more than it can
/// process (21.5.7), so these are choices of this project: far above what telephones send, and low enough that nothing
/// that arrives costs more than a moment.
public struct MessageLimits: Hashable, Sendable {
  /// Octets of a whole message: 1 MiB. A larger request gets 513.
  public var messageLength = 1_048_576
  /// Header fields of a message: 256. A request with more gets 513.
  public var fieldCount = 256
  /// Octets of one header field with its name and its folds: 65,536, more than a datagram holds. A request with a longer
  /// one gets 513.
  public var fieldLength = 65_536
  /// How deep parts of a body lie within parts (RFC 2046 5.1), and comments within comments (RFC 3261 25.1): 8. A request
  /// with deeper ones gets 400.
  public var nesting = 8
  /// Parts of one body, those within parts included: 64. A request with more gets 400.
  public var partCount = 64

  public init() {}

  /// The limits that hold wherever none are named.
  public static let standard = MessageLimits()
}
