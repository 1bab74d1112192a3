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
