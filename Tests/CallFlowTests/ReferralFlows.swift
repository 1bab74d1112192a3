import SIP

/// RFC 3515, 3891 and 3892: REFER, Replaces and Referred-By.
extension FlowTable {
  private static let inSession = "REFER goes in the dialog of the session"
  static let noGRUU = FlowDifference.field("Contact", why: "Contact is no GRUU: RFC 5627 is not built")
  private static let fragment = FlowDifference.field("body", why: "the message is quoted without its body")
  static let noTokens = "Referred-By with a signed token is not built: S/MIME (RFC 3892 5)"
  private static let optionalContact = FlowDifference.field(
    "Contact", why: "a 200 to NOTIFY may go without Contact (RFC 6665 8.2.1)")
  static let anyone = UserAgentPolicy(replacesAuthorisation: .anyone)

  /// The other side begins the session in which it refers us.
  private static let begins: [FlowAct] = [.isAsked(), .accepts(), .sends("200 INVITE"), .getsRequest(.ack)]
  /// We begin the session in which we refer the other side.
  private static func weBegin(_ number: Int = 1, tag: String) -> [FlowAct] {
    [
      .calls(number), .sends("INVITE"), .gets(200, to: .invite, tag: tag, hasSession: true), .sends("ACK"),
    ]
  }
  /// We take a REFER, which the flow does not quote.
  static let takes: [FlowAct] = [
    .takesReferral, .sends("200 REFER"), .sends("NOTIFY"), .gets(200, to: .notify),
  ]

  static let referrals: [FlowEntry] = rfc3515 + rfc3891 + rfc3892 + transfers

  private static let rfc3515: [FlowEntry] = [
    .plays(
      FlowPart(
        "rfc3515/4.1", "Agent A",
        before: [
          1: weBegin(tag: "4992881234") + [.refers(.ours(1), to: .uri("sip:c@atlanta.example.com", name: nil))]
        ], differs: [1: [.field("To tag", why: inSession)], 4: [optionalContact], 6: [optionalContact]],
        ends: [.up])),
    .plays(
      FlowPart(
        "rfc3515/4.1", "Agent B", before: [1: begins, 2: [.takesReferral], 5: [.reports(200)]],
        differs: [1: [.given("To", "<sip:b@atlanta.example.com>;tag=4992881234", why: inSession)], 2: [taken]],
        ends: [.up])),
    .plays(
      FlowPart(
        "rfc3515/4.2", "Agent A",
        before: [
          1: weBegin(tag: "4992881234") + [
            .refers(.ours(1), to: .uri("sip:c@atlanta.example.com", name: nil)), .sends("REFER"),
            .gets(202, to: .refer), .refers(.ours(1), to: .uri("sip:d@atlanta.example.com", name: nil), 2),
          ]
        ], differs: [4: [optionalContact], 6: [optionalContact]], ends: [.up])),
    .plays(
      FlowPart(
        "rfc3515/4.2", "Agent B",
        before: [
          1: begins + [.getsRequest(.refer, headers: [("Refer-To", "<sip:c@atlanta.example.com>")])] + takes,
          2: [.owner(.answerReferral(ReferralID(.remote, 2), accepts: true))],
          5: [.owner(.reportReferral(ReferralID(.remote, 2), status: 200))],
        ], differs: [2: [taken]], ends: [.up])),
  ]

