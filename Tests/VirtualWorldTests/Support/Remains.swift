import CallEngine

@testable import SIP
@testable import VirtualWorld

/// What is left open in a world in which every call is over and 3*64*T1 have passed (invariants 7, 13, 34, 40).
///
/// A peer keeps an INVITE that it has had a provisional response to until the final one comes, and may let one ring for
/// ever that nobody cancels, so that what it has is looked at only where neither was lost.
enum Remains {
  static func of(_ simulation: Simulation, peersMayWait: Bool) -> [String] {
    let world = simulation.world
    let phone = world.phone
    let timers = world.stage.timers.keys
    var counts = [
      ("sessions", phone.agent.sessionCount), ("transactions", phone.agent.transactions.count),
      ("dialogs", phone.agent.dialogs.count), ("requests", phone.agent.requested.count),
      ("referrals", phone.agent.referralCount), ("dialogs of referrals", phone.agent.referrals.dialogs.count),
      ("requests of referrals", phone.agent.referrals.notifications.count + phone.agent.referrals.requests.count),
      ("legs", phone.legs.count), ("open actions", phone.system.openActions.count),
      ("undelivered actions", phone.system.undelivered.count), ("calls on the screen", phone.system.calls.count),
      ("running audio units", phone.audio.unitRuns ? 1 : 0),
      ("changes of the audio session", phone.audio.pendingChange == nil ? 0 : 1),
      ("timers", timers.count),
    ]
    for peer in world.peers where !peersMayWait {
      let name = peer.setup.address.name
      counts.append(("dialogs of \(name)", peer.dialogs.count))
      counts.append(("unacknowledged 2xx of \(name)", peer.unacknowledged.count))
    }
    var found = counts.filter { $0.1 > 0 }.map { "left at the end: \($0.1) \($0.0)" }
    if !timers.isEmpty { found.append("timers: \(timers.map { "\($0)" }.sorted())") }
    if let coordinator = phone.coordinator.base as? CallCoordinator {
      if !coordinator.isQuiescent { found.append("the coordinator is not quiescent") }
    } else {
      found.append("another coordinator")
    }
    return found
  }
}
