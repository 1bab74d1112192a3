/// What a user agent does where the RFCs leave the choice to it.
public struct UserAgentPolicy: Hashable, Sendable {
  /// Who may replace a session of ours (RFC 3891 3).
  public enum ReplacesAuthorisation: Hashable, Sendable {
    /// The other side of the session itself, by the URI of From, and whoever it has referred to us, by that of
    /// Referred-By (RFC 3891 3, RFC 3892). Nobody is asked to prove either.
    case otherSide
    /// Whoever knows the dialog.
    case anyone
  }

  /// Whether the targets that a 3xx to a first INVITE names are tried (RFC 3261 8.1.3.4).
  public var followsRedirects: Bool
  public var replacesAuthorisation: ReplacesAuthorisation

  public init(followsRedirects: Bool = true, replacesAuthorisation: ReplacesAuthorisation = .otherSide) {
    self.followsRedirects = followsRedirects
    self.replacesAuthorisation = replacesAuthorisation
  }
}
