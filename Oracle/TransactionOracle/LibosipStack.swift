import COsip
import SIP

/// libosip2's stack, for one transaction at a time. What its callbacks say is kept until it is asked for.
///
/// One process may have one at a time, and nothing else may speak to libosip2 meanwhile: setting libosip2 up writes
/// tables that every parser reads.
final class LibosipStack {
  /// What libosip2 did at one event.
  struct Record {
    var sent: [String] = []
    var told: [Observation.Notice] = []
  }

  let pointer: UnsafeMutablePointer<osip_t>
  /// Whether the transport refuses everything.
  var sendingFails = false
  private(set) var record = Record()
  /// Summaries of what was sent before, by its text.
  private var summaries: [String: String] = [:]

  init?() {
    var created: UnsafeMutablePointer<osip_t>?
    guard osip_init(&created) == 0, let created else { return nil }
    pointer = created
    // After the set-up, which is when the trace can be taken over for good.
    callsim_silence_osip()
    osip_set_application_context(created, Unmanaged.passUnretained(self).toOpaque())
    osip_set_cb_send_message(created) { transaction, message, _, _, _ in
      LibosipStack.of(transaction)?.send(message) ?? -1
    }
    let responses = [
      OSIP_ICT_STATUS_1XX_RECEIVED, OSIP_ICT_STATUS_2XX_RECEIVED, OSIP_ICT_STATUS_3XX_RECEIVED,
      OSIP_ICT_STATUS_4XX_RECEIVED, OSIP_ICT_STATUS_5XX_RECEIVED, OSIP_ICT_STATUS_6XX_RECEIVED,
      OSIP_NICT_STATUS_1XX_RECEIVED, OSIP_NICT_STATUS_2XX_RECEIVED, OSIP_NICT_STATUS_3XX_RECEIVED,
      OSIP_NICT_STATUS_4XX_RECEIVED, OSIP_NICT_STATUS_5XX_RECEIVED, OSIP_NICT_STATUS_6XX_RECEIVED,
    ]
    for type in responses {
      osip_set_message_callback(created, Int32(type.rawValue)) { _, transaction, message in
        LibosipStack.of(transaction)?.tell(.response(Int(message?.pointee.status_code ?? 0)))
      }
    }
    for type in [OSIP_IST_INVITE_RECEIVED, OSIP_NIST_OPTIONS_RECEIVED] {
      osip_set_message_callback(created, Int32(type.rawValue)) { _, transaction, _ in
        LibosipStack.of(transaction)?.tell(.request)
      }
    }
    for type in [OSIP_ICT_STATUS_TIMEOUT, OSIP_NICT_STATUS_TIMEOUT] {
      osip_set_message_callback(created, Int32(type.rawValue)) { _, transaction, _ in
        LibosipStack.of(transaction)?.tell(.timeout)
      }
    }
    let errors = [
      OSIP_ICT_TRANSPORT_ERROR, OSIP_IST_TRANSPORT_ERROR, OSIP_NICT_TRANSPORT_ERROR, OSIP_NIST_TRANSPORT_ERROR,
    ]
    for type in errors {
      osip_set_transport_error_callback(created, Int32(type.rawValue)) { _, transaction, _ in
        LibosipStack.of(transaction)?.tell(.unsent)
      }
    }
  }

  deinit { osip_release(pointer) }

  /// What has been recorded since the last time.
  func takeRecord() -> Record {
    defer { record = Record() }
    return record
  }

  private static func of(_ transaction: UnsafeMutablePointer<osip_transaction_t>?) -> LibosipStack? {
    guard let stack = transaction?.pointee.config?.assumingMemoryBound(to: osip_t.self),
      let context = osip_get_application_context(stack)
    else { return nil }
    return Unmanaged<LibosipStack>.fromOpaque(context).takeUnretainedValue()
  }

  private func tell(_ notice: Observation.Notice) { record.told.append(notice) }

  /// libosip2 gives a message to the transport; 0 if it takes it.
  private func send(_ message: UnsafeMutablePointer<osip_message_t>?) -> Int32 {
    record.sent.append(summary(of: message))
    return sendingFails ? -1 : 0
  }

  private func summary(of message: UnsafeMutablePointer<osip_message_t>?) -> String {
    var text: UnsafeMutablePointer<CChar>?
    var length = 0
    guard osip_message_to_str(message, &text, &length) == 0, let text else { return "unwritable" }
    defer { callsim_osip_free(text) }
    let written = String(cString: text)
    if let known = summaries[written] { return known }
    let summary = (try? SIPMessage(reading: Array(written.utf8))).map(OracleMessages.summary(of:)) ?? "unreadable"
    summaries[written] = summary
    return summary
  }
}
