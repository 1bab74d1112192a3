/// The identity of a call towards CallKit and the user (CK-4). It stays the same for the call's whole life, whatever
/// happens to the SIP Call-ID.
public struct CallUUID: Hashable, Comparable, Sendable {
  /// The first eight bytes, most significant first.
  public var high: UInt64
  /// The last eight bytes.
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads the usual text form (8-4-4-4-12 hexadecimal digits, either case); `nil` if it is not one.
  public init?(_ text: some StringProtocol) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined()
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 | 32 >= 97 && $0 | 32 <= 102) }),
      let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  public static func < (left: CallUUID, right: CallUUID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension CallUUID: CustomStringConvertible {
  /// The text form in upper case, as Foundation prints a UUID.
  public var description: String {
    func hex(_ value: UInt64) -> String {
      let digits = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let digits = Array((hex(high) + hex(low)).utf8)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
  }
}

/// The identity of one CallKit action, different from its call's UUID (CK-4).
public struct ActionID: Hashable, Comparable, Sendable {
  public var number: Int

  public init(_ number: Int) {
    self.number = number
  }

  public static func < (left: ActionID, right: ActionID) -> Bool { left.number < right.number }
}

/// The identity of one transaction that the app asks the call controller for.
public struct RequestID: Hashable, Comparable, Sendable {
  public var number: Int

  public init(_ number: Int) {
    self.number = number
  }

  public static func < (left: RequestID, right: RequestID) -> Bool { left.number < right.number }
}

/// One leg of a call: one SIP dialog, or the INVITE transaction that may become one.
///
/// The side that begins a leg names it: signalling the incoming ones, the coordinator the outgoing ones.
public struct LegID: Hashable, Comparable, Sendable {
  /// Who began the leg.
  public enum Origin: Int, Hashable, Sendable { case remote, local }

  public var origin: Origin
  public var number: Int

  public init(_ origin: Origin, _ number: Int) {
    self.origin = origin
    self.number = number
  }

  public static func < (left: LegID, right: LegID) -> Bool {
    (left.origin.rawValue, left.number) < (right.origin.rawValue, right.number)
  }
}

/// One request to call somebody else in place of the side that asks (REFER). The side that asks names it: signalling
/// those that arrive, the coordinator those that the user wants.
public struct TransferID: Hashable, Comparable, Sendable {
  public var origin: LegID.Origin
  public var number: Int

  public init(_ origin: LegID.Origin, _ number: Int) {
    self.origin = origin
    self.number = number
  }

  public static func < (left: TransferID, right: TransferID) -> Bool {
    (left.origin.rawValue, left.number) < (right.origin.rawValue, right.number)
  }
}

/// What a timer of the coordinator is for; setting one that is set moves it.
public enum TimerID: Hashable, Sendable {
  /// A push was reported, its INVITE must come before this (LP-7, invariant 38).
  case placeholder(CallUUID)
  /// An incoming call rings no longer than this (LP-11).
  case ring(CallUUID)
  /// An open action is completed no later than this (invariant 13).
  case watchdog(ActionID)
  /// The audio unit could not be started and is tried once more (AV-4).
  case audioRetry
  /// The target of a transfer has not answered.
  case transfer(LegID)
  /// Whoever transferred the call has not hung up although the transfer has succeeded.
  case retire(LegID)
}
