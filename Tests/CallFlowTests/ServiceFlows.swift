import SIP

/// RFC 5359: hold, music on hold, transfer, forwarding, screening, park and click to dial.
extension FlowTable {
  static let taken = FlowDifference.status(200, why: "200 for 202, as RFC 7647 5 has it")
  private static let strangers = "REFER goes within a session only, to nobody else (README)"
  private static let alice = "sips:alice@client.atlanta.example.com"
  private static let telephone = FlowDifference.field(
    "Contact", why: "the user of our Contact is that of our address, not a telephone number")
  private static let automaton = FlowDifference.field(
    "Contact", why: "our Contact has the user of our address and no features (RFC 3840)")
  private static let carol = ReferralTarget.uri("sips:carol@chicago.example.com", name: nil)
  private static let called = [FlowAct.invites(1)]

  static let services: [FlowEntry] = hold + transfer + forwarding + screening + park

  private static let hold: [FlowEntry] = [
    .plays(
      FlowPart("rfc5359/2.1", "Alice", before: [1: called, 22: [.hangsUp(.ours(1))]], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc5359/2.1", "Bob",
        before: [4: [.rings()], 6: [.accepts()], 10: [.holds(.theirs(1))], 16: [.resumes(.theirs(1))]],
        ends: [.over(.remoteBye)])),
    .plays(
      FlowPart("rfc5359/2.2", "Alice", before: [1: called, 35: [.hangsUp(.ours(1))]], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc5359/2.2", "Bob",
        before: [
          4: [.rings()], 6: [.accepts()], 10: [.holds(.theirs(1))], 16: called, 25: [.hangsUp(.ours(1))],
          29: [.resumes(.theirs(1))],
        ], ends: [.over(.remoteBye), .over(.local)])),
    .plays(
      FlowPart("rfc5359/2.2", "Carol", before: [19: [.rings()], 21: [.accepts()]], ends: [.over(.remoteBye)])),
    .plays(
      FlowPart(
        "rfc5359/2.3", "Alice", contact: alice, policy: anyone,
        before: [
          1: called, 13: [.accepts(1)], 15: [.hangsUp(.ours(1))], 20: [.accepts(2)], 22: [.hangsUp(.theirs(1))],
        ], differs: [1: [noGRUU], 6: [noGRUU], 13: [noGRUU]], ends: [.over(.local), .over(.local), .up])),
    .plays(
      FlowPart(
        "rfc5359/2.3", "Bob", before: [2: [.rings()], 3: [.accepts()], 5: [.holds(.theirs(1))]],
        differs: [
          8: [.unsent(why: strangers)], 9: [.unheard(why: strangers)], 10: [.unheard(why: strangers)],
          11: [.unsent(why: strangers)], 17: [.unheard(why: strangers)], 18: [.unsent(why: strangers)],
          19: [.unsent(why: "we replace sessions of ours, not those that we were told of")],
          20: [.unheard(why: strangers)], 21: [.unsent(why: strangers)],
        ], ends: [.over(.remoteBye)])),
    .notPlayed("rfc5359/2.3", "Music Server", why: "it is asked by a REFER outside any dialog; \(strangers)"),
  ]

