/// The bytes of a message while they are being read: a view without reference counting, checked at every access.
struct Octets: RandomAccessCollection {
  private let base: UnsafePointer<UInt8>?
  let endIndex: Int

  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    base = buffer.baseAddress
    endIndex = buffer.count
  }

  var startIndex: Int { 0 }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    // One comparison covers negative places too; where it holds there are octets, and so there is a base.
    precondition(UInt(bitPattern: index) < UInt(bitPattern: endIndex), "an octet outside the message")
    return base.unsafelyUnwrapped[index]
  }

  /// The first CR or LF of a range; its end if there is none. Most of a message is passed here, so this looks at
  /// eight octets at a time: subtracting one from every octet borrows into the top bit of the first one that is zero.
  func lineEnd(_ range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= endIndex, "a range outside the message")
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = range.lowerBound
    while index <= range.upperBound - 8, let base {
      let eight = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
      let lineFeeds = eight ^ (ones &* UInt64(Characters.lineFeed))
      let returns = eight ^ (ones &* UInt64(Characters.carriageReturn))
      let found = ((lineFeeds &- ones) & ~lineFeeds | (returns &- ones) & ~returns) & (ones << 7)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound, !Characters.isLineEnd(self[index]) { index += 1 }
    return index
  }

  /// The first place of an octet in a range.
  @inline(__always)
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The octets of a range in one piece.
  func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= endIndex)
    return UnsafeBufferPointer(start: base.map { $0 + range.lowerBound }, count: range.count)
  }
}

extension [UInt8] {
  /// Reads the bytes in place. The view must not leave the closure.
  @inline(__always)
  func reading<Result, Failure: Error>(_ body: (Octets) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in try body(Octets(buffer)) }
  }
}
