import Instant
import Scenario
import Testing
import Timeline

@testable import Replay

/// What an observation means (language, sections 2, 3.4 and 3.5).
@Suite struct MatchingTests {
  private let answers = user(.answers(call: "c1"))

  private func holds(_ observation: Observation, _ happenings: [ScriptedWorld.Happening]) -> Bool {
    judged([block(.at(.zero), answers, [expect(within: ms(500), observation)])], happenings).outcome == .held
  }

  /// Only `retransmit` asks for a repetition, and it asks for nothing else.
  @Test func retransmissionsAreAskedFor() {
    let once = arrow("phone", "pbx", .response(status: 200))
    let again = arrow("phone", "pbx", .response(status: 200), retransmission: true)
    let first = sends(1, "INVITE", status: 200)
    let second = sends(2, "INVITE", status: 200, origin: .retransmission)
    #expect(holds(.message(once), [first]))
    #expect(!holds(.message(once), [second]))
    #expect(holds(.message(again), [second]))
    #expect(!holds(.message(again), [first]))
  }

  /// A check on a message means the record at the phone: arrived, if a peer sends.
  @Test func aPeersMessageIsSeenAtItsArrival() {
    let blocks = [
      block(
        .at(.zero), .message(arrow("pbx", "phone", .request(method: "INVITE"))),
        [expect(within: ms(20), .message(arrow("pbx", "phone", .request(method: "INVITE"))))])
    ]
    let verdict = judged(plan(blocks), ScriptedWorld(latency: ms(20)))
    #expect(verdict.outcome == .held)
    #expect(verdict.checks.first?.instant == at(20))
    #expect(judged(plan(blocks), ScriptedWorld(latency: ms(21))).codes == ["R101"])
    #expect(judged(plan(blocks), ScriptedWorld(latency: nil)).codes == ["R101"])
  }

  /// A dropped message of the phone still satisfies an expect on it: it was sent (3.10).
  @Test func aMessageOfThePhoneIsSeenAtItsSending() {
    let message = MessageFacts(id: 1, from: "phone", to: "pbx", method: "BYE", callID: "k", sequence: 1)
    let lost = happens(1, .sip(SIPEvent(phase: .lost("fault f1"), message: message)))
    #expect(holds(.message(arrow("phone", "pbx", .request(method: "BYE"))), [sends(1, "BYE"), lost]))
    #expect(!holds(.message(arrow("phone", "pbx", .request(method: "BYE"))), [lost]))
  }

  /// `200 to LABEL` is a response to that very request; a CANCEL shares its INVITE's number.
  @Test func aResponseBelongsToItsRequest() {
    func verdict(_ method: String, _ sequence: Int) -> Verdict {
      judged(
        [
          block(
            .at(.zero), .message(arrow("pbx", "phone", .request(method: "INVITE"))), as: "inv",
            [expect(within: ms(50), .message(arrow("phone", "pbx", .response(status: 200), .label("inv"))))])
        ], [sends(5, method, status: 200, sequence: sequence)])
    }
    #expect(verdict("INVITE", 1).outcome == .held)
    #expect(verdict("CANCEL", 1).outcome == .failed)
    #expect(verdict("INVITE", 2).outcome == .failed)
  }

  @Test func callsAreToldApart() {
    let bye = Arrow.What.request(method: "BYE")
    #expect(holds(.message(arrow("phone", "pbx", bye, .call("c1"))), [sends(1, "BYE")]))
    #expect(holds(.message(arrow("phone", "pbx", bye, .anyCall)), [sends(1, "BYE")]))
    #expect(!holds(.message(arrow("phone", "pbx", bye, .call("c2"))), [sends(1, "BYE")]))
    #expect(!holds(.becomes(call: "c1", state: "ended", reason: nil), [becomes(1, "ended", call: "c2")]))
    #expect(holds(.reports(call: nil, report: .connected), [happens(1, .report(.connected), call: "c2")]))
  }

  @Test func reasonsAreCompared() {
    let ended = happens(1, .state(old: "active", new: "ended", reason: "local"))
    #expect(holds(.becomes(call: "c1", state: "ended", reason: "local"), [ended]))
    #expect(holds(.becomes(call: "c1", state: "ended", reason: nil), [ended]))
    #expect(!holds(.becomes(call: "c1", state: "ended", reason: "failed"), [ended]))
    let report = happens(1, .report(.ended(reason: "failed")))
    #expect(holds(.reports(call: "c1", report: .ended(reason: "failed")), [report]))
    #expect(!holds(.reports(call: "c1", report: .ended(reason: "unanswered")), [report]))
  }

  @Test func whatAMessageReportsIsCompared() {
    func reports(_ status: Int?) -> Observation {
      var arrow = arrow("phone", "pbx", .request(method: "NOTIFY"))
      arrow.fragment = status
      return .message(arrow)
    }
    func sends(_ status: Int?) -> [ScriptedWorld.Happening] {
      let message = MessageFacts(
        id: 1, from: "phone", to: "pbx", method: "NOTIFY", callID: "k", sequence: 1, fragment: status)
      return [happens(1, .sip(SIPEvent(phase: .sent(bytes: []), message: message)))]
    }
    #expect(holds(reports(180), sends(180)))
    #expect(!holds(reports(180), sends(183)))
    #expect(!holds(reports(180), sends(nil)))
    #expect(holds(reports(nil), sends(180)))
  }

  @Test func transfersAreCompared() {
    let failed = happens(1, .transfer(TransferEvent(phase: .failed, status: 486)))
    #expect(holds(.transfer(call: "c1", phase: "failed", status: 486), [failed]))
    #expect(holds(.transfer(call: "c1", phase: "failed", status: nil), [failed]))
    #expect(!holds(.transfer(call: "c1", phase: "failed", status: 603), [failed]))
    #expect(!holds(.transfer(call: "c1", phase: "refused", status: 486), [failed]))
    #expect(!holds(.transfer(call: "c2", phase: "failed", status: 486), [failed]))
    let refused = happens(1, .transfer(TransferEvent(phase: .refused)))
    #expect(holds(.transfer(call: "c1", phase: "refused", status: nil), [refused]))
    #expect(!holds(.transfer(call: "c1", phase: "refused", status: 408), [refused]))
  }

  @Test func updatesAreComparedWhereTheyAreNamed() {
    let update = happens(1, .report(.updated(caller: "Alice", handle: nil)))
    #expect(holds(.updates(call: "c1", caller: text("Alice"), handle: nil), [update]))
    #expect(!holds(.updates(call: "c1", caller: text("Bob"), handle: nil), [update]))
    #expect(!holds(.updates(call: "c1", caller: nil, handle: text("sip:a@b")), [update]))
  }

  @Test func factsOfACallAreAnswered() {
    let incoming = happens(1, .report(.incoming(caller: "Alice", handle: "sip:a@b")))
    #expect(holds(.has(call: "c1", property: "caller", value: text("Alice")), [incoming]))
    #expect(holds(.has(call: "c1", property: "call-id", value: text("k")), [sends(1, "INVITE")]))
    #expect(!holds(.has(call: "c1", property: "handle", value: text("sip:x@y")), [incoming]))
    #expect(holds(.audioIs("inactive"), []))
    #expect(holds(.audioUnitIs(running: true), [happens(1, .audio(.unitStarts), call: nil)]))
  }
}
