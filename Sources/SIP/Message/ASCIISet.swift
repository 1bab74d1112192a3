/// A set of ASCII characters, asked for in one step and without a branch: the kinds of octets alternate in names and
/// numbers, and guessing the next one wrongly costs more than looking.
struct ASCIISet {
  /// One bit for each character below 64, and one for each from 64 to 127: constants, so that nothing is set up at run
  /// time.
  let low, high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let half = low ^ ((low ^ high) & (0 &- UInt64(byte &>> 6 & 1)))
    return (half &>> UInt64(byte & 63)) & UInt64(~byte &>> 7) & 1 != 0
  }
}
