import Instant
import Testing

@testable import SIP

/// The INVITE to whom a REFER names.
@Suite struct UserAgentReferralInviteTests {
  private let invited = ReferredCall.transferred

  private func invite(
    to target: String = ReferredCall.target, headers: [(name: String, value: String)] = []
  ) throws -> SIPMessage {
    var call = try ReferredCall.accepted(to: target, headers: headers)
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "new@phone"))
    #expect(call.bench.events.last == .inviteSent(invited, callID: "new@phone"))
    return try #require(call.bench.last("INVITE"))
  }

  @Test func itGoesToTheTargetUnderANewCallID() throws {
    let invite = try invite(to: "<sip:carol@10.0.0.3:5070;transport=tcp>")
    #expect(invite.startLine == .request(.invite, uri: "sip:carol@10.0.0.3:5070;transport=tcp"))
    #expect(invite.callID == "new@phone")
    #expect(invite.value(of: "To") == "<sip:carol@10.0.0.3>")
    #expect(invite.toTag == nil)
    #expect(invite.sessionDescription != nil)
    for name in ["Replaces", "Require", "Referred-By"] { #expect(invite.values(of: name) == [], "\(name)") }
    #expect(invite.findings.isEmpty)
  }

  /// RFC 3892 2.2: as it stands.
  @Test(arguments: [
    "<sip:peer@example.com>", "\"A, B\" <sips:peer@example.com>;cid=\"2UWQFN@x\"", "sip:peer@example.com",
  ])
  func itSaysWhoReferredUs(value: String) throws {
    #expect(try invite(headers: [("Referred-By", value)]).values(of: "Referred-By") == [value])
    #expect(try invite(headers: [("b", value)]).values(of: "Referred-By") == [value])
  }

  @Test(arguments: [
    ("a%40b%3Bto-tag%3Dx%3Bfrom-tag%3Dy", "a@b;to-tag=x;from-tag=y"),
    ("a%40b%3bfrom-tag%3dy%3bto-tag%3dx%3Bearly-only", "a@b;from-tag=y;to-tag=x;early-only"),
    ("a@b%3Bto-tag=x%3Bfrom-tag=y%3Bother%3D%22z%22", "a@b;to-tag=x;from-tag=y;other=\"z\""),
  ])
  func itReplacesTheDialogThatTheTargetHas(escaped: String, value: String) throws {
    let invite = try invite(to: "<sip:carol@10.0.0.3?Replaces=\(escaped)&Subject=x>")
    #expect(invite.values(of: "Replaces") == [value])
    #expect(invite.values(of: "Require") == ["replaces"])
    #expect(invite.startLine == .request(.invite, uri: "sip:carol@10.0.0.3"))
    #expect(invite.findings.isEmpty)
  }

  /// RFC 3261 19.1.5.
  @Test func nothingElseOfTheURIIsTaken() throws {
    let invite = try invite(
      to: "<sip:carol@10.0.0.3?From=x&Call-ID=y&Route=%3Csip%3A10.0.0.9%3E&Subject=z&Require=a&Content-Type=b&body=c>")
    for name in ["Subject", "Route", "Require", "Replaces"] { #expect(invite.values(of: name) == [], "\(name)") }
    #expect(invite.callID == "new@phone")
    #expect(invite.values(of: "From").count == 1)
    #expect(invite.from?.uri == "sip:phone@example.com")
    #expect(invite.sessionDescription != nil)
  }

  @Test func itIsACallAsAnyOther() throws {
    var call = try ReferredCall.accepted()
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "new"))
    let invite = try #require(call.bench.last("INVITE"))
    try call.call.answer("INVITE", 180)
    call.bench.receive(try call.bench.response(200, to: invite, tag: "carol", body: UserAgentBench.offer))
    #expect(call.bench.events.contains(.answered(invited)))
    #expect(call.bench.ends.isEmpty)
    call.report(200)
    #expect(call.bench.last("NOTIFY")?.toTag == "peer")
    call.bench.perform(.hangUp(invited))
    #expect(call.bench.last("BYE")?.toTag == "carol")
  }

  /// What the REFER brought goes with the call, whatever its target.
  @Test func aRedirectedOneSaysTheSame() throws {
    var call = try ReferredCall.accepted(
      to: "<sip:carol@10.0.0.3?Replaces=a%3Bto-tag%3Dx%3Bfrom-tag%3Dy>", headers: [("Referred-By", "<sip:peer@x>")])
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "new"))
    let first = try #require(call.bench.last("INVITE"))
    try call.call.answer("INVITE", 302)
    let second = try #require(call.bench.last("INVITE"))
    #expect(second.startLine == .request(.invite, uri: "sip:peer@10.0.0.2"))
    for name in ["Replaces", "Require", "Referred-By"] {
      #expect(second.values(of: name) == first.values(of: name))
      #expect(second.values(of: name).count == 1)
    }
  }

  /// It may come after the session's end, and before or after the reports have failed.
  @Test func theSessionOfTheREFERNeedNotLive() throws {
    var call = try ReferredCall.accepted(headers: [("Referred-By", "<sip:peer@x>")])
    try call.call.receive(.bye)
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "new"))
    #expect(call.bench.last("INVITE")?.value(of: "Referred-By") == "<sip:peer@x>")
  }

  @Test func withoutAnAcceptedREFERNothingComesOfIt() throws {
    var call = try ReferredCall()
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "new"))
    try call.refer()
    call.bench.perform(.inviteReferred(SessionID(.local, 10), ReferralID(.remote, 1), callID: "new"))
    call.bench.perform(.answerReferral(ReferralID(.remote, 1), accepts: false))
    call.bench.perform(.inviteReferred(SessionID(.local, 11), ReferralID(.remote, 1), callID: "new"))
    #expect(call.bench.ends == [.failed, .failed, .failed])
    #expect(call.news() == ["603 REFER"])
  }

  @Test func aSessionIsNotBegunTwice() throws {
    var call = try ReferredCall.accepted()
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "new"))
    call.bench.perform(.inviteReferred(invited, ReferralID(.remote, 1), callID: "other"))
    call.bench.perform(.inviteReferred(SessionID(.remote, 20), ReferralID(.remote, 1), callID: "other"))
    #expect(call.news() == ["INVITE"])
    #expect(call.bench.ends.isEmpty)
  }
}
