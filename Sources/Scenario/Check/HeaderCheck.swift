import Instant

/// Checks the declarations at the head of a file against each other.
struct HeaderCheck {
  let tree: SyntaxTree

  func check(_ problems: inout Problems) {
    if tree.devices.isEmpty, tree.broken.isEmpty, problems.errorCount == 0 {
      problems.add(
        Diagnostic(.deviceMissing, "the scenario has no device", at: nil, help: "add `device phone sip:bob@10.0.0.2`"))
    }
    // An observation begins with the name of an actor or of a call: they must be told apart.
    let actors = tree.devices.map { ($0.name, $0.range) } + tree.peers.map { ($0.name, $0.range) }
    duplicates(actors + tree.calls.map { ($0.name, $0.range) }, &problems)
    duplicates(tree.faults.map { ($0.name, $0.range) }, &problems)
    identifiers(&problems)
    addresses(&problems)
    links(&problems)
    for device in tree.devices { deadlines(of: device, &problems) }
  }

  private func duplicates(_ names: [(name: String, range: SourceRange)], _ problems: inout Problems) {
    var seen: [String: SourceRange] = [:]
    for (name, range) in names {
      guard let first = seen.updateValue(range, forKey: name) else { continue }
      problems.add(
        Diagnostic(
          .duplicateName, "`\(name)` is given twice", at: range, notes: [.init("first given here", range: first)]))
      seen[name] = first
    }
  }

  /// Two calls with one UUID or Call-ID would be one call.
  private func identifiers(_ problems: inout Problems) {
    var seen: [String: SourceRange] = [:]
    for call in tree.calls {
      for (what, value) in [("UUID", call.uuid), ("Call-ID", call.callID)] {
        guard let value, let first = seen.updateValue(call.range, forKey: "\(what) \(value)") else { continue }
        problems.add(
          Diagnostic(
            .duplicateName, "the \(what) of `\(call.name)` is that of another call", at: call.range,
            notes: [.init("first given here", range: first)]))
      }
    }
  }

  /// A host and port stand for one actor.
  private func addresses(_ problems: inout Problems) {
    var seen: [HostAddress: SourceRange] = [:]
    func look(_ name: String, _ uri: String, _ host: String?, _ range: SourceRange) {
      guard let address = HostAddress(host ?? uri) else { return }
      if let first = seen[address] {
        problems.add(
          Diagnostic(
            .duplicateName, "`\(name)` is at the address \(address.host):\(address.port) of another actor", at: range,
            notes: [.init("the other one", range: first)], help: "give it another host or port"))
      } else {
        seen[address] = range
      }
    }
    for device in tree.devices {
      var host: String?
      for setting in device.settings where setting.name == "host" {
        if case .word(let word) = setting.value { host = word }
      }
      look(device.name, device.uri, host, device.range)
    }
    for peer in tree.peers { look(peer.name, peer.uri, peer.host, peer.range) }
  }

  private func links(_ problems: inout Problems) {
    struct Way: Hashable { var from, to: String? }
    var seen: [Way: SourceRange] = [:]
    for link in tree.links {
      if let first = seen.updateValue(link.range, forKey: Way(from: link.from, to: link.to)) {
        problems.add(
          Diagnostic(
            .duplicateName, "the latency of this way is given twice", at: link.range,
            notes: [.init("first given here", range: first)]))
      }
    }
  }

  /// The system fails an action that stays open too long (CK-6): a deadline of the app's own behind it comes too late.
  private func deadlines(of device: DeviceDeclaration, _ problems: inout Problems) {
    func span(_ name: String) -> Span? {
      guard case .duration(let span)? = device.settings.first(where: { $0.name == name })?.value else { return nil }
      return span
    }
    let limit = span("system-action-limit") ?? Vocabulary.systemActionLimit
    for (name, usual) in [
      ("placeholder-deadline", Vocabulary.placeholderDeadline), ("action-watchdog", Vocabulary.actionWatchdog),
    ] {
      let own = span(name) ?? usual
      guard own >= limit else { continue }
      let place =
        device.settings.first { $0.name == name } ?? device.settings.first { $0.name == "system-action-limit" }
      problems.warn(
        Diagnostic(
          .settingDefeatsItself,
          "`\(name)` is \(own), but the system fails an open action after \(limit) (CK-6)",
          at: place?.range ?? device.range, help: "make `\(name)` shorter than `system-action-limit`"))
    }
  }
}
