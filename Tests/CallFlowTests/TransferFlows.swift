import SIP

/// RFC 5589: transfer.
extension FlowTable {
  private static let transferor = "sips:transferor@pc33.atlanta.example.com"
  private static let transferee = "sips:transferee@192.0.2.4"
  private static let target = "sips:transfertarget@client.chicago.example.com"
  private static let requiresNothing = FlowDifference.field(
    "Require", why: "an INVITE that replaces nothing does not require replaces")

  /// REFER and its reports go in the dialog of the session and not in one of their own, which would need Target-Dialog
  /// (RFC 4538) and GRUU (RFC 5627).
  private static func inSession(
    callID: String, transferor: String, other: String, contact: String, address: String, targetDialog: String
  ) -> FlowDetour {
    FlowDetour(
      why: "REFER goes in the dialog of the session: neither GRUU nor Target-Dialog is built (RFC 5589 6)",
      texts: [
        ("Target-Dialog: \(targetDialog)\n", ""), ("Require: tdialog\n", ""),
        ("Call-ID: a84b4c76e66710", "Call-ID: \(callID)"), ("tag=1928301774", "tag=\(transferor)"),
        ("tag=a6c85cf", "tag=\(other)"),
        ("To: <\(contact)>\nFrom: <sips:transferor", "To: <\(address)>;tag=\(other)\nFrom: <sips:transferor"),
        ("From: <\(contact)>\n", "From: <\(address)>\n"),
        // After the INVITE.
        ("CSeq: 73 NOTIFY", "CSeq: 29888 NOTIFY"), ("CSeq: 74 NOTIFY", "CSeq: 29889 NOTIFY"),
      ])
  }

  private static let blind = inSession(
    callID: "090459243588173445", transferor: "31kdl4i3k", other: "7553452",
    contact: "sips:3ld812adkjw@biloxi.example.com;gr=3413kj2ha", address: "sips:transferee@biloxi.example.com",
    targetDialog: "090459243588173445;local-tag=7553452\n ;remote-tag=31kdl4i3k")
  private static let protecting = inSession(
    callID: "592435881734450904", transferor: "763231", other: "9m2n3wq",
    contact: "sips:482n4z24kdg@chicago.example.com;gr=8594958", address: "sips:transfertarget@chicago.example.com",
    targetDialog: "592435881734450904;local-tag=9m2n3wq\n ;remote-tag=763231")
  private static let attended = inSession(
    callID: "090459243588173445", transferor: "31431", other: "7553452",
    contact: "sips:3ld812adkjw@biloxi.example.com;gr=3413kj2ha", address: "sips:transferee@biloxi.example.com",
    targetDialog: "592435881734450904;local-tag=9m2n3wq\n ;remote-tag=763231")

