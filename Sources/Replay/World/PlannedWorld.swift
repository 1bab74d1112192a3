import CallEngine
import Instant
import SIP
import Scenario
import Timeline
import VirtualWorld

/// What a plan says about the world before it begins, in the world's own terms.
struct PlannedWorld: Hashable, Sendable {
  var setup: WorldSetup
  var engine: EngineSettings
  /// What the plan asks for and this world cannot do.
  var diagnostics: [Diagnostic]

  /// Reads the plan's header. A seed that is given wins over the plan's.
  init(_ plan: Plan, seed: UInt64?) {
    var reader = HeaderReader()
    let phone = reader.phone(plan.device)
    setup = WorldSetup(
      seed: seed ?? plan.seed, phone: phone,
      peers: plan.peers.map { reader.peer($0) },
      calls: plan.calls.map { reader.call($0) },
      links: plan.links.map { Link(from: $0.from, to: $0.to, latency: $0.latency) },
      faults: plan.faults.compactMap { reader.fault($0) })
    engine = reader.engine
    diagnostics = reader.diagnostics
  }
}

/// Reads declarations one by one and collects what it cannot use.
private struct HeaderReader {
  var engine = EngineSettings()
  var diagnostics: [Diagnostic] = []

  mutating func phone(_ device: DeviceDeclaration) -> PhoneSetup {
    var settings = PhoneSettings()
    var host: String?
    var transport = "udp"
    for setting in device.settings {
      switch (setting.name, setting.value) {
      case ("placeholder-deadline", .duration(let span)): engine.placeholderDeadline = span
      case ("ring-timeout", .duration(let span)): engine.ringTimeout = span
      case ("action-watchdog", .duration(let span)): engine.actionWatchdog = span
      case ("report-delay", .duration(let span)): settings.reportDelay = span
      case ("request-delay", .duration(let span)): settings.requestDelay = span
      case ("action-delay", .duration(let span)): settings.actionDelay = span
      case ("activation-delay", .duration(let span)): settings.activationDelay = span
      case ("system-action-limit", .duration(let span)): settings.systemActionLimit = span
      case ("do-not-disturb", .flag(let isOn)): settings.doNotDisturb = isOn
      case ("decline-status", .number(let status)): settings.declineStatus = status
      case ("max-groups", .number(let count)): settings.maximumCallGroups = count
      case ("host", .word(let name)): host = name
      case ("transport", .word(let name)): transport = name
      case ("activation", .word(let word)): settings.activatesAudioByItself = word == "automatic"
      case ("audio-handover", .word(let word)): settings.audioHandover = choice(word, setting) ?? settings.audioHandover
      case ("dtmf", .word(let word)): settings.digitTransport = choice(word, setting) ?? settings.digitTransport
      case ("offer", .word(let word)): settings.offer = choice(word, setting) ?? settings.offer
      case ("repair", .word(let word)): engine.repair = choice(word, setting) ?? engine.repair
      case ("resume-after-local-end", .flag(let isOn)): settings.resumesAfterLocalEnd = isOn
      case ("resume-remaining-call", .flag(let isOn)): engine.resumesRemainingCall = isOn
      default: unsupported("setting `\(setting.name)` has no effect on this phone", setting.range)
      }
    }
    let address = address(device.name, device.uri, host: host, transport: transport, device.range)
    return PhoneSetup(address: address, settings: settings)
  }

  private mutating func choice<Choice: RawRepresentable<String>>(
    _ word: String, _ setting: DeviceDeclaration.Setting
  ) -> Choice? {
    let choice = Choice(rawValue: word)
    if choice == nil { unsupported("`\(setting.name)` cannot be `\(word)`", setting.range) }
    return choice
  }

  mutating func peer(_ peer: PeerDeclaration) -> PeerSetup {
    let address = address(peer.name, peer.uri, host: peer.host, transport: peer.transport ?? "udp", peer.range)
    var setup = PeerSetup(address: address, isAutomatic: peer.isAutomatic)
    if let span = peer.answersAfter { setup.answersAfter = span }
    return setup
  }

  mutating func call(_ call: CallDeclaration) -> NamedCall {
    var uuid: CallUUID?
    if let text = call.uuid {
      uuid = CallUUID(text)
      if uuid == nil { unsupported("`\(text)` is no UUID", call.range) }
    }
    return NamedCall(name: call.name, uuid: uuid, callID: call.callID)
  }

  mutating func fault(_ fault: FaultDeclaration) -> Fault? {
    guard let pattern = pattern(fault.arrow) else {
      unsupported("fault `\(fault.name)` does not name its message by method, status or call", fault.range)
      return nil
    }
    let effect: Fault.Effect =
      switch fault.effect {
      case .drop: .drop
      case .delay(let spans): .delay(spans)
      case .duplicate(let copies, let gap): .duplicate(copies: copies, gap: gap)
      case .reorder: .reorder
      }
    let occurrence: Fault.Occurrence =
      switch fault.occurrence {
      case .first: .first
      case .every: .every
      case .nth(let number): .nth(number)
      case .percent(let number): .percent(number)
      }
    return Fault(
      name: fault.name, effect: effect, occurrence: occurrence, pattern: pattern, from: fault.from.map { .zero + $0 },
      until: fault.until.map { .zero + $0 })
  }

  /// What a fault can know of a message before the run: no labels, no text.
  private func pattern(_ arrow: Arrow) -> MessagePattern? {
    guard arrow.with.isEmpty, arrow.without.isEmpty, arrow.callID == nil, !arrow.isRetransmission else { return nil }
    var pattern = MessagePattern(from: arrow.from, to: arrow.to, what: .any)
    var method: String?
    switch arrow.subject {
    case .none, .anyCall: break
    case .method(let name): method = name
    case .call(let name): pattern.call = name
    case .label, .callAt: return nil
    }
    guard let what = MessagePattern.What(arrow.what, ofMethod: method) else { return nil }
    pattern.what = what
    pattern.fragment = arrow.fragment
    switch (arrow.role, arrow.direction) {
    case (nil, nil): break
    case (let role?, let direction?):
      pattern.session = MessageFacts.Session(role: role == .offer ? .offer : .answer, direction: direction)
    default: return nil
    }
    return pattern
  }

  private mutating func address(
    _ name: String, _ uri: String, host: String?, transport: String, _ range: SourceRange
  ) -> ActorAddress {
    let own = SIPAddress(uri)
    if own == nil { unsupported("`\(uri)` names no host", range) }
    let place = host.map { SIPAddress($0) ?? SIPAddress(host: $0) } ?? own
    let carrier = Transport(rawValue: transport)
    if carrier == nil { unsupported("transport `\(transport)` is not known", range) }
    return ActorAddress(
      name: name, uri: uri, host: place?.host ?? "", port: place?.port ?? 5060, transport: carrier ?? .udp)
  }

  private mutating func unsupported(_ title: String, _ range: SourceRange) {
    diagnostics.append(Diagnostic(code: RunCode.unsupported.rawValue, title: title, range: range))
  }
}

extension SIPAddress {
  /// A host that is named alone.
  fileprivate init(host: String) {
    self.host = host
    port = 5060
  }
}
