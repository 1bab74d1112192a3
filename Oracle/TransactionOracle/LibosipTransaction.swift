import COsip
import SIP

/// One transaction of libosip2, driven by events that are made by hand: no clock decides when a timer fires.
final class LibosipTransaction {
  private let kind: TransactionClass
  private let stack: LibosipStack
  private let messages: OracleMessages
  private let transaction: UnsafeMutablePointer<osip_transaction_t>

  /// `nil` if libosip2 does not make one.
  init?(_ kind: TransactionClass, in stack: LibosipStack) {
    self.kind = kind
    self.stack = stack
    messages = OracleMessages(kind: kind)
    let type: osip_fsm_type_t =
      switch kind.machine {
      case .inviteClient: ICT
      case .otherClient: NICT
      case .inviteServer: IST
      case .otherServer: NIST
      }
    guard let request = Self.parse(messages.request) else { return nil }
    defer { osip_message_free(request) }
    var created: UnsafeMutablePointer<osip_transaction_t>?
    guard osip_transaction_init(&created, type, stack.pointer, request) == 0, let created else { return nil }
    transaction = created
    // Timer E grows only from T1 after the beginning on, by the real clock, and never fires earlier. Here no time
    // passes, so the transaction began long ago.
    created.pointee.created_time = timeval(tv_sec: 0, tv_usec: 0)
  }

  deinit { osip_transaction_free(transaction) }

  /// The request is sent, or arrives.
  func begin(sendingFails: Bool) -> Observation {
    let type: type_t =
      switch kind.machine {
      case .inviteClient: SND_REQINVITE
      case .otherClient: SND_REQUEST
      case .inviteServer: RCV_REQINVITE
      case .otherServer: RCV_REQUEST
      }
    // The timers that a client transaction sets when it is made belong to this event, so they are not marked before.
    return execute(type, messages.request, sendingFails: sendingFails)
  }

  func take(_ event: OracleEvent) -> Observation {
    for timer in timers { timer.mark() }
    let isInvite = kind.machine == .inviteServer
    return switch event.stimulus {
    case .receive(let status):
      execute(
        status < 200 ? RCV_STATUS_1XX : status < 300 ? RCV_STATUS_2XX : RCV_STATUS_3456XX, messages.response(status),
        sendingFails: event.sendingFails)
    case .send(let status):
      execute(
        status < 200 ? SND_STATUS_1XX : status < 300 ? SND_STATUS_2XX : SND_STATUS_3456XX, messages.response(status),
        sendingFails: event.sendingFails)
    case .again:
      execute(isInvite ? RCV_REQINVITE : RCV_REQUEST, messages.request, sendingFails: event.sendingFails)
    case .ack: execute(RCV_REQACK, messages.ack, sendingFails: event.sendingFails)
    case .fire(let letter):
      execute(timers.first { $0.letter == letter && $0.runs }?.event, nil, sendingFails: event.sendingFails)
    }
  }

  /// Has libosip2 take one event, and then each timer that is due at once: over a reliable transport the last wait
  /// takes no time (timers D, I, J and K are zero), and ours is over at once.
  private func execute(_ type: type_t?, _ text: String?, sendingFails: Bool) -> Observation {
    stack.sendingFails = sendingFails
    if let type { hand(type, text) }
    var result = Observation()
    for timer in timers where timer.runs && timer.length == 0 { hand(timer.event, nil) }
    for timer in timers where timer.runs {
      result.running.insert(timer.letter)
      if timer.isUnmarked { result.set[timer.letter] = timer.length }
    }
    let record = stack.takeRecord()
    result.sent = record.sent
    result.told = record.told
    result.state = state
    return result
  }

  /// libosip2 takes the event and its message over, and frees them.
  private func hand(_ type: type_t, _ text: String?) {
    guard let event = callsim_osip_event(type, transaction.pointee.transactionid) else { return }
    if let text { event.pointee.sip = Self.parse(text) }
    osip_transaction_execute(transaction, event)
  }

  private static func parse(_ text: String) -> UnsafeMutablePointer<osip_message_t>? {
    var message: UnsafeMutablePointer<osip_message_t>?
    guard osip_message_init(&message) == 0, osip_message_parse(message, text, text.utf8.count) == 0 else {
      osip_message_free(message)
      return nil
    }
    return message
  }

  /// The same states by the names of RFC 3261; `nil` for the terminated ones.
  var state: TransactionState? {
    switch transaction.pointee.state {
    case ICT_CALLING: .calling
    case NICT_TRYING, NIST_TRYING: .trying
    case ICT_PROCEEDING, NICT_PROCEEDING, IST_PROCEEDING, NIST_PROCEEDING: .proceeding
    case ICT_COMPLETED, NICT_COMPLETED, IST_COMPLETED, NIST_COMPLETED: .completed
    case IST_CONFIRMED: .confirmed
    default: nil
    }
  }

  private var timers: [LibosipTimer] {
    let state = transaction.pointee.state
    switch kind.machine {
    case .inviteClient:
      guard let context = transaction.pointee.ict_context else { return [] }
      return [
        LibosipTimer(.a, TIMEOUT_A, context, \.timer_a_length, \.timer_a_start, if: state == ICT_CALLING),
        LibosipTimer(.b, TIMEOUT_B, context, \.timer_b_length, \.timer_b_start, if: state == ICT_CALLING),
        LibosipTimer(.d, TIMEOUT_D, context, \.timer_d_length, \.timer_d_start, if: state == ICT_COMPLETED),
      ]
    case .otherClient:
      guard let context = transaction.pointee.nict_context else { return [] }
      let waits = state == NICT_TRYING || state == NICT_PROCEEDING
      return [
        LibosipTimer(.e, TIMEOUT_E, context, \.timer_e_length, \.timer_e_start, if: waits),
        LibosipTimer(.f, TIMEOUT_F, context, \.timer_f_length, \.timer_f_start, if: waits),
        LibosipTimer(.k, TIMEOUT_K, context, \.timer_k_length, \.timer_k_start, if: state == NICT_COMPLETED),
      ]
    case .inviteServer:
      guard let context = transaction.pointee.ist_context else { return [] }
      return [
        LibosipTimer(.g, TIMEOUT_G, context, \.timer_g_length, \.timer_g_start, if: state == IST_COMPLETED),
        LibosipTimer(.h, TIMEOUT_H, context, \.timer_h_length, \.timer_h_start, if: state == IST_COMPLETED),
        LibosipTimer(.i, TIMEOUT_I, context, \.timer_i_length, \.timer_i_start, if: state == IST_CONFIRMED),
      ]
    case .otherServer:
      guard let context = transaction.pointee.nist_context else { return [] }
      return [LibosipTimer(.j, TIMEOUT_J, context, \.timer_j_length, \.timer_j_start, if: state == NIST_COMPLETED)]
    }
  }
}
