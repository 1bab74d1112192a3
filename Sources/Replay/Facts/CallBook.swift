import Instant
import Timeline

/// What the records so far say about every call, the audio session and the app: a fold, so that it judges any
/// coordinator alike.
struct CallBook: Hashable, Sendable {
  /// One call as the phone sees it.
  struct Call: Hashable, Sendable {
    var name: String
    var uuid: String?
    /// The Call-ID of the dialog that carries the call, and every one that the call has had, in order.
    var callID: String?
    var callIDs: [String] = []
    /// When each of them carried the call, and before them that of the push.
    var history = CallIDHistory()
    fileprivate var pushedCallID: String?
    /// Whether the app that had the call is gone.
    fileprivate var isAbandoned = false
    /// What is known of each of its dialogs.
    fileprivate var dialogs: [String: Dialog] = [:]
    var state: String?
    var reason: String?
    var caller: String?
    var handle: String?
    /// Whether CallKit knows the call as connected: an answered call whose Answer was fulfilled, or an outgoing one
    /// that was reported connected (CK-22, CK-23).
    var isConnected = false
    /// What CallKit shows: the last Hold and Mute that were fulfilled.
    var isOnHold = false
    var isMuted = false
    var digits = SentDigits()
    /// The open actions in the order of their delivery.
    var open: [Action] = []
    /// What became of the last action of each kind.
    var outcomes: [String: ActionEvent.Status] = [:]

    /// Whether either side holds: the user by CallKit, the other side by what it does not want to hear.
    var isHeld: Bool { isOnHold || dialog.media.direction == "recvonly" || dialog.media.direction == "inactive" }
  }

  /// One SIP dialog of a call.
  struct Dialog: Hashable, Sendable {
    /// The tags; the local one is the phone's.
    var localTag: String?
    var remoteTag: String?
    /// Whether its INVITE was accepted.
    var isConfirmed = false
    var media = NegotiatedMedia()
  }

  /// An action that has not been completed.
  struct Action: Hashable, Sendable {
    var id: Int
    var kind: String
  }

  /// A call that goes on and is not heard, and why.
  struct Silence: Hashable, Sendable {
    var call: String?
    var cause: SilenceCause
  }

  let phone: String
  /// In the order of their first record.
  private(set) var calls: [Call] = []
  private var places: [String: Int] = [:]
  private(set) var audioIsConfigured = false
  private(set) var audioIsActive = false
  private(set) var audioIsInterrupted = false
  /// The calls that were last said not to be heard; at most one entry a call.
  private var unheard: [Silence] = []
  private(set) var unitRuns = false
  /// Why the app was killed, while it is not running.
  private(set) var killed: String?
  /// The faults that have taken effect.
  private(set) var firedFaults: [String] = []

  init(phone: String) {
    self.phone = phone
  }

  /// The call of this name, if a record has mentioned it.
  subscript(name: String) -> Call? {
    places[name].map { calls[$0] }
  }

  /// The calls that go on, are held by nobody and are not heard. One that is held meanwhile counts again once it is
  /// not, for only what changes is recorded.
  var silences: [Silence] {
    unheard.filter { silence in !(silence.call.flatMap { self[$0] }?.isHeld ?? false) }
  }

  /// Takes the next record.
  mutating func take(_ record: Record) {
    if let label = record.call {
      let place = places[label.name] ?? add(label.name)
      if let uuid = label.uuid { calls[place].uuid = uuid }
      take(record, forCallAt: place)
    }
    switch record.event {
    case .audio(let event): take(event, of: record.call?.name)
    case .state(_, "ending", _), .state(_, "ended", _): unheard.removeAll { $0.call == record.call?.name }
    case .lifecycle(.launched): killed = nil
    case .lifecycle(.killed(let reason)):
      killed = reason
      // With the app its calls go from the screen, and nobody completes its actions any more.
      unheard.removeAll()
      for place in calls.indices {
        calls[place].isAbandoned = true
        calls[place].noteCallID(at: record.instant)
        calls[place].isConnected = false
        calls[place].isOnHold = false
        calls[place].open = []
      }
    case .fault(let fault): if !firedFaults.contains(fault.name) { firedFaults.append(fault.name) }
    default: break
    }
  }

  private mutating func add(_ name: String) -> Int {
    places[name] = calls.count
    calls.append(Call(name: name))
    return calls.count - 1
  }

