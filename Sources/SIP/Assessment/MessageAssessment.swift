/// A message judged as a whole: by the grammar, by the MUSTs of the RFCs, and by what callsim's user agent can do.
///
/// ``SIPMessage/findings`` holds what keeps any element from processing a message; this adds the header fields that the
/// reader does not look at, the bodies, and what is well-formed and refused. It is made on demand, since a telephone needs
/// none of it to route a message.
public struct MessageAssessment: Hashable, Sendable {
  /// What a message is, all in all.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Well-formed, and nothing in it must be refused.
    case valid
    /// Well-formed, and asks for what is not supported; or a response that a user agent discards.
    case refused
    /// Breaks the grammar or a MUST.
    case malformed
  }

  /// What callsim's user agent answers to a request by what stands in it alone.
  public struct Answer: Hashable, Sendable {
    public var status: Int
    /// A header field that the response must have, such as Unsupported with 420.
    public var header: Header?
    /// The finding that it follows from.
    public var reason: Finding

    public struct Header: Hashable, Sendable {
      public var name: String
      public var value: String
    }
  }

  /// Everything that there is to say, in order of the offset.
  public let findings: [Finding]
  /// What is answered; `nil` where the message is accepted, is a response, or is an ACK, to which nobody answers.
  public let answer: Answer?

  /// Judges a message by these limits.
  public init(_ message: SIPMessage, limits: MessageLimits = .standard) {
    var found = message.findings
    var judge = FieldJudge(message, limits: limits)
    judge.check()
    found += judge.findings
    var bodies = BodyJudge(message, limits: limits)
    bodies.check()
    found += bodies.findings
    let refusals = message.refusals
    found += refusals.map(\.reason)
    // Where the flaw has a name, that libosip2 does not like it either is nothing new.
    if found.contains(where: { $0.severity == .malformed && $0.rule != .osipRejects }) {
      found.removeAll { $0.rule == .osipRejects }
    }
    findings = found.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element)
    answer = Self.answer(to: message, findings, refusals)
  }

  /// The worst of the findings.
  public var verdict: Verdict {
    if findings.contains(where: { $0.severity == .malformed }) { return .malformed }
    return findings.contains { $0.severity == .refused } ? .refused : .valid
  }

  /// What keeps any request from being processed is answered first, in order of the offset, as the user agent does it;
  /// then what it refuses, in its order. Replaces is looked at once all extensions are understood, and Refer-To last.
  private static func answer(to message: SIPMessage, _ findings: [Finding], _ refusals: [Refusal]) -> Answer? {
    guard case .request(let method, _) = message.startLine, method != .ack else { return nil }
    let isUnusable = { (finding: Finding) in finding.severity == .malformed || finding.rule == .schemeUnsupported }
    var flaws = findings.filter { isUnusable($0) && $0.status != nil }
    func takeFlaws(of rule: SyntaxRule) -> [Refusal] {
      defer { flaws.removeAll { $0.rule == rule } }
      return flaws.filter { $0.rule == rule }.map { Refusal(reason: $0) }
    }
    let aboutReplaces = takeFlaws(of: .replaces)
    let aboutReferral = takeFlaws(of: .referTo)
    if let flaw = flaws.first, let status = flaw.status { return Answer(status: status, reason: flaw) }
    let extensions = refusals.prefix { ![.bodyCoding, .bodyType, .accept].contains($0.reason.rule) }
    for refusal in extensions + aboutReplaces + refusals.dropFirst(extensions.count) + aboutReferral {
      guard let status = refusal.reason.status else { continue }
      return Answer(status: status, header: refusal.header, reason: refusal.reason)
    }
    return nil
  }
}

/// Why a well-formed message is refused, and what the response says besides the status.
struct Refusal {
  var reason: Finding
  var header: MessageAssessment.Answer.Header?
}
