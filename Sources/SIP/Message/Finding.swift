/// Something that is wrong with a message, or that its reader should know.
public struct Finding: Hashable, Sendable {
  /// What follows from a finding.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The message breaks the grammar or a MUST of the RFCs and cannot be processed as it stands.
    case malformed
    /// The message is well-formed, and asks for something that is not supported.
    case refused
    /// Harmless, or true of some receivers only.
    case notice
  }

  /// The rule that the message breaks.
  public var rule: SyntaxRule
  /// The header field by its usual name, or `start line`, `header`, `body`, `message`.
  public var field: String
  /// Where in the bytes, from 0.
  public var offset: Int
  /// One sentence, lower case, no full stop.
  public var text: String
  public var severity: Severity
  /// What a UAS answers if this is a request; `nil` where nothing is answered for it.
  public var status: Int?

  public init(
    _ rule: SyntaxRule, field: String, offset: Int, text: String, severity: Severity = .malformed, status: Int? = nil
  ) {
    self.rule = rule
    self.field = field
    self.offset = offset
    self.text = text
    self.severity = severity
    self.status = status
  }

  /// Whether the message cannot be processed as it stands.
  public var isFatal: Bool { severity != .notice }
}

/// Why bytes are no SIP message, or more of one than is read.
public struct SIPReadingError: Error, Hashable, Sendable {
  public var why: String
  /// Where in the bytes, from 0.
  public var offset: Int
  /// The rule that is broken; `nil` where a message was to be written.
  public var rule: SyntaxRule?
  /// What a UAS answers if this is a request (RFC 3261 21.5.7 for what is too large); `nil` for what is no request.
  public var status: Int?

  public init(why: String, offset: Int, rule: SyntaxRule? = nil, status: Int? = nil) {
    self.why = why
    self.offset = offset
    self.rule = rule
    self.status = status
  }
}
