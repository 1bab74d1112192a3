import Instant

/// What happened, one case for each kind of record.
///
/// The words in it (states, reasons, kinds of action) are the scenario language's.
public enum Event: Hashable, Sendable {
  /// A VoIP push is delivered to the phone.
  case push(PushEvent)
  /// The user does something.
  case user(UserEvent)
  /// A CallKit action: delivered to the app, completed by it, or timed out.
  case action(ActionEvent)
  /// The app tells CallKit something, or the system answers.
  case report(ReportEvent)
  /// The app asks the call controller for a transaction, or the system answers.
  case request(RequestEvent)
  /// The audio session or the audio unit.
  case audio(AudioEvent)
  /// What the phone sends beside SIP.
  case media(MediaEvent)
  /// A SIP message is sent, arrives, or is lost.
  case sip(SIPEvent)
  /// Another SIP dialog carries the call from now on: the Call-ID that it had, and the one that it has.
  case rebinding(from: String?, to: String)
  /// The app tells the user how a transfer goes.
  case transfer(TransferEvent)
  /// A timer of the coordinator.
  case timer(TimerEvent)
  /// The headline state of a call changes; `old` is `nil` for a new call.
  case state(old: String?, new: String, reason: String?)
  /// The app's process.
  case lifecycle(LifecycleEvent)
  /// A fault of the network takes effect.
  case fault(FaultEvent)
  /// Something was done for which there is no use now; why.
  case ignored(String)
}

/// The delivery of a push.
public struct PushEvent: Hashable, Sendable {
  public var callID: String?
  public var caller: String?

  public init(callID: String?, caller: String?) {
    self.callID = callID
    self.caller = caller
  }
}

/// What the user does, in the system's call screen or in the app.
public struct UserEvent: Hashable, Sendable {
  /// The verb as the scenario writes it: `answers`, `declines`, `ends`, `calls` …
  public var verb: String
  /// What the verb needs besides the call: the callee of `calls`, the digits of `presses`, the other call of `swaps`.
  public var argument: String?
  /// Whether it is done in the app's own user interface.
  public var inApp: Bool

  public init(verb: String, argument: String? = nil, inApp: Bool = false) {
    self.verb = verb
    self.argument = argument
    self.inApp = inApp
  }
}

/// A CallKit action and what became of it.
public struct ActionEvent: Hashable, Sendable {
  /// What can be said of an action.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case pending, fulfilled, failed
    case timedOut = "timed-out"
  }

  /// Who wanted the action.
  public enum Origin: String, Hashable, Sendable { case user, app, system }

  public var id: Int
  /// The kind of action: `start`, `answer`, `end` …
  public var kind: String
  public var status: Status
  public var origin: Origin

  public init(id: Int, kind: String, status: Status, origin: Origin) {
    self.id = id
    self.kind = kind
    self.status = status
    self.origin = origin
  }
}

/// What CallKit was told about a call, or how it answered.
public enum ReportEvent: Hashable, Sendable {
  case incoming(caller: String?, handle: String?)
  /// Only what changed is set.
  case updated(caller: String?, handle: String?)
  case startedConnecting
  case connected
  case ended(reason: String)
  /// The system shows the call.
  case accepted
  /// The system does not show the call: the name of Apple's error.
  case refused(error: String)
}

/// A transaction that the app asks for.
public enum RequestEvent: Hashable, Sendable {
  /// The kinds of its actions.
  case asked(id: Int, kinds: [String])
  case accepted(id: Int)
  /// The name of Apple's error.
  case refused(id: Int, error: String)
}

/// The audio session, the audio unit, and whether the user hears anything.
public enum AudioEvent: Hashable, Sendable {
  /// Category and mode are set.
  case configures
  /// CallKit activates the session.
  case activates
  /// CallKit deactivates the session.
  case deactivates
  /// The system interrupts the session: it is inactive, and the unit is stopped (AV-7).
  case interrupted
  case interruptionEnds
  case unitStarts
  case unitStops
  /// The unit could not be started; the code of the error (AV-4).
  case unitFails(code: Int)
  /// The microphone of a running unit.
  case microphoneOpens
  case microphoneCloses
  /// A call that both sides have agreed on and nobody holds is not heard; the word for the cause (AV-11).
  case silent(cause: SilenceCause)
  /// It is heard again.
  case heard
}

