/// What a user agent does where the RFCs leave the choice to it.
public struct UserAgentPolicy: Hashable, Sendable {
  /// Who may replace a session of ours (RFC 3891 3).
  public enum ReplacesAuthorisation: Hashable, Sendable {
    /// Whoever the other side of the session has referred to us, by the URI of Referred-By (RFC 3891 3, RFC 3892).
    case referredBy
    /// Whoever knows the dialog.
    case anyone
  }

  /// Whether the targets that a 3xx to a first INVITE names are tried (RFC 3261 8.1.3.4).
  public var followsRedirects: Bool
  public var replacesAuthorisation: ReplacesAuthorisation

  public init(followsRedirects: Bool = true, replacesAuthorisation: ReplacesAuthorisation = .referredBy) {
    self.followsRedirects = followsRedirects
    self.replacesAuthorisation = replacesAuthorisation
  }
}
