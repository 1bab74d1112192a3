import CallEngine
import Instant
import SIP
import Timeline

@testable import VirtualWorld

/// One transfer in one order of what can happen to it, until nothing is left of it.
///
/// What the peers send arrives at once, so that the order is the one in which it comes to the phone. What the phone sends
/// is under way for 10 ms, and what happens meanwhile crosses it. The peers keep to SIP: they answer everything at once,
/// but whether alice accepts a REFER and what becomes of the target is up to the order. Who decides something before it
/// is asked for does it as soon as it is.
struct TransferRun {
  /// When the first thing happens.
  static let start = Instant.zero + .seconds(20)

  let order: TransferOrder
  private(set) var records: [Record] = []
  var violations: [String] = []
  private(set) var simulation: Simulation
  var conduct = TransferConduct()
  /// How many calls that go on both sides agree on when everything has happened.
  private(set) var callsThatWentOn = 0
  /// How many records there were before anything happened.
  private(set) var recordsBefore = 0

  init(_ order: TransferOrder) {
    self.order = order
    simulation = Simulation(Self.setup(order), coordinator: CallCoordinator())
    establish()
    recordsBefore = records.count
  }

  private static func setup(_ order: TransferOrder) -> WorldSetup {
    var faults: [Fault] = []
    if let place = order.happenings.firstIndex(of: .notifyLost) {
      let (from, to) = order.form.isTransferor ? ("alice", "phone") : ("phone", "alice")
      faults.append(
        Fault(
          name: "lost", effect: .drop, occurrence: .every,
          pattern: MessagePattern(from: from, to: to, what: .request(method: "NOTIFY")),
          from: start + order.pace.gap * Int64(place) + Span(microseconds: 1)))
    }
    let phone = ActorAddress(name: "phone", uri: "sip:bob@10.0.0.2:5060", host: "10.0.0.2")
    return WorldSetup(
      phone: PhoneSetup(address: phone),
      peers: ["alice", "carol"].enumerated().map { index, name in
        let host = "10.0.0.\(index + 3)"
        return PeerSetup(address: ActorAddress(name: name, uri: "sip:\(name)@\(host):5060", host: host))
      },
      links: [Link(from: "phone", latency: .milliseconds(10)...(.milliseconds(10)))], faults: faults)
  }

  // MARK: The calls

  /// The calls as their peers know them.
  var calls: [EverydayRun.Call] {
    let isOutgoing = order.form != .attendedTransferee && order.form != .transferor
    let other =
      order.form.isTransferor
      ? order.form.hasConsultation ? "c2" : nil
      : isOutgoing ? "c1-2" : nil
    let c1 = EverydayRun.Call(name: "c1", peer: "alice", isOutgoing: isOutgoing)
    return [c1] + (other.map { [EverydayRun.Call(name: $0, peer: "carol", isOutgoing: true)] } ?? [])
  }

  /// The calls that CallKit knows, by name.
  var names: [String] { order.form.hasConsultation ? ["c1", "c2"] : ["c1"] }

  /// The call that the user acts on.
  private var subject: String { order.form == .consultation ? "c2" : "c1" }

  private mutating func establish() {
    conduct.targetStatus = 200
    if calls[0].isOutgoing {
      tap(.calls, "c1", "sip:alice@10.0.0.3:5060")
    } else {
      perform(message("INVITE", of: "alice", offer: "sendrecv"))
      run(for: .seconds(1))
      tap(.answers, "c1")
    }
    run(for: .seconds(1))
    if order.form.hasConsultation { tap(.calls, "c2", "sip:carol@10.0.0.4:5060") }
    run(for: .seconds(1))
    conduct.targetStatus = nil
  }

  /// The Call-ID of the call with a peer, as it began.
  func callID(with peer: String) -> String {
    calls.first { $0.peer == peer }?.callID ?? ""
  }

  // MARK: The course

