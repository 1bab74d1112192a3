import CallEngine
import Timeline

/// The phone's network. Without one nothing leaves the phone and nothing reaches it, as with a peer that has vanished;
/// SIP's timers go on (LP-24).
extension Phone {
  mutating func loseNetwork(line: Int?, on stage: inout Stage) {
    guard stage.disconnect(index) else {
      stage.record(from: "system", .ignored("\(name) has no network already"), causes: [], line: line)
      return
    }
    let number = stage.record(from: name, .lifecycle(.networkLost), causes: [], line: line)
    tell(.networkLost, causes: [number], on: &stage)
  }

  mutating func restoreNetwork(line: Int?, on stage: inout Stage) {
    guard stage.connect(index) else {
      stage.record(from: "system", .ignored("\(name) has a network"), causes: [], line: line)
      return
    }
    let number = stage.record(from: name, .lifecycle(.networkRestored), causes: [], line: line)
    tell(.networkRestored, causes: [number], on: &stage)
  }
}
