import CallEngine
import Instant
import SIP
import Testing
import Timeline

@testable import VirtualWorld

/// The phone as transferor, and its invitations under further Call-IDs: what the user sees, the timeline says and the
/// peers get.
@Suite struct PhoneTransferTests {
  /// A run with automatic peers in which the script may take a message before they do.
  private struct Bench {
    var simulation: Simulation
    var records: [Record] = []

    init(_ settings: PhoneSettings = PhoneSettings()) {
      var setup = makeSetup(settings: settings, calls: [NamedCall(name: "c1"), NamedCall(name: "c2")])
      setup.peers = [("alice", 1), ("carol", 3)].map { name, host in
        PeerSetup(
          address: ActorAddress(name: name, uri: "sip:\(name)@10.0.0.\(host):5060", host: "10.0.0.\(host)"),
          isAutomatic: true)
      }
      simulation = Simulation(setup, coordinator: CallCoordinator())
    }

    mutating func perform(_ stimulus: Stimulus) throws { records += try simulation.perform(stimulus, line: nil) }

    mutating func user(_ verb: UserAct.Verb, _ call: String, _ argument: String? = nil, inApp: Bool = false) throws {
      try perform(.user([UserAct(verb, call: call, argument: argument)], inApp: inApp))
    }

    mutating func advance(_ span: Span) { records += simulation.advance(to: simulation.now + span) }

    /// Goes on until a message has come to its receiver, and returns it.
    mutating func await(_ summary: String) throws -> MessageFacts {
      for _ in 0..<1_000 {
        let made = simulation.step()
        records += made
        for record in made where record.sip?.phase == .arrived && record.sip?.message.summary == summary {
          return try #require(record.sip?.message)
        }
      }
      throw StimulusRefusal("\(summary) has not come")
    }

    mutating func alice(_ content: PeerMessage.Content, _ subject: PeerMessage.Subject, fragment: Int? = nil) throws {
      try perform(
        .message(PeerMessage(from: "alice", to: "phone", content: content, subject: subject, fragment: fragment)))
      advance(.milliseconds(1))
    }

    mutating func report(_ status: Int) throws {
      try alice(.request(method: "NOTIFY"), .call("c1"), fragment: status)
    }

    /// The words of the records of a kind, with their calls.
    func words(_ matches: (Event) -> Bool) -> [String] {
      records.filter { matches($0.event) }.map { "\($0.call?.name ?? "-"): \($0.event.words)" }
    }

    var transfers: [String] { words { if case .transfer = $0 { true } else { false } } }
    var rebindings: [String] { words { if case .rebinding = $0 { true } else { false } } }
  }

  private func established(_ call: String = "c1", with peer: String = "sip:alice@10.0.0.1:5060") throws -> Bench {
    var bench = Bench()
    try bench.user(.calls, call, peer)
    bench.advance(.seconds(5))
    return bench
  }

  // MARK: - What the user does