  private static let rfc3891: [FlowEntry] = [
    .plays(
      FlowPart(
        "rfc3891/1", "Bob", before: [1: [.invites(1)]], after: [.sends("ACK")],
        differs: [
          1: [fragment, .field("Referred-By", why: "what has made Bob call is not quoted")],
          2: [.given("body", QuotedFlow.description, why: "the message is quoted without its body")],
        ], ends: [.up])),
    .plays(
      FlowPart(
        "rfc3891/1", "Parking Place", before: [2: [.accepts()]],
        differs: [2: [fragment, .field("Contact", why: "our Contact has the user of our address")]], ends: [.up])),
    .plays(
      FlowPart(
        "rfc3891/7.1", "Alice", policy: anyone,
        before: [
          1: [.invites(1)],
          3: [
            .isAsked(headers: [("Replaces", "425928@phone.example.org;to-tag=7743;from-tag=6472")]), .accepts(1),
          ], 4: [.hangsUp(.ours(1))],
        ], after: [.sends("ACK")],
        differs: [
          1: [fragment], 3: [fragment],
          4: [.field("Contact", why: "CANCEL has no Contact (RFC 3261 table 2)")],
        ], ends: [.over(.local), .up])),
    .plays(
      FlowPart(
        "rfc3891/7.1", "Bob", before: [2: [.rings()]],
        differs: [5: [.field("Contact", why: "a 200 to CANCEL has no Contact (RFC 3261 table 2)")]],
        ends: [.over(.cancelled(reasonCause: nil))])),
    .notPlayed("rfc3891/7.1", "Bob in lab", why: "we replace sessions of ours, not those that we were told of"),
  ]

  private static let rfc3892: [FlowEntry] = [
    .notPlayed("rfc3892/7.1", "Referrer", why: noTokens),
    .notPlayed("rfc3892/7.1", "Referee", why: noTokens),
    .notPlayed("rfc3892/7.1", "Refer Target", why: noTokens),
    .plays(
      FlowPart(
        "rfc3892/7.2", "Referrer",
        before: [
          1: weBegin(tag: "199949923") + [.refers(.ours(1), to: .uri("sip:refertarget@target.example", name: nil))]
        ],
        differs: [
          1: [
            .field("To tag", why: inSession),
            .field("Contact", why: "our Contact has the user of our address"),
          ]
        ], ends: [.up])),
    .plays(
      FlowPart(
        "rfc3892/7.2", "Referee", before: [1: begins, 2: takes + [.invitesReferred(1)]],
        differs: [1: [.given("To", "<sip:referee@referee.example>;tag=199949923", why: inSession)]],
        ends: [.up, .early])),
    .plays(
      FlowPart(
        "rfc3892/7.2", "Refer Target", after: [.rings(), .sends("180 INVITE"), .accepts(), .sends("200 INVITE")],
        ends: [.up])),
    .plays(
      FlowPart(
        "rfc3892/7.3", "Referrer", 2...2,
        before: [
          2: [
            .at(3, .calls(1)), .sends("INVITE"), .gets(200, to: .invite, tag: "199949923", hasSession: true),
            .sends("ACK"), .refers(.ours(1), to: .uri("sip:refertarget@target.example", name: nil)), .sends("REFER"),
            .gets(202, to: .refer),
          ]
        ], after: [.sends("200 NOTIFY")], ends: [.up])),
    .notPlayed("rfc3892/7.3", "Referrer", why: "F5: \(noTokens)"),
    .plays(
      FlowPart(
        "rfc3892/7.3", "Referee", 1...2,
        before: [
          1: [
            .at(3, .isAsked()), .accepts(), .sends("200 INVITE"), .getsRequest(.ack),
            .getsRequest(
              .refer,
              headers: [
                ("Refer-To", "<sip:refertarget@target.example>"),
                ("Referred-By", "<sip:referrer@referrer.example>"),
              ]),
          ] + takes + [.invitesReferred(1), .sends("INVITE")],
          2: [.sends("ACK"), .reports(429)],
        ],
        differs: [
          2: [
            .field("Event", why: "the first REFER of a dialog needs no id (RFC 3515 2.4.6)")
          ]
        ], ends: [.up, .over(.rejected(status: 429))])),
    .notPlayed("rfc3892/7.3", "Refer Target", why: "we ask nobody for a signed token with 429; \(noTokens)"),
    .notPlayed("rfc3892/7.4", "A", why: noTokens),
    .notPlayed("rfc3892/7.4", "B", why: noTokens),
    .notPlayed("rfc3892/7.4", "C", why: noTokens),
    .notPlayed("rfc3892/7.4", "D", why: noTokens),
  ]
}