  mutating func play() {
    // Where things happen close to each other the first ones happen before the REFER has left.
    let lead = order.pace == .close || order.pace == .closeInApp ? Span.milliseconds(12) : .seconds(1)
    run(for: Self.start - simulation.now - lead)
    switch order.form {
    case .transferee, .attendedTransferee: break
    case .transferor: tap(.transfers, "c1", "sip:carol@10.0.0.4:5060")
    case .attendedTransferor, .consultation: tap(.connects, "c1", "c2")
    }
    run(for: lead)
    for happening in order.happenings {
      perform(happening)
      run(for: max(order.pace.gap, happening == .notifyLost ? Span(microseconds: 1) : .zero))
    }
    settle()
    judgeAgreement()
    if order.pace == .apart { judgeCourse() }
    end()
    violations += Remains.of(simulation, peersMayWait: false)
    violations += Rulebook(records).violations
    violations += TransferRules(self).violations
  }

  private mutating func perform(_ happening: TransferOrder.Happening) {
    switch happening {
    case .referAccepted: order.form.isTransferor ? acceptRefer() : refer()
    case .targetAnswers: decide(200)
    case .targetFails: decide(486)
    case .otherHangsUp: hangUp()
    case .userEnds: tap(.ends, subject)
    case .userHolds: tap(isHeld(subject) ? .resumes : .holds, subject)
    case .notifyLost: break
    }
  }

  private func isHeld(_ call: String) -> Bool {
    let world = simulation.world
    return world.stage.calls.uuid(named: call).flatMap { world.phone.system.calls[$0]?.isHeld } ?? false
  }

  /// The user ends what is left, and alice reports on what she still owes a report on.
  private mutating func end() {
    for name in names {
      tap(.ends, name)
      run(for: .seconds(1))
    }
    settle()
    decide(486)
    settle()
    run(for: TransactionTiming.timeout * 3)
  }

  private mutating func judgeAgreement() {
    var agreement = Agreement()
    for record in records { agreement.read(record) }
    let result = agreement.check(simulation, calls, everGone: [])
    violations += result.violations
    callsThatWentOn = result.agreed
    for (_, leg) in simulation.world.phone.legs where leg.mustBeHeard && leg.silence != nil {
      violations.append("nobody hears \(leg.callID)")
    }
  }

  /// What has come of it is what must.
  private mutating func judgeCourse() {
    let (expected, observed) = (TransferExpectation(order), TransferExpectation(observed: self))
    if expected != observed { violations.append("must have come to \(expected), and has to \(observed)") }
  }

  // MARK: Acts and time

  private mutating func tap(_ verb: UserAct.Verb, _ call: String, _ argument: String? = nil) {
    perform(.user([UserAct(verb, call: call, argument: argument)], inApp: order.pace == .closeInApp))
    run(for: .zero)
  }

  mutating func perform(_ stimulus: Stimulus) {
    do {
      take(try simulation.perform(stimulus, line: nil))
    } catch {
      violations.append("\(simulation.now): \(error.why)")
    }
  }

  private mutating func take(_ made: [Record]) {
    records += made
    judgeAudio()
    for record in made { react(to: record) }
  }

  private mutating func run(for span: Span) {
    let limit = simulation.now + span
    while let next = simulation.nextInstant, next <= limit { take(simulation.step()) }
    simulation.moveClock(to: limit)
  }

  private mutating func settle() {
    let limit = simulation.now + .seconds(600)
    while !simulation.isSettled, let next = simulation.nextInstant, next <= limit { take(simulation.step()) }
    if !simulation.isSettled { violations.append("not settled after 600 s") }
  }

  /// The unit feeds no leg that is held, replaced or over, nor one of a call that CallKit holds.
  private mutating func judgeAudio() {
    let (phone, calls) = (simulation.world.phone, simulation.world.stage.calls)
    for leg in phone.audio.plan.legs {
      guard let facts = phone.legs[leg] else {
        violations.append("\(simulation.now): the unit feeds a leg that is over")
        continue
      }
      let name = calls.label(ofKnownCallID: facts.callID)?.name ?? ""
      let isHeldThere = calls.uuid(named: name).flatMap { phone.system.calls[$0]?.isHeld } ?? false
      if facts.wantsHold || facts.isClosing || facts.isRetired || isHeldThere {
        violations.append("\(simulation.now): the unit feeds \(facts.callID), which is held or left")
      }
    }
  }
}
