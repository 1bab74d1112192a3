import Instant

/// What of a device's settings a flow depends on.
struct FlowSettings: Hashable, Sendable {
  /// The sum of the delays that are set.
  var delays = Span.zero
  /// The action's delay; the report's is the usual one unless it is set.
  var actionDelay = Span.zero
  var reportDelay = Vocabulary.reportDelay
  var ringTimeout: Span?
  /// Whether nothing activates the audio session.
  var isActivationManual = false
  var isDoNotDisturbOn = false
  /// From the arrival of the INVITE to the user's answer: a tap on a call that is not shown yet hits nothing.
  var answerDelay = Span.seconds(1)

  init() {}

  init(of device: DeviceDeclaration?) {
    for setting in device?.settings ?? [] {
      switch (setting.name, setting.value) {
      case ("report-delay", .duration(let span)):
        delays = delays + span
        reportDelay = span
        answerDelay = answerDelay + span
      case ("action-delay", .duration(let span)):
        delays = delays + span
        actionDelay = span
      case ("activation-delay", .duration(let span)): delays = delays + span
      case ("ring-timeout", .duration(let span)): ringTimeout = span
      case ("activation", .word(let word)): isActivationManual = word == "manual"
      case ("do-not-disturb", .flag(let isOn)): isDoNotDisturbOn = isOn
      default: break
      }
    }
  }
}
