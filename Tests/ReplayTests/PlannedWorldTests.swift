import CallEngine
import Instant
import SIP
import Testing
import Timeline
import VirtualWorld

@testable import Replay
@testable import Scenario

/// A plan's header in the world's own terms.
@Suite struct PlannedWorldTests {
  private func setting(_ name: String, _ value: DeviceDeclaration.Setting.Value) -> DeviceDeclaration.Setting {
    .init(name: name, value: value, range: range(4))
  }

  private func world(_ settings: [DeviceDeclaration.Setting]) -> PlannedWorld {
    var plan = plan([])
    plan.device.settings = settings
    return PlannedWorld(plan, seed: nil)
  }

  @Test func settingsReachThePhoneAndTheEngine() {
    let world = world([
      setting("placeholder-deadline", .duration(ms(1))), setting("ring-timeout", .duration(ms(2))),
      setting("action-watchdog", .duration(ms(3))), setting("report-delay", .duration(ms(4))),
      setting("action-delay", .duration(ms(5))), setting("activation-delay", .duration(ms(6))),
      setting("system-action-limit", .duration(ms(7))), setting("do-not-disturb", .flag(true)),
      setting("decline-status", .number(486)), setting("max-groups", .number(1)), setting("host", .word("10.0.0.9")),
      setting("transport", .word("tcp")), setting("activation", .word("manual")),
      setting("audio-handover", .word("cycle")), setting("dtmf", .word("events-else-info")),
      setting("resume-after-local-end", .flag(false)), setting("resume-remaining-call", .flag(true)),
      setting("offer", .word("srtp-else-rtp")), setting("repair", .word("replaces")),
    ])
    #expect(world.diagnostics.isEmpty)
    #expect(world.engine.placeholderDeadline == ms(1))
    #expect(world.engine.ringTimeout == ms(2))
    #expect(world.engine.actionWatchdog == ms(3))
    let phone = world.setup.phone
    #expect(phone.settings.reportDelay == ms(4))
    #expect(phone.settings.actionDelay == ms(5))
    #expect(phone.settings.activationDelay == ms(6))
    #expect(phone.settings.systemActionLimit == ms(7))
    #expect(phone.settings.doNotDisturb)
    #expect(phone.settings.declineStatus == 486)
    #expect(phone.settings.maximumCallGroups == 1)
    #expect(!phone.settings.activatesAudioByItself)
    #expect(phone.settings.audioHandover == .cycle)
    #expect(phone.settings.digitTransport == .eventsElseInfo)
    #expect(!phone.settings.resumesAfterLocalEnd)
    #expect(world.engine.resumesRemainingCall)
    #expect(world.engine.repair == .replaces)
    #expect(phone.settings.offer == .srtpElseRTP)
    #expect(phone.address.host == "10.0.0.9")
    #expect(phone.address.transport == .tcp)
  }

  @Test(arguments: [
    ("sip:bob@10.0.0.2:5070", "10.0.0.2", 5070), ("sip:bob@example.org", "example.org", 5060),
    ("sip:10.0.0.2;transport=tcp", "10.0.0.2", 5060), ("sips:a@[2001:db8::1]:5061", "[2001:db8::1]", 5061),
    ("10.0.0.9:6000", "10.0.0.9", 6000),
  ])
  func hostsAndPortsAreReadFromAddresses(uri: String, host: String, port: Int) {
    #expect(SIPAddress(uri)?.host == host)
    #expect(SIPAddress(uri)?.port == port)
  }

  @Test(arguments: ["", "sip:", "sip:bob@", "sip:bob@h:0", "sip:bob@h:x", "sip:bob@h:70000", "sip:[::1"])
  func addressesWithoutHostAreRefused(uri: String) {
    #expect(SIPAddress(uri) == nil)
  }

  /// Nothing is ignored silently.
  @Test func whatTheWorldCannotDoIsSaid() {
    let unknown = world([setting("no-such-setting", .flag(true))])
    #expect(unknown.diagnostics.map(\.code) == ["R180"])
    #expect(world([setting("dtmf", .word("inband"))]).diagnostics.map(\.code) == ["R180"])
    var plan = plan([])
    plan.calls[0].uuid = "not one"
    plan.faults = [
      FaultDeclaration(
        name: "f1", isOptional: false, effect: .drop, occurrence: .first,
        arrow: arrow("phone", "pbx", .response(status: 200), .label("inv")), from: nil, until: nil, range: range(3))
    ]
    let world = PlannedWorld(plan, seed: 7)
    #expect(world.diagnostics.map(\.code).sorted() == ["R180", "R180"])
    #expect(world.setup.seed == 7)
    #expect(world.setup.faults.isEmpty)
  }

  @Test func faultsAndLinksAreTranslated() throws {
    var plan = plan([])
    plan.links = [LinkDeclaration(from: "pbx", to: "phone", latency: ms(5)...ms(9), range: range(3))]
    var invite = arrow("phone", "pbx", .response(status: 200), .method("INVITE"))
    invite.role = .answer
    invite.direction = "sendrecv"
    plan.faults = [
      FaultDeclaration(
        name: "f1", isOptional: true, effect: .duplicate(copies: 2, gap: ms(3)), occurrence: .nth(2), arrow: invite,
        from: ms(10), until: ms(20), range: range(3))
    ]
    let setup = PlannedWorld(plan, seed: nil).setup
    #expect(setup.links == [Link(from: "pbx", to: "phone", latency: ms(5)...ms(9))])
    let fault = try #require(setup.faults.first)
    #expect(fault.effect == .duplicate(copies: 2, gap: ms(3)))
    #expect(fault.occurrence == .nth(2))
    #expect(fault.from == at(10))
    #expect(fault.until == at(20))
    #expect(
      fault.pattern
        == MessagePattern(
          from: "phone", to: "pbx", what: .response(status: 200, method: "INVITE"),
          session: .init(role: .answer, direction: "sendrecv")))
    #expect(setup.peers.map(\.address.port) == [5070])
  }
}
