import Timeline

@testable import VirtualWorld

/// What must come of a transfer whose events are so far apart that nothing is under way when the next one happens, told
/// without a look at what the phone does: the transferee's course, the transferor's, and what CallKit shows.
struct TransferExpectation: Equatable {
  /// Why each call that has ended before the user ends the rest has done so.
  var ends: [String: String] = [:]
  /// The calls that go on and are held then.
  var held: Set<String> = []
  /// The last reports on the REFER that the phone sends.
  var reports: [Int] = []
  /// What the phone tells the user about the transfer.
  var news: [String] = []
  /// Whether CallKit is told of carol's name instead of alice's.
  var isRenamed = false

  init() {}

  init(_ order: TransferOrder) {
    var course = Course(order)
    for happening in order.happenings { course.take(happening) }
    course.finish()
    self = course.result
  }

  /// What has come of a run before the user ends what is left.
  init(observed run: TransferRun) {
    let (records, world) = (run.records.dropFirst(run.recordsBefore), run.simulation.world)
    for record in records {
      switch record.event {
      case .state(_, "ended", let reason): ends[record.call?.name ?? ""] = reason
      case .transfer(let news): self.news.append(news.words)
      case .report(.updated(_, let handle)): isRenamed = handle?.hasPrefix("sip:carol") ?? false
      case .sip(let sip) where sip.phase.isSent && sip.message.from == "phone" && sip.message.origin == .decision:
        if sip.message.method == "NOTIFY", let status = sip.message.fragment, status >= 200 { reports.append(status) }
      default: break
      }
    }
    held = Set(
      run.names.filter { name in
        world.stage.calls.uuid(named: name).flatMap { world.phone.system.calls[$0]?.isHeld } ?? false
      })
  }
}

extension SIPEvent.Phase {
  fileprivate var isSent: Bool {
    if case .sent = self { true } else { false }
  }
}

/// What is so after each event.
private struct Course {
  private enum Target { case unasked, ringing, up }

  private let form: TransferOrder.Form
  private let subject: String
  private(set) var result = TransferExpectation()
  private var live: Set<String>
  /// Whether alice and the phone have a dialog.
  private var isAliceThere = true
  private var decision: Int?
  private var target = Target.unasked
  private var isAsked = false
  /// Whether no report comes through any more, and whether none has since the REFER.
  private var isLost = false
  private var isCutOff = false
  private var isTold = false
  private var isHeldForIt: Bool

  init(_ order: TransferOrder) {
    form = order.form
    subject = order.form == .consultation ? "c2" : "c1"
    live = order.form.hasConsultation ? ["c1", "c2"] : ["c1"]
    isHeldForIt = order.form == .transferor
    if order.form.isTransferor { result.held = ["c1"] }
  }

  mutating func take(_ happening: TransferOrder.Happening) {
    switch happening {
    case .referAccepted: form.isTransferor ? accepted() : refer()
    case .targetAnswers: decide(200)
    case .targetFails: decide(486)
    case .otherHangsUp:
      guard isAliceThere else { return }
      isAliceThere = false
      if target == .unasked { end("c1", "remote-ended") }
    case .userEnds: endLocally(subject)
    case .userHolds: toggleHold()
    case .notifyLost: isLost = true
    }
  }

  mutating func finish() {
    if form.isTransferor {
      guard !isTold else { return }
      if isAsked { return tell("unknown") }
      // No response ever comes to the REFER, so that the dialog is over (RFC 3261 12.2.1.2).
      tell("refused")
      end("c1", "failed")
    } else if target == .ringing {
      // The target never answers.
      report(408)
    }
  }

  // MARK: Calls

  private mutating func end(_ call: String, _ reason: String) {
    guard live.remove(call) != nil else { return }
    result.ends[call] = reason
    result.held.remove(call)
    if call == "c1" { isAliceThere = false }
  }

  /// The system resumes the held call when one that is talked on has been ended here (CK-34).
  private mutating func endLocally(_ call: String) {
    guard live.contains(call) else { return }
    let wasTalking = !result.held.contains(call)
    end(call, "local")
    if target == .ringing { report(487) }
    if wasTalking, let other = live.first { resume(other) }
  }

  private mutating func resume(_ call: String) {
    result.held.remove(call)
    if call == "c1" { isHeldForIt = false }
  }

  private mutating func toggleHold() {
    guard live.contains(subject) else { return }
    if !result.held.contains(subject) {
      result.held.insert(subject)
    } else {
      result.held.formUnion(live.subtracting([subject]))
      resume(subject)
    }
  }

  // MARK: The target

  private mutating func decide(_ status: Int) {
    guard decision == nil else { return }
    decision = status
    form.isTransferor ? reported(status) : resolve()
  }

  private mutating func refer() {
    guard isAliceThere else { return }
    isAsked = true
    // The first report of all waits for its response, and those after it wait for that.
    isCutOff = isLost
    target = .ringing
    resolve()
  }

  private mutating func resolve() {
    guard target == .ringing, let decision else { return }
    report(decision)
  }

  /// The leg to carol has come to this: the call goes on with her, or with alice if she is still there.
  private mutating func report(_ status: Int) {
    if !isCutOff { result.reports.append(status) }
    target = status == 200 ? .up : .unasked
    result.isRenamed = status == 200
    if status != 200, !isAliceThere { end("c1", "failed") }
  }

  // MARK: What alice tells a transferor

  private mutating func accepted() {
    isAsked = true
    guard !isTold else { return }
    result.news.append("accepted")
    if decision == nil, !isLost { result.news.append("progress 100") }
  }

  private mutating func reported(_ status: Int) {
    if status == 200, form == .attendedTransferor || form == .consultation { end("c2", "remote-ended") }
    guard !isLost else { return }
    if !isAsked { result.news.append("accepted") }
    tell(status == 200 ? "succeeded" : "failed \(status)")
    if status == 200 {
      endLocally("c1")
    } else if isHeldForIt, live == ["c1"], result.held.contains("c1") {
      resume("c1")
    }
  }

  private mutating func tell(_ outcome: String) {
    isTold = true
    result.news.append(outcome)
  }
}