  @Test(arguments: [(UserAct.Verb.transfers, "sip:carol@10.0.0.3:5060"), (.connects, "c2")])
  func aTransferIsAnActInTheApp(verb: UserAct.Verb, argument: String) throws {
    var bench = try established()
    try bench.user(verb, "c1", argument)
    let act = UserEvent(verb: "transfers", argument: argument, inApp: true)
    #expect(bench.records.contains { $0.event == .user(act) && $0.call?.name == "c1" })
    bench.advance(.seconds(1))
    // It is no tap on the call screen, which has no such button.
    #expect(
      !bench.records.contains { if case .action(let action) = $0.event { action.kind == "transfer" } else { false } })
  }

  @Test(arguments: [UserAct.Verb.transfers, .connects]) func aCallThatIsNotThereIsSaidToBe(verb: UserAct.Verb) throws {
    var bench = try established()
    try bench.user(verb, "c9", "c1")
    #expect(bench.records.last?.event == .ignored("the app knows no call c9"))
    try bench.user(.connects, "c1", "c8")
    #expect(bench.records.last?.event == .ignored("the app knows no call c8"))
  }

  // MARK: - How a transfer goes

  @Test func aTransferIsToldToItsEnd() throws {
    var bench = try established()
    try bench.user(.transfers, "c1", "sip:carol@10.0.0.3:5060")
    let refer = try bench.await("REFER")
    try bench.alice(.response(status: 202), .message(refer.id))
    for status in [100, 180, 200] { try bench.report(status) }
    bench.advance(.seconds(2))
    #expect(
      bench.transfers == [
        "c1: transfer accepted", "c1: transfer progress 100", "c1: transfer progress 180", "c1: transfer succeeded",
      ])
    #expect(bench.records.contains { $0.event == .state(old: "ending", new: "ended", reason: "local") })
    #expect(bench.simulation.world.peers.allSatisfy { $0.isBlank })
    let reports = bench.records.compactMap { record -> Int? in
      record.sip?.phase == .arrived && record.sip?.message.method == "NOTIFY" ? record.sip?.message.fragment : nil
    }
    #expect(reports == [100, 180, 200])
  }

  @Test func anAutomaticPeerRefuses() throws {
    var bench = try established()
    try bench.user(.transfers, "c1", "sip:carol@10.0.0.3:5060")
    bench.advance(.seconds(2))
    #expect(bench.transfers == ["c1: transfer refused 603"])
  }

  @Test(arguments: [(486, "c1: transfer failed 486"), (200, "c1: transfer succeeded")])
  func aTransferIsToldAfterTheCall(status: Int, words: String) throws {
    var bench = try established()
    try bench.user(.transfers, "c1", "sip:carol@10.0.0.3:5060")
    let refer = try bench.await("REFER")
    try bench.alice(.response(status: 202), .message(refer.id))
    try bench.alice(.request(method: "BYE"), .call("c1"))
    #expect(
      bench.words { if case .state(_, "ended", _) = $0 { true } else { false } } == [
        "c1: state held ended remote-ended"
      ])
    bench.advance(.seconds(20))
    try bench.report(status)
    #expect(bench.transfers == ["c1: transfer accepted", words])
    #expect(bench.simulation.world.peers.allSatisfy { $0.isBlank })
  }

  @Test func twoCallsAreConnected() throws {
    var bench = try established()
    try bench.user(.calls, "c2", "sip:carol@10.0.0.3:5060")
    bench.advance(.seconds(5))
    try bench.user(.connects, "c1", "c2")
    let refer = try bench.await("REFER")
    #expect(refer.to == "alice" && refer.callID == "c1@10.0.0.2")
    try bench.alice(.response(status: 202), .message(refer.id))
    try bench.report(200)
    bench.advance(.seconds(2))
    #expect(bench.transfers == ["c1: transfer accepted", "c1: transfer succeeded"])
  }

  // MARK: - Call-IDs

  private static var secure: PhoneSettings {
    var settings = PhoneSettings()
    settings.offer = .srtpElseRTP
    return settings
  }

  private func invitations(_ bench: Bench) -> [String] {
    bench.records.compactMap { record in
      guard case .sent? = record.sip?.phase, let message = record.sip?.message, message.summary == "INVITE",
        message.from == "phone"
      else { return nil }
      return "\(record.call?.name ?? "-"): \(message.callID)"
    }
  }

  @Test(arguments: [488, 415, 606]) func anInvitationThatIsRefusedForItsMediaHasAnotherCallID(status: Int) throws {
    var bench = Bench(Self.secure)
    try bench.user(.calls, "c1", "sip:alice@10.0.0.1:5060")
    let invite = try bench.await("INVITE")
    try bench.alice(.response(status: status), .message(invite.id))
    bench.advance(.seconds(5))
    #expect(invitations(bench) == ["c1: c1@10.0.0.2", "c1: c1-2@10.0.0.2"])
    #expect(bench.rebindings == ["c1: rebinding c1-2@10.0.0.2"])
    // What a script says of the call means the dialog that there is.
    try bench.alice(.request(method: "BYE"), .call("c1"))
    #expect(bench.records.contains { $0.event == .state(old: "active", new: "ended", reason: "remote-ended") })
  }

  /// What is set aside in case of a refusal is nobody's if there is none.
  @Test func aCallIDThatWasSetAsideIsNotSpent() throws {
    var bench = Bench(Self.secure)
    try bench.user(.calls, "c1", "sip:alice@10.0.0.1:5060")
    bench.advance(.seconds(5))
    try bench.alice(.request(method: "BYE"), .call("c1"))
    #expect(bench.simulation.world.phone.fallbacks.isEmpty)
    #expect(bench.simulation.world.stage.calls.label(ofKnownCallID: "c1-2@10.0.0.2") == nil)
  }

  @Test(arguments: [PhoneSettings.Offer.rtp, .srtpElseRTP])
  func eachInvitationOfACallHasItsOwnCallID(offer: PhoneSettings.Offer) throws {
    var settings = PhoneSettings()
    settings.offer = offer
    var bench = Bench(settings)
    try bench.user(.calls, "c1", "sip:alice@10.0.0.1:5060")
    _ = try bench.await("INVITE")
    try bench.perform(.system(.losesNetwork))
    bench.advance(.seconds(2))
    try bench.perform(.system(.restoresNetwork))
    bench.advance(.seconds(5))
    let ids = invitations(bench)
    #expect(ids.first == "c1: c1@10.0.0.2")
    #expect(ids.last == (offer == .rtp ? "c1: c1-2@10.0.0.2" : "c1: c1-3@10.0.0.2"))
    #expect(bench.rebindings == ["\(ids.last?.replacing("c1: ", with: "c1: rebinding ") ?? "")"])
  }
}
