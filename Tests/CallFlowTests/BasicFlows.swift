import Instant
import SIP

/// RFC 3261 and RFC 3665: registration, and calls that are answered, refused, given up and redirected.
extension FlowTable {
  static let noRegistration = "REGISTER is not built"
  static let noRoute = FlowDifference.field(
    "Route", why: "the first INVITE has no Route: an outbound proxy cannot be set (RFC 3261 8.1.2)")
  static let noDigest = FlowDifference.field(
    "Proxy-Authorization", why: "no Proxy-Authorization: digest is not built (RFC 3261 22)")
  private static let offersAtOnce = FlowDifference.field(
    "body", why: "we offer in the INVITE and not in the ACK (RFC 3261 13.2.1 has both)")
  /// Bob rings, answers and hangs up.
  static func answers(ring: Int?, accept: Int, bye: Int?) -> [Int: [FlowAct]] {
    var acts: [Int: [FlowAct]] = [accept: [.accepts()]]
    if let ring { acts[ring] = [.rings()] }
    if let bye { acts[bye] = [.hangsUp(.theirs(1))] }
    return acts
  }

  static let basic: [FlowEntry] = rfc3261 + rfc3665

  private static let rfc3261: [FlowEntry] = [
    .plays(FlowPart("rfc3261/4", "Alice", 1...1, before: [1: [.invites(1)]], ends: [.early])),
    .plays(FlowPart("rfc3261/4", "Bob", 2...2, before: [2: [.isAsked(), .accepts()]], ends: [.up])),
    .notPlayed("rfc3261/11.1", "Alice", why: "we ask nobody with OPTIONS"),
    .plays(FlowPart("rfc3261/11.1", "Carol", after: [.sends("200 OPTIONS")], ends: [])),
    .notPlayed("rfc3261/11.2", "Alice", why: "we ask nobody with OPTIONS"),
    .plays(
      FlowPart(
        "rfc3261/11.2", "Carol", before: [1: [.isAsked()]],
        differs: [
          1: [
            .field("Contact", why: "we name no Contact, as we may (RFC 3261 11.2)"),
            .field("body", why: "we describe no media, as we may (RFC 3261 11.2)"),
          ]
        ], ends: [])),
    .notPlayed("rfc3261/16.12.1.1", "U1", why: "the messages are fragments: no Via, From, To, Call-ID, CSeq"),
    .notPlayed("rfc3261/16.12.1.1", "U2", why: "the messages are fragments: no Via, From, To, Call-ID, CSeq"),
    .notPlayed("rfc3261/16.12.1.3", "U1", why: "the messages are fragments: no Via, From, To, Call-ID, CSeq"),
    .notPlayed("rfc3261/16.12.1.3", "U2", why: "the messages are fragments: no Via, From, To, Call-ID, CSeq"),
    .plays(
      FlowPart(
        "rfc3261/17.1.1.3", "Alice", before: [1: [.invites(1)], 2: [.gets(486, to: .invite, tag: "99sa0xk")]],
        differs: [1: [.field("body", why: "the INVITE is a fragment without body")]],
        ends: [.over(.rejected(status: 486))])),
    .plays(
      FlowPart("rfc3261/17.1.1.3", "Bob", before: [2: [.rejects(486), .sends("486 INVITE")]], ends: [.over(.local)])),
    .notPlayed("rfc3261/21.4", "Bob", why: "the message is a fragment: no Via, From, To, Call-ID, CSeq"),
    .notPlayed("rfc3261/21.4", "Alice", why: "the message is a fragment: no Via, From, To, Call-ID, CSeq"),
    .notPlayed("rfc3261/23.3", "Alice", why: "S/MIME is not built"),
    .notPlayed("rfc3261/23.3", "Bob", why: "S/MIME is not built"),
    .notPlayed("rfc3261/23.4.2", "Alice", why: "S/MIME is not built"),
    .notPlayed("rfc3261/23.4.2", "Bob", why: "S/MIME is not built"),
    .notPlayed("rfc3261/23.4.3", "Alice", why: "S/MIME is not built"),
    .notPlayed("rfc3261/23.4.3", "Bob", why: "S/MIME is not built"),
    .notPlayed("rfc3261/24.1", "Bob", why: noRegistration),
    .plays(FlowPart("rfc3261/24.2", "Alice", before: [1: [.invites(1)]], ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc3261/24.2", "Bob", before: answers(ring: 6, accept: 9, bye: 13), ends: [.over(.local)])),
  ]

  private static let rfc3665: [FlowEntry] = [
    .notPlayed("rfc3665/2.1", "Bob", why: noRegistration),
    .notPlayed("rfc3665/2.2", "Bob", why: noRegistration),
    .notPlayed("rfc3665/2.3", "Bob", why: noRegistration),
    .notPlayed("rfc3665/2.4", "Bob", why: noRegistration),
    .notPlayed("rfc3665/2.5", "Bob", why: noRegistration),
    .plays(FlowPart("rfc3665/3.1", "Alice", before: [1: [.invites(1)]], ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc3665/3.1", "Bob", before: answers(ring: 2, accept: 3, bye: 5), ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc3665/3.2", "Alice", 1...3, before: [1: [.invites(1)]], differs: [1: [noRoute]],
        ends: [.over(.rejected(status: 407))])),
    .plays(
      FlowPart(
        "rfc3665/3.2", "Alice", 4...23, before: [4: [.invites(1)]], differs: [4: [noRoute, noDigest]],
        ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc3665/3.2", "Bob", before: answers(ring: 9, accept: 12, bye: 18), ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc3665/3.3", "Alice", 1...3, before: [1: [.invites(1)]], differs: [1: [noRoute]],
        ends: [.over(.rejected(status: 407))])),
    .plays(
      FlowPart(
        "rfc3665/3.3", "Alice", 4...10, before: [4: [.invites(1)]],
        differs: [4: [noRoute, noDigest], 10: [noDigest]], ends: [.over(.rejected(status: 407))])),
    .plays(
      FlowPart(
        "rfc3665/3.3", "Alice", 11...21, before: [11: [.invites(1)]],
        differs: [11: [noDigest], 19: [noDigest]], ends: [.up])),
    .plays(FlowPart("rfc3665/3.3", "Bob", before: answers(ring: nil, accept: 16, bye: nil), ends: [.up])),
    // Proxy 1 does not respond.
    .plays(
      FlowPart(
        "rfc3665/3.4", "Alice", 1...1, before: [1: [.invites(1)]], after: [.waits(.seconds(32))],
        differs: [1: [noRoute]], ends: [.over(.timedOut)])),
    .plays(
      FlowPart(
        "rfc3665/3.4", "Alice", 2...4, before: [2: [.invites(1)]], ends: [.over(.rejected(status: 407))])),
    .plays(
      FlowPart(
        "rfc3665/3.4", "Alice", 5...17, before: [5: [.invites(1)]], differs: [5: [noDigest]],
        ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc3665/3.4", "Bob", before: answers(ring: 8, accept: 10, bye: 14), ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc3665/3.5", "Alice", before: [1: [.invites(1)], 14: [.hangsUp(.ours(1))]],
        differs: [1: [noRoute, noDigest]], ends: [.over(.local)])),
    .plays(FlowPart("rfc3665/3.5", "Bob", before: answers(ring: 6, accept: 9, bye: nil), ends: [.over(.remoteBye)])),
    .plays(
      FlowPart(
        "rfc3665/3.6", "Alice", before: [1: [.invites(1)]],
        differs: [1: [offersAtOnce], 4: [offersAtOnce], 11: [offersAtOnce]], ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc3665/3.6", "Bob", before: answers(ring: 7, accept: 9, bye: 13), ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc3665/3.8", "Alice", before: [1: [.invites(1)], 9: [.hangsUp(.ours(1))]],
        differs: [1: [noRoute, noDigest], 9: [noRoute], 20: [noDigest]], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc3665/3.8", "Bob", before: [6: [.rings()]], ends: [.over(.cancelled(reasonCause: nil))])),
    .plays(
      FlowPart(
        "rfc3665/3.9", "Alice", before: [1: [.invites(1)]],
        differs: [1: [noRoute, noDigest], 11: [noDigest]], ends: [.over(.rejected(status: 486))])),
    .plays(FlowPart("rfc3665/3.9", "Bob", before: [6: [.rejects(486)]], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc3665/3.10", "Alice", before: [1: [.invites(1)]],
        differs: [1: [noRoute, noDigest], 9: [noDigest]], ends: [.over(.rejected(status: 480))])),
    .notPlayed("rfc3665/3.10", "Bob", why: "he does not respond"),
  ]
}
