import Instant
import Testing

@testable import CallEngine

@Suite struct ReplayedCoordinatorTests {
  /// A class around the engine, as somebody else might write one.
  private final class Wrapped: CoordinatorObject {
    private var engine = CallCoordinator()

    func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
      engine.handle(input, at: now, causes: causes)
    }
  }

  @Test("going back and on again gives the same outputs, in either copy")
  func goingBack() {
    var object = ReplayedCoordinator { Wrapped() }
    var value = CallCoordinator()
    var copies: [(object: ReplayedCoordinator<Wrapped>, value: CallCoordinator)] = []
    for (number, input) in Path.active.enumerated() {
      copies.append((object, value))
      #expect(
        object.handle(input, at: .zero, causes: [number]) == value.handle(input, at: .zero, causes: [number]))
    }
    for copy in copies.reversed() {
      var copy = copy
      for input in [action(7, .end), .legEnded(remoteLeg, .local)] {
        #expect(copy.object.handle(input, at: .zero, causes: [9]) == copy.value.handle(input, at: .zero, causes: [9]))
      }
    }
    let last = action(8, .end)
    #expect(object.handle(last, at: .zero, causes: [9]) == value.handle(last, at: .zero, causes: [9]))
  }

  @Test("values are equal if they have seen the same")
  func equality() {
    var left = ReplayedCoordinator { Wrapped() }
    var right = ReplayedCoordinator { Wrapped() }
    #expect(left == right && left.copying == .byReplay)
    _ = left.handle(push(), at: .zero, causes: [1])
    #expect(left != right)
    _ = right.handle(push(), at: .zero, causes: [1])
    #expect(left == right && left.hashValue == right.hashValue)
  }
}
