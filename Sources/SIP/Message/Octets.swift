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

  /// The first CR or LF of a range; its end if there is none.
  func lineEnd(_ range: Range<Int>) -> Int {
    first(in: range) { $0.equal(to: Characters.lineFeed) | $0.equal(to: Characters.carriageReturn) }
  }

  /// The first place of an octet in a range.
  @inline(__always)
  func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
    let place = first(in: range) { $0.equal(to: byte) }
    return place == range.upperBound ? nil : place
  }

  /// The first octet of a range that is looked for; its end if there is none. Most of a message is passed here, so this
  /// looks at eight octets at a time.
  @inline(__always)
  func first(in range: Range<Int>, _ find: (EightOctets) -> UInt64) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= endIndex, "a range outside the message")
    var index = range.lowerBound
    guard let base else { return index }
    // They may go on beyond the range, but not beyond the message.
    while index < range.upperBound, index <= endIndex - 8 {
      let found = find(EightOctets(UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)))
      if found != 0 { return Swift.min(index + found.trailingZeroBitCount / 8, range.upperBound) }
      index += 8
    }
    if index >= range.upperBound { return range.upperBound }
    while index < range.upperBound, find(EightOctets(repeating: base[index])) == 0 { index += 1 }
    return index
  }

  /// Where the octets of a set that begin a range end. The range is checked once, and not every octet.
  @inline(__always)
  func end(of set: ASCIISet, in range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= endIndex, "a range outside the message")
    var index = range.lowerBound
    guard let base else { return index }
    while index < range.upperBound, set.contains(base[index]) { index += 1 }
    return index
  }

  /// The octets of a range in one piece.
  func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= endIndex)
    return UnsafeBufferPointer(start: base.map { $0 + range.lowerBound }, count: range.count)
  }
}

/// Eight octets that are looked at together. Of what is found the lowest bit tells the place of the first octet.
struct EightOctets {
  private let octets: UInt64
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The octets as they lie in memory.
  @inline(__always)
  init(_ loaded: UInt64) { octets = UInt64(littleEndian: loaded) }

  @inline(__always)
  init(repeating octet: UInt8) { octets = Self.ones &* UInt64(octet) }

  /// The octets that are this one: subtracting one from every difference borrows into the top bit of the first that is 0.
  @inline(__always)
  func equal(to octet: UInt8) -> UInt64 {
    let difference = octets ^ Self.ones &* UInt64(octet)
    return (difference &- Self.ones) & ~difference & Self.ones << 7
  }

  /// The octets that are less than this one of ASCII.
  @inline(__always)
  func below(_ octet: UInt8) -> UInt64 { (octets &- Self.ones &* UInt64(octet)) & ~octets & Self.ones << 7 }
}

extension [UInt8] {
  /// Reads the bytes in place. The view must not leave the closure.
  @inline(__always)
  func reading<Result, Failure: Error>(_ body: (Octets) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in try body(Octets(buffer)) }
  }
}
