import COsip
import Foundation
import SIP

/// What libosip2's own structures say of a message that it parses, as far as ``SIPMessage`` says the same.
struct MessageOsipReading {
  enum Field: String, CaseIterable {
    case method, requestURI, status, callID, sequenceNumber, sequenceMethod, fromTag, toTag
    case viaTransport, viaHost, viaPort, viaBranch
  }

  /// Fields that are absent have no entry. Numbers are without leading zeros.
  private(set) var values: [Field: String] = [:]

  /// `nil` if libosip2 rejects the bytes. Reading the message first has set libosip2 up.
  init?(_ bytes: [UInt8], after _: SIPMessage) {
    var created: UnsafeMutablePointer<osip_message_t>?
    guard osip_message_init(&created) == 0, let created else { return nil }
    defer { osip_message_free(created) }
    let padded = bytes.map(CChar.init(bitPattern:)) + [0, 0]
    guard osip_message_parse(created, padded, bytes.count) == 0 else { return nil }
    let message = created.pointee

    values[.method] = Self.text(message.sip_method)
    if let uri = message.req_uri {
      var written: UnsafeMutablePointer<CChar>?
      if osip_uri_to_str(uri, &written) == 0 { values[.requestURI] = Self.text(written) }
      free(written)
    }
    if message.sip_method == nil { values[.status] = String(message.status_code) }
    if let callID = message.call_id?.pointee, let number = Self.text(callID.number) {
      values[.callID] = number + (Self.text(callID.host).map { "@" + $0 } ?? "")
    }
    values[.sequenceNumber] = Self.number(message.cseq?.pointee.number)
    values[.sequenceMethod] = Self.text(message.cseq?.pointee.method)
    if let from = message.from { values[.fromTag] = Self.parameter("tag", of: &from.pointee.gen_params) }
    if let to = message.to { values[.toTag] = Self.parameter("tag", of: &to.pointee.gen_params) }
    if let via = osip_list_get(&created.pointee.vias, 0)?.assumingMemoryBound(to: osip_via_t.self) {
      values[.viaTransport] = Self.text(via.pointee.protocol)
      values[.viaHost] = Self.text(via.pointee.host)
      values[.viaPort] = Self.number(via.pointee.port)
      values[.viaBranch] = Self.parameter("branch", of: &via.pointee.via_params)
    }
  }

  /// The same fields as our reading has them. libosip2 keeps the address of an IPv6 reference without its brackets.
  static func ours(_ message: SIPMessage) -> [Field: String] {
    var values: [Field: String] = [:]
    switch message.startLine {
    case .request(let method, let uri):
      values[.method] = method.name
      values[.requestURI] = uri
    case .response(let status, _): values[.status] = String(status)
    }
    values[.callID] = message.callID.isEmpty ? nil : message.callID
    values[.sequenceNumber] = message.sequence.map { String($0.number) }
    values[.sequenceMethod] = message.sequence?.method.name
    values[.fromTag] = message.fromTag
    values[.toTag] = message.toTag
    values[.viaTransport] = message.topVia?.transport
    values[.viaHost] = message.topVia?.host.filter { !"[]".contains($0) }
    values[.viaPort] = message.topVia?.port.map(String.init)
    values[.viaBranch] = message.topVia?.branch
    return values
  }

  private static func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

  private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

  private static func number(_ digits: UnsafeMutablePointer<CChar>?) -> String? {
    text(digits).map { digits in Int(digits).map(String.init) ?? digits }
  }

  private static func parameter(_ name: String, of list: UnsafeMutablePointer<osip_list_t>) -> String? {
    for position in 0..<osip_list_size(list) {
      guard let found = osip_list_get(list, position)?.assumingMemoryBound(to: osip_uri_param_t.self) else { continue }
      if text(found.pointee.gname)?.lowercased() == name { return text(found.pointee.gvalue) }
    }
    return nil
  }
}