  private static let transfer: [FlowEntry] = [
    .plays(
      FlowPart(
        "rfc5359/2.4", "Alice",
        before: [
          2: [.rings()], 3: [.accepts()], 5: [.refers(.theirs(1), to: carol)], 9: [.hangsUp(.theirs(1))],
        ], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc5359/2.4", "Bob",
        before: [1: called, 6: [.takesReferral], 11: [.invitesReferred(2)], 15: [.reports(200)]],
        differs: [6: [taken]], ends: [.over(.remoteBye), .up])),
    .plays(FlowPart("rfc5359/2.4", "Carol", before: [12: [.rings()], 13: [.accepts()]], ends: [.up])),
    .plays(
      FlowPart(
        "rfc5359/2.5", "Alice",
        before: [1: called, 16: [.takesReferral], 19: [.invitesReferred(2)], 24: [.reports(200)]],

        differs: [
          15: [
            .given(
              "Refer-To",
              "<sips:39itp34klkd@chicago.example.com;gr?Replaces=sdjfdjfskdf%40biloxi.example.com"
                + "%3Bto-tag%3D5f35a3%3Bfrom-tag%3D8675309>",
              why: "the text that there is of the REFER ends before Refer-To"),
            .given(
              "Referred-By", "<sips:bob@biloxi.example.com>",
              why: "the text that there is of the REFER ends before Refer-To"),
          ], 16: [taken],
        ], ends: [.over(.remoteBye), .up])),
    .plays(
      FlowPart(
        "rfc5359/2.5", "Bob",
        before: [
          2: [.rings()], 3: [.accepts()], 5: [.holds(.theirs(1))], 8: called, 12: [.holds(.ours(1))],
          15: [.refers(.theirs(1), to: .session(.ours(1)))], 26: [.hangsUp(.theirs(1))],
        ], ends: [.over(.local), .over(.remoteBye)])),
    .plays(
      FlowPart(
        "rfc5359/2.5", "Carol", contact: "sips:carol@client.chicago.example.com",
        before: [9: [.rings()], 10: [.accepts()], 20: [.accepts(2)], 22: [.hangsUp(.theirs(1))]],
        differs: [9: [noGRUU], 10: [noGRUU], 13: [noGRUU], 20: [noGRUU]], ends: [.over(.local), .up])),
    .plays(
      FlowPart(
        "rfc5359/2.6", "Alice", contact: alice, policy: anyone,
        before: [1: called, 8: [.accepts()], 10: [.hangsUp(.ours(1))]], differs: [1: [noGRUU], 8: [noGRUU]],
        ends: [.over(.local), .up])),
    .plays(
      FlowPart(
        "rfc5359/2.6", "Bob", before: [2: [.rings()], 3: [.accepts()]],
        differs: [5: [.unsent(why: "MESSAGE is not built")], 6: [.unheard(why: "MESSAGE is not built")]],
        ends: [.over(.remoteBye)])),
    .notPlayed("rfc5359/2.6", "Carol", why: "MESSAGE is not built"),
  ]

