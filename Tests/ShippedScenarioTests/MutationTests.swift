import Instant
import Replay
import Testing
import Timeline

@testable import Scenario

/// Every check of every shipped scenario can fail, and the failure points at its line.
@Suite struct MutationTests {
  /// One operand of an `expect` is changed to a value that does not occur in the run: the run fails there first.
  @Test(arguments: ShippedScenario.all)
  func everyExpectationCanFail(scenario: ShippedScenario) throws {
    let plan = try scenario.plan()
    var count = 0
    for (block, check) in plan.checkIndices {
      guard case .expect = plan.blocks[block].checks[check].kind else { continue }
      count += 1
      var mutant = plan
      mutant.blocks[block].checks[check].observation.changeOneOperand()
      let verdict = replay(mutant).verdict
      let line = plan.blocks[block].checks[check].range.line
      #expect(verdict.outcome == .failed, "line \(line) cannot fail: \(plan.blocks[block].checks[check].text)")
      #expect(verdict.diagnostics.first?.range?.line == line)
    }
    #expect(count > 0)
  }

  /// The observation of a `never` is replaced by one that the run has inside its scope: the run fails there first.
  @Test(arguments: ShippedScenario.all)
  func everyNeverCanBeViolated(scenario: ShippedScenario) throws {
    let plan = try scenario.plan()
    let occurring = observations(in: replay(plan).records)
    for (block, check) in plan.checkIndices {
      guard case .never = plan.blocks[block].checks[check].kind else { continue }
      let line = plan.blocks[block].checks[check].range.line
      let violation = occurring.first { observation in
        var mutant = plan
        mutant.blocks[block].checks[check].observation = observation
        let verdict = replay(mutant).verdict
        return verdict.outcome == .failed && verdict.diagnostics.first?.range?.line == line
      }
      #expect(
        violation != nil, "line \(line): nothing at all happens inside `\(plan.blocks[block].checks[check].text)`")
    }
  }

  /// What happens in a run, as observations; each once, in order.
  private func observations(in records: [Record]) -> [Observation] {
    var found: [Observation] = []
    for record in records {
      guard let observation = Observation(record), !found.contains(observation) else { continue }
      found.append(observation)
    }
    return found
  }
}

extension Plan {
  /// The places of all checks, in the order of the file.
  var checkIndices: [(block: Int, check: Int)] {
    blocks.indices.flatMap { block in blocks[block].checks.indices.map { (block, $0) } }
  }
}

extension Observation {
  /// Puts a value that no run has into one operand.
  mutating func changeOneOperand() {
    switch self {
    case .message(var arrow):
      switch arrow.what {
      case .response: arrow.what = .response(status: 699)
      case .any, .request, .reInvite, .raw: arrow.what = .request(method: "UNHEARD")
      }
      self = .message(arrow)
    case .reports(let call, let report):
      if case .ended(reason: .some) = report {
        self = .reports(call: call, report: .ended(reason: "unheard"))
      } else {
        self = .reports(call: "unheard", report: report)
      }
    case .updates(let call, let caller, _):
      let unheard = TemplateText(pieces: [.literal("unheard")], range: SourceRange(line: 1, column: 1, length: 1))
      self = .updates(call: call, caller: caller, handle: unheard)
    case .transfer(let call, let phase, _): self = .transfer(call: call, phase: phase, status: 699)
    case .requests(_, let action): self = .requests(call: "unheard", action: action)
    case .becomes(let call, let state, let reason):
      self =
        reason == nil
        ? .becomes(call: call, state: "unheard", reason: nil) : .becomes(call: call, state: state, reason: "unheard")
    case .isInState(let call, _): self = .isInState(call: call, states: ["unheard"])
    case .action(let call, _, let becomes, let status):
      self = .action(call: call, action: "unheard", becomes: becomes, status: status)
    case .audio: self = .audio("unheard")
    case .audioIs: self = .audioIs("unheard")
    case .audioIsSilent: self = .audioIsSilent(cause: "unheard")
    // A unit has two values, and runs have both: another kind of event stands for a third.
    case .audioUnit: self = .audio("unheard")
    case .audioUnitIs(let running): self = .audioUnitIs(running: !running)
    case .has(let call, let property, _):
      let unheard = TemplateText(pieces: [.literal("unheard")], range: SourceRange(line: 1, column: 1, length: 1))
      self = .has(call: call, property: property, value: unheard)
    case .uuidUnchanged(_, let since): self = .uuidUnchanged(call: "unheard", since: since)
    case .deviceIs: self = .deviceIs("unheard", reason: nil)
    case .deviceCrashes: self = .audio("unheard")
    case .faultsFired: self = .faultsFired(["unheard"])
    }
  }

  /// What a record shows; `nil` for what the language cannot observe.
  init?(_ record: Record) {
    let call = record.call?.name ?? ""
    switch record.event {
    case .sip(let event):
      guard event.phase == .arrived || event.isSending, let to = record.to else { return nil }
      let what: Arrow.What =
        event.message.status.map { .response(status: $0) } ?? .request(method: event.message.method)
      self = .message(
        Arrow(
          from: record.from, to: to, what: what, subject: .none, role: nil, direction: nil, with: [], without: [],
          callID: nil, isRetransmission: false, range: SourceRange(line: 1, column: 1, length: 1)))
    case .report(.incoming): self = .reports(call: call, report: .incoming)
    case .report(.startedConnecting): self = .reports(call: call, report: .connecting)
    case .report(.connected): self = .reports(call: call, report: .connected)
    case .report(.ended(let reason)): self = .reports(call: call, report: .ended(reason: reason))
    case .transfer(let event): self = .transfer(call: call, phase: event.phase.rawValue, status: event.status)
    case .state(_, let new, _): self = .becomes(call: call, state: new, reason: nil)
    case .action(let action):
      self = .action(call: call, action: action.kind, becomes: true, status: action.status.rawValue)
    case .audio(.unitStarts): self = .audioUnit(starts: true)
    case .audio(.unitStops): self = .audioUnit(starts: false)
    case .audio(let event): self = .audio(event.word)
    case .push, .user, .report, .request, .media, .rebinding, .timer, .lifecycle, .fault, .ignored: return nil
    }
  }
}

extension SIPEvent {
  var isSending: Bool {
    if case .sent = phase { true } else { false }
  }
}
