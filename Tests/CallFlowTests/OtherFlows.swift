import SIP

/// RFC 4028 and RFC 6086: session timers and INFO.
extension FlowTable {
  private static let noTimers = "session timers are not built (RFC 4028)"
  private static let noRecvInfo = FlowDifference.field(
    "Recv-Info", why: "we take no Info Packages, and say so when one comes (RFC 6086 4.2.2)")

  /// An INFO of a package within a call.
  private static func info(_ section: String, _ party: String) -> FlowEntry {
    .plays(
      FlowPart(
        "rfc6086/\(section)", party,
        before: [1: [.isAsked(), .accepts(), .sends("200 INVITE"), .getsRequest(.ack)]], after: [.sends("469 INFO")],
        ends: [.up]))
  }

  static let others: [FlowEntry] = [
    .notPlayed("rfc4028/13", "Alice", why: noTimers),
    .notPlayed("rfc4028/13", "Bob", why: noTimers),
    .plays(
      FlowPart(
        "rfc6086/12.1.1", "Alice", before: [1: [.invites(1)]], differs: [1: [noRecvInfo]], ends: [.up])),
    .plays(
      FlowPart(
        "rfc6086/12.1.1", "Bob", before: [2: [.accepts()]], differs: [2: [noRecvInfo]], ends: [.up])),
    .notPlayed("rfc6086/12.1.2", "Alice", why: "UPDATE is not built (RFC 3311)"),
    .notPlayed("rfc6086/12.1.2", "Bob", why: "UPDATE is not built (RFC 3311)"),
    .notPlayed("rfc6086/12.2.1", "Alice", why: "we send no Info Packages"),
    info("12.2.1", "Bob"),
    .notPlayed("rfc6086/12.2.2.1", "Bob", why: "we send no Info Packages"),
    info("12.2.2.1", "Alice"),
    .notPlayed("rfc6086/12.2.2.2", "Bob", why: "we send no Info Packages"),
    info("12.2.2.2", "Alice"),
    .notPlayed("rfc6086/12.2.2.3", "Bob", why: "we send no Info Packages"),
    info("12.2.2.3", "Alice"),
  ]
}
