import Instant
import Timeline

@testable import Scenario

/// Short ways to write down plans; the lines of the file are counted as blocks and checks are numbered.
func range(_ line: Int) -> SourceRange {
  SourceRange(line: line, column: 1, length: 10)
}

func ms(_ count: Int64) -> Span { .milliseconds(count) }

func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1_000) }

func text(_ literal: String) -> TemplateText {
  TemplateText(pieces: [.literal(literal)], range: range(1))
}

func template(_ pieces: TemplateText.Piece...) -> TemplateText {
  TemplateText(pieces: pieces, range: range(1))
}

func check(
  _ kind: PlannedCheck.Kind, _ observation: Observation, as label: String? = nil, order: Int? = nil, line: Int = 100
) -> PlannedCheck {
  PlannedCheck(
    kind: kind, observation: observation, label: label, order: order, range: range(line), text: "check \(line)")
}

/// `expect within D`.
func expect(
  within span: Span, of start: String? = nil, _ observation: Observation, as label: String? = nil, order: Int? = nil,
  line: Int = 100
) -> PlannedCheck {
  check(.expect(.within(span, of: start)), observation, as: label, order: order, line: line)
}

/// `expect` without a window.
func expect(_ observation: Observation, as label: String? = nil, line: Int = 100) -> PlannedCheck {
  check(.expect(nil), observation, as: label, line: line)
}

func never(_ scope: Scope, _ observation: Observation, line: Int = 100) -> PlannedCheck {
  check(.never(scope), observation, line: line)
}

func block(
  _ when: When, _ stimulus: PlannedStimulus = .start, as label: String? = nil, optional: Bool = false, line: Int = 10,
  _ checks: [PlannedCheck] = []
) -> Block {
  Block(when: when, stimulus: stimulus, label: label, isOptional: optional, checks: checks, range: range(line))
}

func arrow(
  _ from: String, _ to: String, _ what: Arrow.What, _ subject: Arrow.Subject = .none, retransmission: Bool = false
) -> Arrow {
  Arrow(
    from: from, to: to, what: what, subject: subject, role: nil, direction: nil, with: [], without: [], callID: nil,
    isRetransmission: retransmission, range: range(1))
}

func user(_ acts: Scenario.UserAct...) -> PlannedStimulus { .user(acts, inApp: false) }

func plan(
  _ blocks: [Block], mode: Plan.Mode = .loose, ignored: [Arrow] = [], invariants: [InvariantCheck.Invariant] = [],
  faults: [FaultDeclaration] = [], params: [ParamValue] = [], texts: [String: TemplateText] = [:]
) -> Plan {
  Plan(
    title: "test", seed: 1, mode: mode, caseName: nil, params: params,
    device: DeviceDeclaration(name: "phone", uri: "sip:bob@10.0.0.2:5060", settings: [], range: range(1)),
    peers: [
      PeerDeclaration(
        name: "pbx", uri: "sip:alice@10.0.0.1:5070", host: nil, transport: nil, answersAfter: nil, isAutomatic: false,
        range: range(2))
    ],
    links: [], calls: [CallDeclaration(name: "c1", uuid: nil, callID: nil, range: range(3))], faults: faults,
    texts: texts, ignored: ignored,
    invariants: invariants.map { InvariantCheck(invariant: $0, range: range(5), text: "invariant") }, blocks: blocks)
}
