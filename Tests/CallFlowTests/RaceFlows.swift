import Instant
import SIP

/// RFC 5407 3: races. Moratorium is the callee's state between its 2xx and the ACK, Mortal that after BYE.
extension FlowTable {
  private static let call = "rfc5407/3.1.4"
  private static let alice = "sip:alice@client.atlanta.example.com"
  private static let bob = "sip:bob@client.biloxi.example.com"
  private static let bobTag = "8321234356"
  private static let noTimer = FlowDifference.field("Session-Expires", why: "session timers are not built (RFC 4028)")
  private static let refreshes = FlowDifference.field("body", why: "we renew a session with an offer")
  private static let answers: [Int: [FlowAct]] = [2: [.rings()], 3: [.accepts()]]

  /// A race after the call of 3.1.4 has begun.
  private static func race(
    _ section: String, _ party: String, lost: Set<Int> = [], before: [Int: [FlowAct]] = [:], after: [FlowAct] = [],
    ends: FlowEnd
  ) -> FlowEntry {
    let usual = party == "Bob" ? answers : [1: [.invites(1)]]
    return .plays(
      FlowPart(
        call, party, 1...4, race: "rfc5407/\(section)", lost: lost, before: usual.merging(before) { $0 + $1 },
        after: after, ends: [ends]))
  }

  static let races: [FlowEntry] = moratorium + mortal + crossing

  private static let moratorium: [FlowEntry] = [
    race("3.1.1", "Alice", lost: [2], before: [3: [.waits(.milliseconds(600))]], ends: .up),
    race("3.1.1", "Bob", before: [4: [.getsAgain(1)]], ends: .up),
    race(
      "3.1.2", "Alice", before: [3: [.hangsUp(.ours(1)), .sends("CANCEL")]],
      after: [.sends("BYE"), .gets(200, to: .cancel), .gets(200, to: .bye)], ends: .over(.local)),
    race(
      "3.1.2", "Bob", before: [4: [.getsRequest(.cancel), .sends("200 CANCEL")]],
      after: [.getsRequest(.bye), .sends("200 BYE")], ends: .over(.remoteBye)),
    .notPlayed("rfc5407/3.1.3", "Alice", why: "we end early dialogs by CANCEL and not by BYE (RFC 5407 appendix A)"),
    race("3.1.3", "Bob", before: [4: [.getsRequest(.bye), .sends("200 BYE")]], ends: .over(.remoteBye)),
    .plays(
      FlowPart(
        "rfc5407/3.1.4", "Alice", before: [1: [.invites(1)], 5: [.holds(.ours(1))], 6: [.getsAgain(3)]],
        ends: [.up])),
    .plays(
      FlowPart(
        "rfc5407/3.1.4", "Bob", lost: [4], before: answers.merging([7: [.getsQuoted(4)]]) { $0 + $1 }, ends: [.up])),
    .notPlayed("rfc5407/3.1.5", "Alice", why: "we offer in the INVITE and not in the ACK"),
    .plays(
      FlowPart(
        "rfc5407/3.1.5", "Bob", lost: [3], before: [2: [.accepts()]],
        after: [.sends("491 INVITE"), .getsRequest(.ack), .getsQuoted(3)], ends: [.up])),
    race(
      "3.1.6", "Alice", after: [.hangsUp(.ours(1)), .sends("BYE"), .gets(200, to: .bye)], ends: .over(.local)),
    race(
      "3.1.6", "Bob", lost: [4], after: [.getsRequest(.bye), .sends("200 BYE"), .getsQuoted(4)],
      ends: .over(.remoteBye)),
  ]

