import CallEngine
import SIP
import Timeline

/// What can be due in a world.
enum WorldEvent: Hashable, Sendable {
  /// A datagram arrives at an actor.
  case arrival(Datagram, at: ActorIndex, causes: [Int])
  /// The network has kept a datagram for as long as it may.
  case release(Carriage.Hold)
  /// The phone's system does something that it does by itself.
  case system(SystemWork, causes: [Int])
  /// A timer expires, if it has not been moved or cancelled since.
  case timer(TimerKey, serial: Int)
}

/// An actor's place in the address book; the phone is the first.
typealias ActorIndex = Int

/// Work that the phone's system has put off.
enum SystemWork: Hashable, Sendable {
  /// Answer a report of an incoming call: accepted, or refused with an error.
  case completeReport(CallUUID, IncomingCallError?)
  /// Answer a request for a transaction, then deliver its actions.
  case completeRequest(RequestID, [RequestedAction])
  /// Deliver the actions that the user's acts are; one transaction.
  case deliver([UserAct])
  /// Activate the audio session, if the change of this number is still wanted.
  case activateAudio(Int)
  /// Deactivate the audio session, if the change of this number is still wanted.
  case deactivateAudio(Int)
  /// Do what a rule makes the system do with calls.
  case react(SystemReaction)
}

/// Whose timer it is.
enum TimerKey: Hashable, Sendable {
  case coordinator(TimerID)
  /// The system's own limit for an action (CK-6).
  case actionLimit(ActionID)
  case agent(UserAgentTimer)
  /// The next step of the digits that are being sent on a leg.
  case digits(LegID)
  case peer(ActorIndex, PeerTimer)
}
