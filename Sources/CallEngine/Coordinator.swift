import Instant

/// The seam between the simulated phone and the code that coordinates its calls.
///
/// A coordinator is told facts and answers with commands. It has no clock, no randomness and no I/O: the instant is a
/// parameter, fresh UUIDs come with the inputs that may need one, timers are set by an output and fire as an input.
/// One input leads to one ordered list of outputs; the caller carries them out in that order and never re-enters.
/// What is returned from handling ``CoordinatorInput/pushArrived(_:)`` is what the app did *inside* the push handler
/// (PK-1). Whatever a command leads to (a report accepted, a message sent) comes back as a later input.
///
/// Every input has a number in the timeline; `causes` carries it. A coordinator that keeps something for later (an
/// intention, an open action) keeps the causes with it, and every output names all the inputs that brought it about.
public protocol Coordinator: Hashable, Sendable {
  /// Takes one input and returns what the app does about it, in order.
  ///
  /// Every input is legal in every state; one that means nothing now is answered with
  /// ``CoordinatorCommand/ignore(_:)``.
  mutating func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput]

  /// How a copy of this coordinator comes about, which decides what going back in time costs.
  var copying: CoordinatorCopying { get }
}

extension Coordinator {
  public var copying: CoordinatorCopying { .byValue }
}

/// What it takes to have a second, independent coordinator in the same state.
public enum CoordinatorCopying: Hashable, Sendable {
  /// The coordinator is a plain value: a copy is an assignment.
  case byValue
  /// The coordinator wraps an object: a copy is made by replaying its inputs from the start.
  case byReplay
}

/// One command of a coordinator and the records that together brought it about.
public struct CoordinatorOutput: Hashable, Sendable {
  /// What the app does.
  public var command: CoordinatorCommand
  /// The causes; the input being handled is always among them.
  public var causes: Causes

  public init(_ command: CoordinatorCommand, causes: Causes) {
    self.command = command
    self.causes = causes
  }
}

/// A set of record numbers, in ascending order and without repetition.
public struct Causes: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The record numbers, ascending.
  public private(set) var records: [Int]

  public init(_ records: [Int] = []) {
    self.records = Set(records).sorted()
  }

  public init(arrayLiteral elements: Int...) {
    self.init(elements)
  }

  /// Both sets in one.
  public func union(_ other: Causes) -> Causes {
    if records == other.records || other.records.isEmpty { return self }
    if records.isEmpty { return other }
    return Causes(records + other.records)
  }
}
