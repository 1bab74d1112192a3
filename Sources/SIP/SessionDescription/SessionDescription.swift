/// A session description (RFC 4566) as far as offer and answer need it (RFC 3264); other lines are kept as they are.
public struct SessionDescription: Hashable, Sendable {
  /// Whether media flows, seen from the sender of the description.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case sendrecv, sendonly, recvonly, inactive
  }

  /// Reads a description tolerantly: order and unknown lines do not matter. `nil` if there is no media line.
  public init?(reading bytes: some Collection<UInt8>) { return nil }

  /// The direction of the first audio stream; a stream with port 0 is inactive, and so is one to `0.0.0.0` (RFC 3264
  /// 8.4) when the direction says otherwise nothing.
  public var audioDirection: Direction { .sendrecv }

  /// The description as it goes on the wire.
  public var bytes: [UInt8] { [] }

  /// An offer of one audio stream: PCMU, PCMA and telephone-event (RFC 4733).
  public static func offer(
    address: String, port: Int, direction: Direction, user: String, sessionID: Int, version: Int
  ) -> SessionDescription? { nil }

  /// The answer to an offer: a stream for every offered one, those that we do not take with port 0 (RFC 3264 6).
  /// `nil` if no stream can be taken, which is a 488.
  public func answer(
    address: String, port: Int, direction: Direction, user: String, sessionID: Int, version: Int
  ) -> SessionDescription? { nil }
}
