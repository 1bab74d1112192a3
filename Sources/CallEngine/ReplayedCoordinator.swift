import Instant
import Synchronization

/// A coordinator written as a class.
///
/// It must answer the same inputs with the same outputs every time, for going back means replaying: nothing but its
/// inputs may decide what it does. The object need not be `Sendable`; it is never used by two threads at once.
public protocol CoordinatorObject: AnyObject, SendableMetatype {
  /// Takes one input and returns what the app does about it; the contract is that of
  /// ``Coordinator/handle(_:at:causes:)``.
  func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput]
}

/// Makes a value of a class-based coordinator.
///
/// The value is the log of its inputs. Copies share one object as long as they have seen the same; a copy that the
/// object has run ahead of gets a new object, into which its log is replayed. Going back therefore costs as much as
/// the whole run so far, going on costs nothing. Two values are equal if their logs are.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct ReplayedCoordinator<Object: CoordinatorObject>: Coordinator {
  private struct Entry: Hashable, Sendable {
    let input: CoordinatorInput
    let now: Instant
    let causes: Causes
  }

  /// One object and how many inputs it has seen. Whoever holds a seat has a log that is a prefix of what the object
  /// has seen, so that equal counts mean equal histories.
  private struct Occupant {
    let object: Object
    var inputsSeen: Int
  }

  private final class Seat: Sendable {
    private let occupant: Mutex<Occupant>

    init(_ object: sending Object) {
      occupant = Mutex(Occupant(object: object, inputsSeen: 0))
    }

    /// Hands one more input to the object; `nil` if it has not seen exactly as many as the caller.
    func handle(_ entry: Entry, after count: Int) -> [CoordinatorOutput]? {
      occupant.withLock { occupant in
        guard occupant.inputsSeen == count else { return nil }
        occupant.inputsSeen += 1
        return occupant.object.handle(entry.input, at: entry.now, causes: entry.causes)
      }
    }
  }

  private let make: @Sendable () -> sending Object
  private var log: [Entry] = []
  private var seat: Seat

  /// A coordinator that has seen no input.
  ///
  /// - Parameter make: makes an object in its first state; called again whenever a run goes back.
  public init(_ make: @escaping @Sendable () -> sending Object) {
    self.make = make
    seat = Seat(make())
  }

  public var copying: CoordinatorCopying { .byReplay }

  public mutating func handle(_ input: CoordinatorInput, at now: Instant, causes: Causes) -> [CoordinatorOutput] {
    let entry = Entry(input: input, now: now, causes: causes)
    defer { log.append(entry) }
    if let outputs = seat.handle(entry, after: log.count) { return outputs }
    // Another copy has taken the object further.
    seat = Seat(make())
    for (count, past) in log.enumerated() { _ = seat.handle(past, after: count) }
    return seat.handle(entry, after: log.count) ?? []
  }

  public static func == (left: Self, right: Self) -> Bool { left.log == right.log }

  public func hash(into hasher: inout Hasher) { hasher.combine(log) }
}