  static let transfers: [FlowEntry] = [
    .plays(
      FlowPart(
        "rfc5589/6.1", "Transferor", contact: transferor, instead: blind,
        before: [
          2: [.accepts()],
          3: [
            .getsRequest(.ack), .refers(.theirs(1), to: .uri("sips:transfertarget@chicago.example.com", name: nil)),
          ], 4: [.gets(202, to: .refer)], 6: [.sends("200 NOTIFY")],
        ], after: [.sends("200 NOTIFY")], differs: [2: [noGRUU], 3: [noGRUU]], ends: [.up])),
    .plays(
      FlowPart(
        "rfc5589/6.1", "Transferee", contact: transferee, instead: blind,
        before: [
          1: [.invites(1)], 3: [.sends("ACK")], 4: [.takesReferral, .sends("200 REFER")],
          5: [.gets(200, to: .notify), .invitesReferred(2)],
          6: [.gets(200, to: .invite, hasSession: true), .sends("ACK"), .reports(200)],
        ], differs: [1: [noGRUU], 4: [noGRUU], 5: [noGRUU], 6: [noGRUU]], ends: [.up, .up])),
    .plays(
      FlowPart("rfc5589/6.1", "Transfer Target", after: [.accepts(), .sends("200 INVITE")], ends: [.up])),
    .plays(
      FlowPart(
        "rfc5589/7.2", "Transferor", contact: transferor, instead: protecting,
        before: [
          2: [.accepts()], 3: [.getsRequest(.ack), .invites(1)],
          5: [.sends("ACK"), .refers(.ours(1), to: .session(.theirs(1)))],
        ], differs: [2: [noGRUU], 3: [noGRUU, requiresNothing], 5: [noGRUU]], ends: [.up, .up])),
    .plays(
      FlowPart(
        "rfc5589/7.2", "Transfer Target", contact: target, instead: protecting,
        before: [4: [.accepts()], 5: [.getsRequest(.ack)], 6: takes + [.invitesReferred(1)]],
        differs: [4: [noGRUU], 6: [noGRUU]], ends: [.up, .early])),
    .plays(
      FlowPart(
        "rfc5589/7.2", "Transferee", contact: transferee, policy: anyone,
        before: [1: [.invites(1)], 6: [.sends("ACK")]],
        after: [
          .accepts(), .sends("200 INVITE"), .getsRequest(.ack), .hangsUp(.ours(1)), .sends("BYE"), .gets(200, to: .bye),
        ],
        differs: [1: [noGRUU]], ends: [.over(.local), .up])),
    .plays(
      FlowPart(
        "rfc5589/7.3", "Transferor", contact: transferor, instead: attended,
        before: [
          2: [.accepts()], 3: [.getsRequest(.ack), .invites(1)],
          5: [.sends("ACK"), .refers(.theirs(1), to: .session(.ours(1)))],
        ], differs: [2: [noGRUU], 3: [noGRUU, requiresNothing], 5: [noGRUU]], ends: [.up, .up])),
    .plays(
      FlowPart(
        "rfc5589/7.3", "Transferee", contact: transferee, instead: attended,
        before: [1: [.invites(1)], 5: [.sends("ACK")], 6: takes + [.invitesReferred(2)]],
        differs: [1: [noGRUU], 6: [noGRUU]], ends: [.up, .early])),
    .plays(
      FlowPart(
        "rfc5589/7.3", "Transfer Target", contact: target, policy: anyone,
        before: [4: [.accepts()], 6: [.getsRequest(.ack)]],
        after: [
          .accepts(2), .sends("200 INVITE"), .getsRequest(.ack), .hangsUp(.theirs(1)), .sends("BYE"),
          .gets(200, to: .bye),
        ],
        differs: [4: [noGRUU]], ends: [.over(.local), .up])),
    .plays(
      FlowPart("rfc5589/7.5", "Transferor", 1...2, before: [1: [.invites(1)]], after: [.sends("ACK")], ends: [.up])),
    .plays(FlowPart("rfc5589/7.5", "Transfer Target", 1...2, before: [2: [.accepts()]], ends: [.up])),
    .notPlayed("rfc5589/7.5", "Transferor", why: "F3: the text that there is of the REFER ends before Refer-To"),
    .notPlayed("rfc5589/7.5", "Transferee", why: "F3: the text that there is of the REFER ends before Refer-To"),
    .plays(
      FlowPart(
        "rfc5589/7.5", "Transferor", 6...12,
        before: [
          6: [.invites(1)],
          8: [
            .sends("ACK"), .calls(2), .sends("INVITE"),
            .gets(200, to: .invite, tag: "a6c85cf", hasSession: true, contact: "sips:transferee@192.0.2.4"),
            .sends("ACK"),
          ], 10: [.refers(.ours(2), to: .session(.ours(1)))], 12: [.gets(202, to: .refer)],
        ], after: [.sends("200 NOTIFY")],
        differs: [
          8: [.unsent(why: "Refer-To is the Contact of the target at once, not its address of record first")],
          9: [.unheard(why: "Refer-To is the Contact of the target at once, not its address of record first")],
        ], ends: [.up, .up])),
    .plays(
      FlowPart(
        "rfc5589/7.5", "Transferee", 8...12, contact: transferee,
        before: [
          8: [.isAsked(), .accepts(), .sends("200 INVITE"), .getsRequest(.ack)],
          9: takes + [
            .owner(.inviteReferred(.ours(1), ReferralID(.remote, 1), callID: "unquoted")), .sends("INVITE"),
            .gets(403, to: .invite), .sends("ACK"), .reports(403),
          ],
          10: [.gets(200, to: .notify)],
          11: [
            .owner(.answerReferral(ReferralID(.remote, 2), accepts: true)), .sends("200 REFER"), .sends("NOTIFY"),
            .gets(200, to: .notify),
            .owner(.inviteReferred(.ours(2), ReferralID(.remote, 2), callID: "20482817324945934422930")),
          ],
          12: [
            .gets(200, to: .invite, hasSession: true), .sends("ACK"),
            .owner(.reportReferral(ReferralID(.remote, 2), status: 200)),
          ],
        ],
        differs: [
          9: [noGRUU, .field("Event", why: "the first REFER of a dialog needs no id (RFC 3515 2.4.6)")],
          11: [.field("To", why: "To is the URI of Refer-To, not the address of record behind it")], 12: [noGRUU],
        ], ends: [.up, .over(.rejected(status: 403)), .up])),
    .plays(
      FlowPart(
        "rfc5589/7.5", "Transfer Target", 6...11, policy: anyone,
        before: [7: [.accepts()], 11: [.getsRequest(.ack)]],
        after: [
          .accepts(2), .sends("200 INVITE"), .getsRequest(.ack), .hangsUp(.theirs(1)), .sends("BYE"),
          .gets(200, to: .bye),
        ],
        ends: [.over(.local), .up])),
    .notPlayed("rfc5589/8", "Transferor", why: noTokens),
    .notPlayed("rfc5589/8", "Transferee", why: noTokens),
    .notPlayed("rfc5589/8", "Transfer Target", why: noTokens),
  ]
}
