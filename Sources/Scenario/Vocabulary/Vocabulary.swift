import Instant

/// The words of the scenario language, one table for each place where a word is chosen.
///
/// The parser, the suggestions and the comparison with the words of the engine all use these tables.
public enum Vocabulary {
  /// What a line can begin with, besides `@T`, `+T` and the name of an actor.
  public static let lineStarts = WordTable(
    "the beginning of a line",
    [
      "callsim", "scenario", "tags", "why", "seed", "mode", "ignore", "param", "device", "peer", "network", "call",
      "let", "label", "use", "fault", "on", "push", "user", "system", "expect", "never", "always", "in-order",
      "optional", "end",
      "case", "insert", "with", "without", "call-id",
    ],
    planned: [
      "template", "examples", "row", "eventually", "parallel", "repeat", "explore", "shuffle", "bound",
      "check",
    ])

  /// What no actor and no call can be named, since a line that names it could be read in two ways.
  public static let reservedNames: [String] =
    lineStarts.all + [
      "any", "audio", "faults", "raw", "verbatim", "chunks", "to", "offer", "answer", "as", "by", "copies", "from",
      "before", "implies", "force", "reporting", "retransmit", "within", "at", "until", "between", "each", "at-most",
      "latency",
    ]

  /// What no label can be: `end` is the end of the run, `any` is anything, and a method stands for a request.
  public static let reservedLabels: [String] = ["end", "any"] + sentMethods.all

  /// What no param and no `let` can be named: `${auto}` is the length of a body.
  public static let reservedTexts: [String] = ["auto"]

  /// What an actor's name at the beginning of a line can be followed by.
  public static let actorVerbs = WordTable("what an actor does", ["->", "vanishes", "returns"])

  public static let userVerbs = WordTable(
    "what the user does",
    [
      "answers", "declines", "ends", "calls", "holds", "resumes", "swaps", "mutes", "unmutes", "presses", "transfers",
    ],
    planned: ["merges", "splits"])

  /// What the app tells the user of a transfer.
  public static let transferPhases = WordTable(
    "what becomes of a transfer", ["accepted", "progress", "succeeded", "failed", "refused", "unknown"])

  /// The statuses that can say so, for the phases that come with one.
  public static let transferStatuses: [String: ClosedRange<Int>] = [
    "progress": 100...199, "failed": 300...699, "refused": 300...699,
  ]

  /// How many digits the user can press in one line.
  public static let digitLimit = 64

  /// What the system does because the script says so.
  public static let systemActs = WordTable(
    "what the system does",
    [
      "activates audio", "deactivates audio", "interrupts audio", "ends interruption", "fails unit", "loses network",
      "restores network",
    ],
    planned: ["changes", "resets", "cellular", "suspends", "resumes", "kills", "launches"])

  public static let states = WordTable(
    "a state",
    [
      "ringing", "answering", "requesting", "dialing", "ringback", "connecting", "active", "holding", "held",
      "held-by-remote", "held-both", "resuming", "transferring", "ending", "ended",
    ])

  /// The states that an invariant can name.
  public static let invariantStates = WordTable(
    "a state", states.supported + ["connected"], planned: states.planned)

  public static let actions = WordTable(
    "an action", ["start", "answer", "end", "hold", "unhold", "mute", "unmute", "dtmf"], planned: ["group"])

  public static let actionStatuses = WordTable(
    "what became of an action", ["pending", "fulfilled", "failed", "timed-out"])

  /// Why a call ended, in a report to CallKit.
  public static let reportReasons = WordTable(
    "a reason", ["failed", "remote-ended", "unanswered", "answered-elsewhere", "declined-elsewhere"])

  /// Why a call ended, in its state.
  public static let reasons = WordTable("a reason", reportReasons.supported + ["local"])

  public static let reports = WordTable("a report", ["incoming", "connecting", "connected", "ended"])

  public static let updates = WordTable("what is updated", ["caller", "handle"], planned: ["video"])

  public static let properties = WordTable(
    "a property of a call", ["call-id", "dialog", "caller", "handle", "mute", "media", "dtmf"])

  public static let audio = WordTable(
    "what audio does", ["configures", "activates", "deactivates", "interrupted", "is", "unit", "microphone"])

  public static let audioStates = WordTable(
    "a state of audio", ["active", "inactive", "configured", "interrupted", "silent"])

  /// Why a call that goes on is not heard.
  public static let silenceCauses = WordTable(
    "the cause of silence",
    ["not-activated", "deactivated", "interrupted", "not-configured", "unit-failed", "unit-off"])

