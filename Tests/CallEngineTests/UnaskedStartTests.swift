import Testing

@testable import CallEngine

/// A call that waits for another one to be held before its Start is asked for: CallKit knows nothing of it yet.
@Suite struct UnaskedStartTests {
  @Test("a call that is ended before its Start is asked for is over without a word to CallKit (CK-22)")
  func endedBeforeTheStart() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(.user(.dial(alice, freshUUID: other))).contains { if case .request = $0 { true } else { false } })
    let ended = bench.send(.user(.end(other)))
    #expect(ended.contains(.changeState(other, from: .requesting, to: .ended, end: .local)))
    #expect(
      !ended.contains { command in
        switch command {
        case .request, .reportEnded: true
        default: false
        }
      })
    // The hold that was asked for comes all the same; nothing begins after it.
    bench.send(.requestCompleted(RequestID(1), .accepted))
    let held = bench.send(
      .perform(CallAction(id: ActionID(1), call: uuid, kind: .setHeld(true), transaction: 2)))
    #expect(!held.contains { if case .request = $0 { true } else { false } })
    #expect(bench.coordinator.calls.map(\.uuid) == [uuid])
  }
}