  private static let forwarding: [FlowEntry] = [
    .plays(
      FlowPart("rfc5359/2.7", "Alice", before: [1: called, 11: [.hangsUp(.ours(1))]], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc5359/2.7", "Gateway", before: answers(ring: 5, accept: 7, bye: nil),
        differs: [5: [telephone], 7: [telephone]], ends: [.over(.remoteBye)])),
    .plays(
      FlowPart("rfc5359/2.8", "Alice", before: [1: called, 14: [.hangsUp(.ours(1))]], ends: [.over(.local)])),
    .plays(FlowPart("rfc5359/2.8", "B1", before: [4: [.rejects(486)]], ends: [.over(.local)])),
    .plays(FlowPart("rfc5359/2.8", "B2", before: answers(ring: 8, accept: 10, bye: nil), ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc5359/2.12", "Alice", before: [1: called], ends: [.over(.remoteBye)])),
    .plays(FlowPart("rfc5359/2.12", "B1", before: [4: [.rings()]], ends: [.over(.cancelled(reasonCause: nil))])),
    .plays(FlowPart("rfc5359/2.12", "B2", before: [11: [.rejects(480)]], ends: [.over(.local)])),
    .plays(FlowPart("rfc5359/2.12", "B3", before: [14: [.rejects(486)]], ends: [.over(.local)])),
    .plays(FlowPart("rfc5359/2.12", "B4", before: answers(ring: 17, accept: 19, bye: 23), ends: [.over(.local)])),
  ]

  private static let screening: [FlowEntry] = [
    .plays(FlowPart("rfc5359/2.13", "Alice", 1...3, before: [1: called], ends: [.over(.rejected(status: 305))])),
    .plays(
      FlowPart(
        "rfc5359/2.13", "Alice", 4...6, before: [4: called], differs: [4: [noRoute]],
        ends: [.over(.rejected(status: 407))])),
    .plays(
      FlowPart(
        "rfc5359/2.13", "Alice", 7...9, before: [7: called], differs: [7: [noDigest], 9: [noDigest]],
        ends: [.over(.rejected(status: 403))])),
    .plays(
      FlowPart(
        "rfc5359/2.13", "Alice", 10...14, before: [10: called, 12: [.getsQuoted(11)]],
        differs: [10: [.field("To", why: "where a 403 leads to is a call of its own (RFC 3261 8.1.3.4 has 3xx only)")]],
        ends: [.over(.remoteBye)])),
    .plays(
      FlowPart(
        "rfc5359/2.13", "Bob", before: [2: [.rejects(305)]],
        differs: [2: [.field("Contact", why: "where a refusal leads to cannot be set")]], ends: [.over(.local)])),
    .plays(
      FlowPart(
        "rfc5359/2.13", "Announcement Server", before: [11: [.isAsked(), .accepts()], 13: [.hangsUp(.theirs(1))]],
        differs: [11: [automaton], 13: [.field("Request-URI", why: "the INVITE with the Contact is not quoted")]],
        ends: [.over(.local)])),
    .plays(FlowPart("rfc5359/2.14", "Alice", 1...3, before: [1: called], ends: [.over(.rejected(status: 407))])),
    .plays(
      FlowPart(
        "rfc5359/2.14", "Alice", 4...6, before: [4: called], differs: [4: [noDigest], 6: [noDigest]],
        ends: [.over(.rejected(status: 403))])),
  ]

  private static let park: [FlowEntry] = [
    .plays(
      FlowPart(
        "rfc5359/2.15", "Alice", contact: alice, policy: anyone,
        before: [
          1: called, 10: [.accepts(1)], 12: [.hangsUp(.ours(1))], 21: [.accepts(2)], 23: [.hangsUp(.theirs(1))],
        ],
        differs: [
          1: [noGRUU], 10: [noGRUU, .field("body", why: "the offer is sendrecv, and so is our answer (RFC 3264 6.1)")],
          21: [noGRUU],
        ], ends: [.over(.local), .over(.local), .up])),
    .plays(
      FlowPart(
        "rfc5359/2.15", "Bob", before: [2: [.rings()], 3: [.accepts()]],
        differs: [
          5: [.unsent(why: strangers)], 6: [.unheard(why: strangers)], 7: [.unheard(why: strangers)],
          8: [.unsent(why: strangers)], 14: [.unheard(why: strangers)], 15: [.unsent(why: strangers)],
        ], ends: [.over(.remoteBye)])),
    .notPlayed("rfc5359/2.15", "Carol", why: "SUBSCRIBE is not built, and without it she knows nothing to replace"),
    .notPlayed("rfc5359/2.15", "Park Server", why: "it is asked by a REFER outside any dialog; \(strangers)"),
    .plays(
      FlowPart(
        "rfc5359/2.18", "PC",
        before: [
          1: [
            .calls(1), .sends("INVITE"), .gets(200, to: .invite, tag: "314159", hasSession: true), .sends("ACK"),
            .refers(.ours(1), to: carol),
          ]
        ], differs: [1: [.field("To tag", why: strangers)]], ends: [.up])),
    .plays(
      FlowPart(
        "rfc5359/2.18", "Bob",
        before: [
          1: [.isAsked(), .accepts(), .sends("200 INVITE"), .getsRequest(.ack)], 2: [.takesReferral],
          3: [.invitesReferred(1)],
        ],
        differs: [
          1: [.given("To", "Bob <sips:bob@biloxi.example.com>;tag=314159", why: strangers)], 2: [taken],
          3: [.field("Referred-By", why: "the REFER has no Referred-By that could be passed on (RFC 3892 2.2)")],
        ], ends: [.up, .up])),
    .plays(FlowPart("rfc5359/2.18", "Carol", before: [4: [.rings()], 5: [.accepts()]], ends: [.up])),
  ]
}
