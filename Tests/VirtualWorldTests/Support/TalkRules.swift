import CallEngine
import Instant
import Timeline

/// The rules of calls that are talked on: one at a time, digits one after the other, and an audio lamp that says
/// something only when it changes.
struct TalkRules {
  private struct Call {
    var isConnected = false
    var isHeld = false
    /// Its place among the calls that became the one that is talked on.
    var turn = 0
    /// The open actions that may still end or hold it.
    var leaving: Set<Int> = []
  }

  private var calls: [String: Call] = [:]
  private var turns = 0
  private var instant = Instant.zero
  /// When the last digit of a call has begun, and whether it goes on.
  private var digits: [String: (start: Instant, digit: String?)] = [:]
  private var lamps: [String: SilenceCause] = [:]
  private var gone: Set<String> = []

  /// Takes the next record and returns what it contradicts.
  mutating func read(_ record: Record) -> [String] {
    var violations: [String] = []
    if record.instant != instant { violations += finish() }
    instant = record.instant
    let call = record.call?.name ?? ""
    var broken: String?
    switch record.event {
    case .action(let action): if let uuid = record.call?.uuid { read(action, uuid) }
    case .report(.connected): if let uuid = record.call?.uuid { change(uuid) { $0.isConnected = true } }
    case .report(.ended): record.call?.uuid.map { calls[$0] = nil }
    case .lifecycle(.killed): calls = [:]
    case .lifecycle(.vanishes): gone.insert(record.from)
    case .lifecycle(.returns): gone.remove(record.from)
    case .sip(let sip) where sip.phase == .arrived && gone.contains(sip.message.to):
      broken = "something reaches a peer that has vanished"
    case .media(let media): broken = read(media, of: call, record)
    case .audio(.silent(let cause)):
      if lamps.updateValue(cause, forKey: call) == cause { broken = "silent for the same cause twice" }
    case .audio(.heard): if lamps.removeValue(forKey: call) == nil { broken = "heard again without silence" }
    default: break
    }
    return violations + (broken.map { ["\(record.number) at \(record.instant): \($0)"] } ?? [])
  }

  private mutating func change(_ uuid: String, _ change: (inout Call) -> Void) {
    var call = calls[uuid] ?? Call()
    let talked = call.isConnected && !call.isHeld
    change(&call)
    if !talked, call.isConnected, !call.isHeld {
      turns += 1
      call.turn = turns
    }
    calls[uuid] = call
  }

  private mutating func read(_ action: ActionEvent, _ uuid: String) {
    switch (action.kind, action.status) {
    case ("hold", .pending), ("end", .pending): change(uuid) { $0.leaving.insert(action.id) }
    case ("end", .fulfilled), ("end", .timedOut), ("answer", .failed), ("start", .failed): calls[uuid] = nil
    case ("answer", .fulfilled): change(uuid) { $0.isConnected = true }
    case ("hold", .fulfilled): change(uuid) { $0.isHeld = true }
    case ("unhold", .fulfilled): change(uuid) { $0.isHeld = false }
    default: break
    }
    if action.status != .pending, calls[uuid] != nil { change(uuid) { $0.leaving.remove(action.id) } }
  }

  private mutating func read(_ media: MediaEvent, of call: String, _ record: Record) -> String? {
    let last = digits[call]
    switch media {
    case .digitStarts(let digit):
      digits[call] = (record.instant, digit)
      if last?.digit != nil { return "a digit begins before the last has ended" }
      return nil
    case .digitEnds(let digit, let duration):
      digits[call]?.digit = nil
      if last?.digit != digit { return "a digit ends that has not begun" }
      if duration > .milliseconds(100) || last.map({ record.instant - $0.start }) != duration {
        return "a digit that lasts \(duration)"
      }
      return nil
    }
  }

  /// At the end of an instant one call is talked on at most; any other has a hold or an End open (CK-33).
  func finish() -> [String] {
    let talking = calls.filter { $0.value.isConnected && !$0.value.isHeld }.sorted { $0.value.turn < $1.value.turn }
    return talking.dropLast().filter(\.value.leaving.isEmpty).map { "two calls are talked on at \(instant): \($0.key)" }
  }
}