  public static let audioUnit = WordTable("what the audio unit does", ["starts", "stops", "fails", "runs", "is"])
  public static let microphone = WordTable("what the microphone does", ["opens", "closes"])

  public static let deviceStates = WordTable("a state of the app", ["running", "killed"], planned: ["suspended"])

  /// What can follow the first word of an observation.
  public static let observationVerbs = WordTable(
    "what is observed",
    ["->", "reports", "updates", "requests", "crashes", "is", "becomes", "action", "transfer", "has", "uuid"])

  public static let directions = WordTable("a direction", ["sendrecv", "sendonly", "recvonly", "inactive"])

  /// Methods that a peer can send from a built-in template.
  public static let sentMethods = WordTable(
    "a message", ["INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "re-INVITE", "INFO", "REFER", "NOTIFY"],
    planned: ["REGISTER", "MESSAGE", "PRACK", "PUBLISH", "SUBSCRIBE", "UPDATE"])

  /// Methods that can be looked for.
  public static let observedMethods = WordTable("a message", sentMethods.all)

  /// What else an arrow can carry when it is sent.
  public static let sentContents = WordTable("a message", ["raw"], planned: ["template"])

  /// What `use` puts in its place.
  public static let flows = WordTable("a flow", Flow.allCases.map(\.rawValue))
  public static let transports = WordTable("a transport", ["udp", "tcp"], planned: ["tls"])
  public static let peerOptions = WordTable("an option of the peer", ["host", "transport", "auto"])
  public static let switches = WordTable("on or off", ["on", "off"])
  public static let modes = WordTable("a mode", ["exhaustive", "loose"])
  public static let paramTypes = WordTable("a type", ParamType.allCases.map(\.rawValue))
  public static let effects = WordTable(
    "a fault", ["drop", "delay", "duplicate", "reorder"], planned: ["corrupt"])
  public static let occurrences = WordTable("which messages", ["first", "every", "nth"])
  public static let quantifiers = WordTable("a quantifier", ["some", "each"])
  public static let scopes = WordTable("a scope", ["within", "until", "between"])

  /// What stands in `${NAME.…}` for a call.
  public static let callReferences = WordTable("a property of a call", ["uuid", "call-id", "local-tag", "remote-tag"])
  /// What stands in `${LABEL.…}` for a message.
  public static let labelReferences = WordTable("a property of a message", ["branch", "call-id", "tag"])

  /// What these settings are unless a scenario says otherwise.
  public static let placeholderDeadline = Span.seconds(15)
  public static let actionWatchdog = Span.seconds(10)
  public static let systemActionLimit = Span.seconds(60)
  public static let reportDelay = Span.milliseconds(5)

  /// What a setting of the device takes.
  public enum SettingValue: Hashable, Sendable {
    case duration, flag, host, declineStatus, count
    /// One of these words.
    case choice(WordTable)
  }

  /// The settings that are supported, with what they take.
  public static let settingValues: [(name: String, value: SettingValue)] = [
    ("placeholder-deadline", .duration), ("ring-timeout", .duration), ("action-watchdog", .duration),
    ("system-action-limit", .duration), ("report-delay", .duration), ("action-delay", .duration),
    ("activation-delay", .duration), ("host", .host), ("transport", .choice(transports)),
    ("decline-status", .declineStatus), ("do-not-disturb", .flag), ("max-groups", .count),
    ("activation", .choice(activations)), ("audio-handover", .choice(handovers)),
    ("dtmf", .choice(digitTransports)), ("resume-after-local-end", .flag), ("resume-remaining-call", .flag),
    ("offer", .choice(offers)), ("repair", .choice(repairs)),
  ]

  /// Whether the system activates the audio session by its rules.
  public static let activations = WordTable("how audio is activated", ["automatic", "manual"])
  /// What happens to the audio session when one call takes it over from another.
  public static let handovers = WordTable("what happens to the session between two calls", ["none", "cycle"])
  /// How digits leave the phone.
  public static let digitTransports = WordTable("how digits are sent", ["events", "info", "events-else-info"])
  /// What the phone's invitations offer.
  public static let offers = WordTable("what is offered", ["rtp", "srtp-else-rtp"])
  /// What becomes of an outgoing call that rings when the network was away.
  public static let repairs = WordTable("how a call that rings is put right", ["new-invite", "replaces"])

  public static let settings = WordTable(
    "a setting", settingValues.map(\.name),
    planned: [
      "profile", "max-calls-per-group", "supports", "registrar", "unhold-after-cellular", "duplicate-push",
      "late-invite", "replaces-bye", "transaction-delivery",
      "failed-answer-closes", "busy-reason", "transfer-hold", "push-strikes", "answer-in-flight-after-end",
    ])
}
