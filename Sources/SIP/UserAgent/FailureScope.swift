/// What ends with a request within a dialog by the way that it went (RFC 5057 5.1 and 5.2, RFC 3261 12.2.1.2).
enum FailureScope: Hashable, Sendable {
  /// The request alone.
  case transaction
  /// What the request belongs to as well: the session, or for NOTIFY the subscription that it reports on. A REFER asks for
  /// a subscription that is not there yet, so that it belongs to the session.
  case usage
  /// Everything in the dialog: its target or its route leads nowhere.
  case dialog

  /// By the final response to a method that is neither BYE nor CANCEL; `nil` if none came in time, which counts as 408.
  init(_ status: Int?, to method: Method) {
    switch status ?? 408 {
    case 404, 410, 416, 482, 483, 484, 485, 502, 604: self = .dialog
    case 408, 481: self = .usage
    // The REFER is refused, not the session (RFC 3515 2.4.2).
    case 480: self = method == .refer ? .transaction : .usage
    // Without its method a usage is none; a session does without INFO and REFER.
    case 405, 501: self = [.invite, .notify].contains(method) ? .usage : .transaction
    case 489: self = method == .notify ? .usage : .transaction
    default: self = .transaction
    }
  }
}