  private static let mortal: [FlowEntry] = [
    race(
      "3.2.1", "Alice",
      after: [
        .hangsUp(.ours(1)), .sends("BYE"), .getsRequest(.bye), .sends("200 BYE"), .gets(200, to: .bye),
      ], ends: .over(.local)),
    race(
      "3.2.1", "Bob",
      after: [
        .hangsUp(.theirs(1)), .sends("BYE"), .getsRequest(.bye), .sends("200 BYE"), .gets(200, to: .bye),
      ], ends: .over(.local)),
    race(
      "3.2.2", "Alice",
      after: [
        .holds(.ours(1)), .sends("INVITE"), .getsRequest(.bye), .sends("200 BYE"), .gets(481, to: .invite),
        .sends("ACK"),
      ], ends: .over(.remoteBye)),
    race(
      "3.2.2", "Bob",
      after: [
        .hangsUp(.theirs(1)), .sends("BYE"), .getsRequest(.invite, hasSession: true), .sends("481 INVITE"),
        .getsRequest(.ack), .gets(200, to: .bye),
      ], ends: .over(.local)),
    .plays(
      FlowPart(
        "rfc5407/3.2.3", "Alice", contact: alice,
        before: [
          1: [
            .calls(1), .sends("INVITE"), .gets(200, to: .invite, tag: bobTag, hasSession: true), .sends("ACK"),
          ], 3: [.getsRequest(.bye), .sends("200 BYE")],
        ],
        differs: [
          2: [
            noTimer, .field("Require", why: "session timers are not built (RFC 4028)"),
            .field("body", why: "a 2xx to an INVITE without offer has one (RFC 3261 13.3.1.4)"),
          ]
        ], ends: [.over(.remoteBye)])),
    .plays(
      FlowPart(
        "rfc5407/3.2.3", "Bob", contact: bob,
        before: [
          1: [.isAsked(), .accepts(), .sends("200 INVITE"), .getsRequest(.ack), .owner(.renew(.theirs(1)))],
          2: [.hangsUp(.theirs(1)), .sends("BYE")],
        ], after: [.gets(200, to: .bye)],
        differs: [
          1: [noTimer, refreshes, .field("Request-URI", why: "the INVITE with the Contact is not quoted")],
          3: [.field("Request-URI", why: "the INVITE with the Contact is not quoted")],
        ], ends: [.over(.local)])),
    .plays(
      FlowPart(
        call, "Bob", 1...4,
        instead: FlowDetour(why: "there is no BYE before the ACK (RFC 3261 15), and so no race", texts: []),
        race: "rfc5407/3.2.4",
        before: answers.merging([4: [.hangsUp(.theirs(1))]]) { $0 + $1 },
        after: [.sends("BYE"), .gets(200, to: .bye)], ends: [.over(.local)])),
    race(
      "3.2.4", "Alice", after: [.getsRequest(.bye), .sends("200 BYE")], ends: .over(.remoteBye)),
  ]

  private static let crossing: [FlowEntry] = [
    .plays(
      FlowPart(
        "rfc5407/3.3.1", "Alice", contact: alice,
        before: [
          1: [
            .calls(1), .sends("INVITE"), .gets(200, to: .invite, tag: bobTag, hasSession: true, contact: bob),
            .sends("ACK"), .holds(.ours(1)),
          ],
          3: [.sends("491 INVITE"), .gets(491, to: .invite), .sends("ACK"), .getsRequest(.ack)],
          4: [.sends("200 INVITE"), .getsRequest(.ack), .waits(.seconds(4))],
        ],
        differs: [
          4: [
            .unsent(why: "our answer to F11 holds already, and nothing is left to offer (RFC 3261 14.1, RFC 6337 5.3)")
          ]
        ], ends: [.up])),
    .plays(
      FlowPart(
        "rfc5407/3.3.1", "Bob", contact: bob, order: [2, 1, 3, 4],
        before: [
          2: [.isAsked(), .accepts(), .sends("200 INVITE"), .getsRequest(.ack), .owner(.renew(.theirs(1)))],
          3: [.sends("491 INVITE"), .gets(491, to: .invite), .sends("ACK"), .getsRequest(.ack), .waits(.zero)],
          4: [.gets(200, to: .invite, hasSession: true), .sends("ACK")],
        ], after: [.sends("200 INVITE"), .getsRequest(.ack)],
        differs: [
          2: [noTimer, refreshes, .field("Request-URI", why: "the INVITE with the Contact is not quoted")],
          3: [noTimer, .field("Request-URI", why: "the INVITE with the Contact is not quoted")],
        ], ends: [.up])),
    .notPlayed("rfc5407/3.3.2", "Alice", why: "UPDATE is not built (RFC 3311)"),
    .notPlayed("rfc5407/3.3.2", "Bob", why: "UPDATE is not built (RFC 3311)"),
    race(
      "3.3.3", "Alice",
      after: [
        .refers(.ours(1), to: .uri("sip:carol@chicago.example.com", name: nil)), .sends("REFER"), .getsRequest(.bye),
        .sends("200 BYE"), .gets(481, to: .refer),
      ], ends: .over(.remoteBye)),
    race(
      "3.3.3", "Bob",
      after: [
        .hangsUp(.theirs(1)), .sends("BYE"),
        .getsRequest(.refer, headers: [("Refer-To", "<sip:carol@chicago.example.com>")]), .sends("481 REFER"),
        .gets(200, to: .bye),
      ], ends: .over(.local)),
  ]
}
