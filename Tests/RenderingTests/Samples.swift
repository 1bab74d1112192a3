import Instant
import Timeline

/// Records for the suites.
enum Samples {
  static let uuid = "7A3C0F52-6B1E-4C55-9D0B-2F5B1E0C9A11"
  static let call = CallLabel(name: "c1", uuid: uuid)

  /// A record at a number of microseconds.
  static func record(
    _ from: String = "phone", _ to: String? = nil, number: Int = 1, at microseconds: Int64 = 400_000,
    call: CallLabel? = call, causes: [Int] = [], line: Int? = nil, event: Event
  ) -> Record {
    Record(
      number: number, instant: Instant(microseconds: microseconds), from: from, to: to, call: call, event: event,
      causes: causes, line: line)
  }

  static func message(
    _ id: Int = 1, method: String = "INVITE", status: Int? = nil, toTag: String? = nil,
    session: MessageFacts.Session? = nil, origin: MessageFacts.Origin = .decision
  ) -> MessageFacts {
    MessageFacts(
      id: id, from: "pbx", to: "phone", method: method, status: status, callID: "inv-1@10.0.0.1", sequence: 1,
      toTag: toTag, session: session, origin: origin)
  }

  /// A NOTIFY that reports a status.
  static func report(_ id: Int, _ status: Int) -> MessageFacts {
    var message = message(id, method: "NOTIFY")
    message.fragment = status
    return message
  }

  /// A record of a message from the PBX to the phone.
  static func sip(
    _ number: Int, at microseconds: Int64 = 400_000, _ phase: SIPEvent.Phase, _ message: MessageFacts = message(),
    causes: [Int] = []
  ) -> Record {
    record(
      "pbx", "phone", number: number, at: microseconds, causes: causes,
      event: .sip(SIPEvent(phase: phase, message: message)))
  }

  static func state(_ number: Int, at microseconds: Int64 = 400_000, _ old: String?, _ new: String) -> Record {
    record(number: number, at: microseconds, event: .state(old: old, new: new, reason: nil))
  }

  /// One record of every kind, with every phase, status and answer that it can have.
  static let everything: [Record] = [
    record("push", "phone", event: .push(PushEvent(callID: "inv-1@10.0.0.1", caller: "Alice"))),
    record("push", "phone", event: .push(PushEvent(callID: nil, caller: nil))),
    record("user", "phone", line: 12, event: .user(UserEvent(verb: "answers"))),
    record(
      "user", "phone", call: nil, event: .user(UserEvent(verb: "calls", argument: "sip:carol@10.0.0.3", inApp: true))),
    record("system", "phone", event: .action(ActionEvent(id: 1, kind: "answer", status: .pending, origin: .user))),
    record("system", "phone", event: .action(ActionEvent(id: 2, kind: "end", status: .pending, origin: .app))),
    record("phone", "system", event: .action(ActionEvent(id: 3, kind: "end", status: .fulfilled, origin: .system))),
    record("phone", "system", event: .action(ActionEvent(id: 4, kind: "start", status: .failed, origin: .user))),
    record("system", "phone", event: .action(ActionEvent(id: 5, kind: "answer", status: .timedOut, origin: .user))),
    record("phone", "system", event: .report(.incoming(caller: "Zoë", handle: "sip:zoe@10.0.0.4"))),
    record("phone", "system", event: .report(.incoming(caller: nil, handle: nil))),
    record("phone", "system", event: .report(.updated(caller: "Alice", handle: nil))),
    record("phone", "system", event: .report(.startedConnecting)),
    record("phone", "system", event: .report(.connected)),
    record("phone", "system", event: .report(.ended(reason: "remote-ended"))),
    record("system", "phone", event: .report(.accepted)),
    record("system", "phone", event: .report(.refused(error: "callUUIDAlreadyExists"))),
    record("phone", "system", event: .request(.asked(id: 1, kinds: ["end", "start"]))),
    record("system", "phone", event: .request(.accepted(id: 1))),
    record("system", "phone", event: .request(.refused(id: 1, error: "unknownCallUUID"))),
    record("phone", call: nil, event: .audio(.configures)),
    record("system", "phone", call: nil, event: .audio(.activates)),
    record("system", "phone", call: nil, event: .audio(.deactivates)),
    record("phone", call: nil, event: .audio(.unitStarts)),
    record("phone", call: nil, event: .audio(.unitStops)),
    sip(0, .sent(bytes: Array("INVITE\r\n".utf8)), message(session: .init(role: .offer, direction: "sendrecv"))),
    sip(0, .sent(bytes: [0xFF, 0x00]), MessageFacts(id: 2, from: "pbx", to: "phone", method: "")),
    sip(0, .arrived, message(3, status: 200, session: .init(role: .answer, direction: "recvonly"))),
    sip(0, .arrived, message(4, method: "BYE", status: 200, origin: .rule)),
    sip(0, .lost("fault f1"), message(5, toTag: "b", origin: .retransmission)),
    sip(0, .dropped("no such dialog"), message(6, method: "BYE")),
    record(event: .timer(TimerEvent(name: "watchdog", phase: .set, due: Instant(microseconds: 10_400_000)))),
    record(event: .timer(TimerEvent(name: "watchdog", phase: .fired))),
    record(event: .timer(TimerEvent(name: "watchdog", phase: .cancelled))),
    record(event: .state(old: nil, new: "ringing", reason: nil)),
    record(event: .state(old: "ringing", new: "ended", reason: "local")),
    record("system", "phone", call: nil, event: .lifecycle(.launched(by: "push"))),
    record("system", "phone", call: nil, event: .lifecycle(.killed(reason: "no call was reported for a push"))),
    record("system", "phone", call: nil, event: .lifecycle(.networkLost)),
    record("system", "phone", call: nil, event: .lifecycle(.networkRestored)),
    record(
      "user", "phone", event: .user(UserEvent(verb: "transfers", argument: "sip:carol@10.0.0.3", inApp: true))),
    record("phone", event: .transfer(TransferEvent(phase: .succeeded))),
    record("phone", event: .transfer(TransferEvent(phase: .failed, status: 486))),
    sip(0, .arrived, report(7, 180)),
    record("network", causes: [3, 17], event: .fault(FaultEvent(name: "f1", effect: "delay by 25ms"))),
    record(event: .ignored("the call is over")),
  ].enumerated().map { index, record in
    var record = record
    record.number = index + 1
    return record
  }
}