extension AudioEvent {
  /// The word for it in scenarios.
  public var word: String {
    switch self {
    case .configures: "configures"
    case .activates: "activates"
    case .deactivates: "deactivates"
    case .interrupted: "interrupted"
    case .interruptionEnds: "interruption ends"
    case .unitStarts: "unit starts"
    case .unitStops: "unit stops"
    case .unitFails: "unit fails"
    case .microphoneOpens: "microphone opens"
    case .microphoneCloses: "microphone closes"
    case .silent(let cause): "silent \(cause.rawValue)"
    case .heard: "heard"
    }
  }
}

/// Why a call that goes on has no audio (AV-11).
public enum SilenceCause: String, Hashable, Sendable, CaseIterable {
  /// CallKit has not activated the session.
  case notActivated = "not-activated"
  /// CallKit has taken the activation away.
  case deactivated
  /// The session is interrupted.
  case interrupted
  /// Nobody has set category and mode.
  case notConfigured = "not-configured"
  /// The unit could not be started.
  case unitFailed = "unit-failed"
  /// The session is ready and the app runs no unit for this call.
  case unitOff = "unit-off"
}

/// What the phone sends as media beside the voice.
public enum MediaEvent: Hashable, Sendable {
  /// A telephone event begins (RFC 4733 2.5.1.2).
  case digitStarts(String)
  /// It ends; its duration (RFC 4733 2.5.1.4).
  case digitEnds(String, duration: Span)
}

/// How a transfer that the user wanted goes.
public struct TransferEvent: Hashable, Sendable {
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The other side tries.
    case accepted
    /// The target has given a provisional response.
    case progress
    case succeeded
    /// The target has not taken the call.
    case failed
    /// The other side does not try.
    case refused
    /// The other side does not tell how it has ended.
    case unknown
  }

  public var phase: Phase
  /// The status that says so; of `progress`, `failed` and `refused` only.
  public var status: Int?

  public init(phase: Phase, status: Int? = nil) {
    self.phase = phase
    self.status = status
  }
}

extension TransferEvent.Phase {
  /// Whether nothing more is told after it.
  public var isFinal: Bool { self != .accepted && self != .progress }
}

extension TransferEvent {
  /// The phase and its status, as a timeline has it.
  public var words: String { status.map { "\(phase.rawValue) \($0)" } ?? phase.rawValue }
}

/// A timer of the coordinator.
public struct TimerEvent: Hashable, Sendable {
  public enum Phase: String, Hashable, Sendable { case set, fired, cancelled }

  /// What the timer is for.
  public var name: String
  public var phase: Phase
  /// When it is due; of `set` only.
  public var due: Instant?

  public init(name: String, phase: Phase, due: Instant? = nil) {
    self.name = name
    self.phase = phase
    self.due = due
  }
}

/// What happens to the app's process, or to a peer as a whole.
public enum LifecycleEvent: Hashable, Sendable {
  case launched(by: String)
  /// The system ends the process; why.
  case killed(reason: String)
  /// A peer is not there any more: what it sends and what is sent to it is lost.
  case vanishes
  /// It is there again.
  case returns
  /// The phone has no network: what it sends and what is sent to it is lost.
  case networkLost
  /// It has one again.
  case networkRestored
}

/// A fault that took effect on a message.
public struct FaultEvent: Hashable, Sendable {
  /// The fault's name in the scenario.
  public var name: String
  /// What it did: `drop`, `delay by 25ms` …
  public var effect: String

  public init(name: String, effect: String) {
    self.name = name
    self.effect = effect
  }
}
