private import COsip

/// libosip2 as a judge of whole messages.
enum OsipVerdict {
  /// Whether libosip2 parses the bytes of one message.
  static func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard OsipLibrary.isReady, let message = OsipMessage() else { return false }
    return message.parses(bytes)
  }
}

/// What has to be done once before libosip2 parses anything.
private enum OsipLibrary {
  /// Takes the trace over and builds libosip2's tables, at the first use and once (`parser_init` is not reentrant).
  static let isReady: Bool = {
    callsim_silence_osip()
    return parser_init() == 0
  }()
}

/// Owns one `osip_message_t` and frees it.
private struct OsipMessage: ~Copyable {
  private let pointer: UnsafeMutablePointer<osip_message_t>

  init?() {
    var created: UnsafeMutablePointer<osip_message_t>?
    guard osip_message_init(&created) == 0, let created else { return nil }
    pointer = created
  }

  /// Parses a copy that ends with two NULs, since libosip2 searches some of its input as C strings.
  borrowing func parses(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let message = pointer
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 2) { copy in
      guard let start = copy.baseAddress else { return false }
      UnsafeMutableRawBufferPointer(copy).copyMemory(from: UnsafeRawBufferPointer(bytes))
      copy[bytes.count] = 0
      copy[bytes.count + 1] = 0
      return osip_message_parse(message, start, bytes.count) == 0
    }
  }

  deinit { osip_message_free(pointer) }
}
