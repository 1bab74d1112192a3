/// The user agent as transferor: it sends REFERs within its sessions and takes the reports on them (RFC 3515, RFC 5589).
extension UserAgent {
  mutating func refer(
    _ id: SessionID, _ referral: ReferralID, to target: ReferralTarget, causes: [Int]
  ) -> [UserAgentOutput] {
    [notNow(causes), .event(.referral(referral, .refused(status: nil)), causes: causes)]
  }

  /// The reports have stopped.
  mutating func missNotification(of referral: ReferralID) -> [UserAgentOutput] { [] }
}