  private mutating func take(_ event: AudioEvent, of call: String?) {
    switch event {
    case .configures: audioIsConfigured = true
    case .activates:
      audioIsActive = true
      audioIsInterrupted = false
    case .deactivates:
      audioIsActive = false
      audioIsConfigured = false
    case .unitStarts: unitRuns = true
    case .unitStops: unitRuns = false
    case .interrupted:
      // A session that is not active has nothing that could be interrupted; the phone ignores it.
      if audioIsActive { audioIsInterrupted = true }
      audioIsActive = false
      unitRuns = false
    case .interruptionEnds: audioIsInterrupted = false
    case .unitFails: unitRuns = false
    case .silent(let cause):
      unheard.removeAll { $0.call == call }
      unheard.append(Silence(call: call, cause: cause))
    case .heard: unheard.removeAll { $0.call == call }
    case .microphoneOpens, .microphoneCloses: break
    }
  }

  private mutating func take(_ record: Record, forCallAt place: Int) {
    switch record.event {
    case .state(_, let new, let reason):
      calls[place].state = new
      calls[place].reason = reason
      calls[place].isAbandoned = false
      if new == "ended" { calls[place].isConnected = false }
    case .action(let action): calls[place].take(action)
    case .report(let report): calls[place].take(report)
    case .media(let event): calls[place].digits.take(event)
    case .sip(let event): calls[place].take(event, phone: phone)
    case .rebinding(_, let callID): calls[place].rebind(to: callID)
    case .push(let push): calls[place].pushedCallID = push.callID ?? calls[place].pushedCallID
    default: break
    }
    calls[place].noteCallID(at: record.instant)
  }
}

extension CallBook.Call {
  fileprivate mutating func take(_ action: ActionEvent) {
    outcomes[action.kind] = action.status
    if action.status == .pending {
      open.append(CallBook.Action(id: action.id, kind: action.kind))
      return
    }
    // A completion of what is not open has no effect on the system (CK-5).
    guard let place = open.firstIndex(where: { $0.id == action.id }) else { return }
    open.remove(at: place)
    guard action.status == .fulfilled else { return }
    switch action.kind {
    case "answer": isConnected = true
    case "end": isConnected = false
    case "hold": isOnHold = true
    case "unhold": isOnHold = false
    case "mute": isMuted = true
    case "unmute": isMuted = false
    default: break
    }
  }

  fileprivate mutating func take(_ report: ReportEvent) {
    switch report {
    case .incoming(let caller, let handle), .updated(let caller, let handle):
      self.caller = caller ?? self.caller
      self.handle = handle ?? self.handle
    case .connected: isConnected = true
    case .ended: isConnected = false
    // A refused report says nothing about a call that is there already: it was reported again (CK-18).
    case .startedConnecting, .accepted, .refused: break
    }
  }

  /// The dialog that carries the call.
  var dialog: CallBook.Dialog { callID.flatMap { dialogs[$0] } ?? CallBook.Dialog() }

  /// Learns from a message at the phone. Another dialog carries the call when the phone says so, and a first one that
  /// never came about is given up for the next.
  fileprivate mutating func take(_ event: SIPEvent, phone: String) {
    let message = event.message
    guard event.isAtPhone(named: phone), !message.callID.isEmpty else { return }
    if !callIDs.contains(message.callID) {
      callIDs.append(message.callID)
      // What else comes under a Call-ID of its own begins no dialog that could carry the call.
      if callID == nil || message.method == "INVITE" && !dialog.isConfirmed { callID = message.callID }
    }
    let phoneIsRequester = (message.status == nil) == (message.from == phone)
    var dialog = dialogs[message.callID] ?? CallBook.Dialog()
    dialog.localTag = (phoneIsRequester ? message.fromTag : message.toTag) ?? dialog.localTag
    dialog.remoteTag = (phoneIsRequester ? message.toTag : message.fromTag) ?? dialog.remoteTag
    if message.method == "INVITE", message.status.map({ (200..<300).contains($0) }) ?? false {
      dialog.isConfirmed = true
    }
    dialog.media.take(message, phone: phone)
    dialogs[message.callID] = dialog
    digits.take(event, phone: phone)
  }

  /// The Call-ID of a push is the call's until there is a dialog; a call that is over has none any more.
  fileprivate mutating func noteCallID(at instant: Instant) {
    history.carry(state == "ended" || isAbandoned ? nil : callID ?? pushedCallID, from: instant)
  }

  fileprivate mutating func rebind(to callID: String) {
    if !callIDs.contains(callID) { callIDs.append(callID) }
    self.callID = callID
  }
}

extension SIPEvent {
  /// Whether this is the message's record at the phone: sent, if the phone sends; arrived, if it receives.
  func isAtPhone(named phone: String) -> Bool {
    switch phase {
    case .sent: message.from == phone
    case .arrived: message.to == phone
    case .lost, .dropped: false
    }
  }

  /// Whether this is the record that a check on the message means: the one at the phone, and for a message between
  /// two peers that of its sending.
  func isMeantByChecks(phone: String) -> Bool {
    switch phase {
    case .sent: message.from == phone || message.to != phone
    case .arrived: message.to == phone
    case .lost, .dropped: false
    }
  }
}
