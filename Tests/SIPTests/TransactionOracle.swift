import COsip
import Foundation

@testable import SIP

extension TransactionOracleTests {
  /// One transaction of libosip2, driven by events that are made by hand, and how often it sent something.
  final class Oracle {
    private var stack: UnsafeMutablePointer<osip_t>?
    private var transaction: UnsafeMutablePointer<osip_transaction_t>?
    private let kind: Kind
    private let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    var sent: Int { counter.pointee }

    var isOver: Bool {
      switch (kind, transaction?.pointee.state) {
      case (.inviteClient, ICT_TERMINATED), (.otherClient, NICT_TERMINATED), (.inviteServer, IST_TERMINATED),
        (.otherServer, NIST_TERMINATED):
        true
      default: false
      }
    }

    init?(_ kind: Kind) {
      self.kind = kind
      counter.initialize(to: 0)
      guard osip_init(&stack) == 0, let stack else { return nil }
      callsim_silence_osip()
      stack.pointee.application_context = UnsafeMutableRawPointer(counter)
      osip_set_cb_send_message(stack) { transaction, _, _, _, _ in
        let stack = transaction?.pointee.config.map { $0.assumingMemoryBound(to: osip_t.self) }
        stack?.pointee.application_context?.assumingMemoryBound(to: Int.self).pointee += 1
        return 0
      }
      let type: osip_fsm_type_t
      switch kind {
      case .inviteClient: type = ICT
      case .otherClient: type = NICT
      case .inviteServer: type = IST
      case .otherServer: type = NIST
      }
      guard let request = request(), osip_transaction_init(&transaction, type, stack, request) == 0 else { return nil }
      switch kind {
      case .inviteClient: execute(SND_REQINVITE, request)
      case .otherClient: execute(SND_REQUEST, request)
      case .inviteServer: execute(RCV_REQINVITE, request)
      case .otherServer: execute(RCV_REQUEST, request)
      }
    }

    deinit {
      if let transaction { osip_transaction_free(transaction) }
      if let stack { osip_release(stack) }
      counter.deallocate()
    }

    func take(_ event: Event) {
      switch event {
      case .receive(let status):
        execute(status < 200 ? RCV_STATUS_1XX : status < 300 ? RCV_STATUS_2XX : RCV_STATUS_3456XX, response(status))
      case .send(let status):
        execute(status < 200 ? SND_STATUS_1XX : status < 300 ? SND_STATUS_2XX : SND_STATUS_3456XX, response(status))
      case .again: execute(isInvite ? RCV_REQINVITE : RCV_REQUEST, request())
      case .ack: execute(RCV_REQACK, request(method: "ACK"))
      case .fire(let letter):
        let types: [TransactionTimer.Letter: type_t] = [
          .a: TIMEOUT_A, .b: TIMEOUT_B, .d: TIMEOUT_D, .e: TIMEOUT_E, .f: TIMEOUT_F, .g: TIMEOUT_G, .h: TIMEOUT_H,
          .i: TIMEOUT_I, .j: TIMEOUT_J, .k: TIMEOUT_K,
        ]
        if let type = types[letter] { execute(type, nil) }
      }
    }

    private var isInvite: Bool { kind == .inviteClient || kind == .inviteServer }

    /// libosip2 takes the event and its message over, and frees them with `free`.
    private func execute(_ type: type_t, _ message: UnsafeMutablePointer<osip_message_t>?) {
      guard let transaction, let memory = calloc(1, MemoryLayout<osip_event_t>.size) else { return }
      let event = memory.bindMemory(to: osip_event_t.self, capacity: 1)
      event.pointee.type = type
      event.pointee.transactionid = transaction.pointee.transactionid
      event.pointee.sip = message
      osip_transaction_execute(transaction, event)
    }

    private func request(method: String? = nil) -> UnsafeMutablePointer<osip_message_t>? {
      let name = isInvite ? "INVITE" : "OPTIONS"
      return message("\(method ?? name) sip:a@10.0.0.1 SIP/2.0\r\n", method ?? name)
    }

    private func response(_ status: Int) -> UnsafeMutablePointer<osip_message_t>? {
      message("SIP/2.0 \(status) R\r\n", isInvite ? "INVITE" : "OPTIONS")
    }

    private func message(_ line: String, _ method: String) -> UnsafeMutablePointer<osip_message_t>? {
      let text =
        line + "Via: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bK1\r\nMax-Forwards: 70\r\nFrom: <sip:f@b>;tag=f\r\n"
        + "To: <sip:t@b>;tag=t\r\nCall-ID: c\r\nCSeq: 1 \(method)\r\nContact: <sip:f@10.0.0.2>\r\n"
        + "Content-Length: 0\r\n\r\n"
      var message: UnsafeMutablePointer<osip_message_t>?
      guard osip_message_init(&message) == 0, osip_message_parse(message, text, text.utf8.count) == 0 else {
        osip_message_free(message)
        return nil
      }
      return message
    }
  }
}
