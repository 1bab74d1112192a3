import Instant
import Testing

@Suite struct InstantTests {
  @Test(arguments: [
    (0, "0.000"), (400_000, "0.400"), (400_125, "0.400125"), (1, "0.000001"), (61_000_000, "61.000"),
    (-1_500_000, "-1.500"), (Int64.max, "9223372036854.775807"), (Int64.min, "-9223372036854.775808"),
  ])
  func isWrittenInSeconds(microseconds: Int64, text: String) {
    #expect(Instant(microseconds: microseconds).description == text)
  }

  @Test(arguments: [
    (0, "0ms"), (7, "7us"), (200_000, "200ms"), (1_500_000, "1500ms"), (15_000_000, "15s"), (120_000_000, "2min"),
    (-20_000, "-20ms"),
  ])
  func spanIsWrittenInTheLargestWholeUnit(microseconds: Int64, text: String) {
    #expect(Span(microseconds: microseconds).description == text)
  }

  @Test func differenceAndSumAreInverse() {
    let start = Instant(microseconds: 1_250_000)
    let end = start + .seconds(2) + .milliseconds(1)
    #expect(end.microseconds == 3_251_000)
    #expect(end - start == Span(microseconds: 2_001_000))
    #expect(start + (end - start) == end)
  }

  @Test func orderIsThatOfTime() {
    #expect(Instant.zero < Instant(microseconds: 1))
    #expect(Span.milliseconds(999) < .seconds(1))
    #expect(Span.seconds(1) == .milliseconds(1_000))
  }

  @Test func arithmeticStopsAtTheEnds() {
    let last = Instant(microseconds: .max)
    let first = Instant(microseconds: .min)
    #expect(last + .seconds(1) == last)
    #expect(first + Span(microseconds: -1) == first)
    #expect((last - first).microseconds == .max)
    #expect((first - last).microseconds == .min)
    #expect(Span.seconds(.max).microseconds == .max)
    #expect(Span.milliseconds(.min).microseconds == .min)
    #expect((Span(microseconds: .max) + .seconds(1)).microseconds == .max)
    #expect((Span(microseconds: .min) - .seconds(1)).microseconds == .min)
    #expect((Span.seconds(-1) * .max).microseconds == .min)
    #expect((Span(microseconds: .min) * -1).microseconds == .max)
  }
}
