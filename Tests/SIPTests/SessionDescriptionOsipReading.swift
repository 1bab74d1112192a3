import COsip
import SIP

/// What libosip2 says of a session description.
struct SessionDescriptionOsipReading: Equatable {
  struct Stream: Equatable {
    var kind: String
    var port: Int?
    /// The stream's own address, else that of the session.
    var address: String?
    /// Whether media flows by the rules of offer and answer.
    var direction: SessionDescription.Direction
  }

  private(set) var streams: [Stream] = []

  /// `nil` if libosip2 rejects the text, or has no stream in it.
  init?(_ text: [UInt8]) {
    var created: UnsafeMutablePointer<sdp_message_t>?
    guard sdp_message_init(&created) == 0, let created else { return nil }
    defer { sdp_message_free(created) }
    // libosip2 may read one octet beyond the NUL that ends the text.
    guard sdp_message_parse(created, text.map(CChar.init(bitPattern:)) + [0, 0]) == 0 else { return nil }
    let sessionAddress = created.pointee.c_connection.flatMap { Self.text($0.pointee.c_addr) }
    let sessionDirection = Self.stated(&created.pointee.a_attributes)
    for media in Self.elements(of: &created.pointee.m_medias, as: sdp_media_t.self) {
      let own = Self.elements(of: &media.pointee.c_connections, as: sdp_connection_t.self).first
      let address = own.flatMap { Self.text($0.pointee.c_addr) } ?? sessionAddress
      let port = Self.text(media.pointee.m_port).flatMap { Int($0) }
      var direction = Self.stated(&media.pointee.a_attributes) ?? sessionDirection
      // libosip2 knows no rules: these are of RFC 3264 5.1 and 8.4.
      if port == 0 { direction = .inactive }
      let implied: SessionDescription.Direction = address == "0.0.0.0" ? .inactive : .sendrecv
      streams.append(
        Stream(
          kind: Self.text(media.pointee.m_media) ?? "", port: port, address: address, direction: direction ?? implied))
    }
    if streams.isEmpty { return nil }
  }

  /// The same of our reading.
  init(_ description: SessionDescription) {
    streams = description.media.map { media in
      Stream(
        kind: media.kind, port: media.port, address: description.connectionAddress(of: media),
        direction: description.direction(of: media))
    }
  }

  /// The last direction among attributes.
  private static func stated(_ attributes: UnsafeMutablePointer<osip_list_t>) -> SessionDescription.Direction? {
    elements(of: attributes, as: sdp_attribute_t.self)
      .compactMap { text($0.pointee.a_att_field).flatMap(SessionDescription.Direction.init(rawValue:)) }.last
  }

  private static func elements<Element>(
    of list: UnsafeMutablePointer<osip_list_t>, as _: Element.Type
  ) -> [UnsafeMutablePointer<Element>] {
    (0..<osip_list_size(list)).compactMap { osip_list_get(list, $0)?.assumingMemoryBound(to: Element.self) }
  }

  private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
}
