import Instant
import SimulationKernel
import Testing

@Suite struct KernelTests {
  @Test func clockMovesToTheEventThatHappens() {
    var kernel = Kernel<String>()
    kernel.schedule("late", after: .seconds(2))
    kernel.schedule("early", after: .milliseconds(5))
    #expect(kernel.nextInstant == Instant(microseconds: 5_000))
    #expect(kernel.advance() == "early")
    #expect(kernel.now == Instant(microseconds: 5_000))
    #expect(kernel.advance() == "late")
    #expect(kernel.now == Instant(microseconds: 2_000_000))
    #expect(kernel.advance() == nil)
    #expect(kernel.now == Instant(microseconds: 2_000_000))
  }

  @Test func whatIsDueInThePastHappensNow() {
    var kernel = Kernel<String>()
    kernel.moveClock(to: Instant(microseconds: 100))
    kernel.schedule("a", at: Instant(microseconds: 10))
    kernel.schedule("b", after: Span(microseconds: -50))
    kernel.scheduleTimer("timer", at: .zero)
    kernel.schedule("c")
    for expected in ["a", "b", "c", "timer"] {
      #expect(kernel.advance() == expected)
      #expect(kernel.now == Instant(microseconds: 100))
    }
  }

  @Test func clockNeverMovesBack() {
    var kernel = Kernel<String>()
    kernel.schedule("passed", at: Instant(microseconds: 10))
    kernel.moveClock(to: Instant(microseconds: 100))
    kernel.moveClock(to: Instant(microseconds: 50))
    #expect(kernel.now == Instant(microseconds: 100))
    #expect(kernel.advance() == "passed")
    #expect(kernel.now == Instant(microseconds: 100))
  }

  @Test func aCopyGoesItsOwnWay() {
    var kernel = Kernel<String>()
    kernel.schedule("a", after: .seconds(1))
    var copy = kernel
    #expect(copy == kernel)
    #expect(copy.advance() == "a")
    #expect(kernel.now == .zero)
    #expect(kernel.next?.element == "a")
  }
}
