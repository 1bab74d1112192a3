import SIP
import Timeline

/// A body and its media type.
struct PeerBody {
  var type: String
  var bytes: [UInt8]
}

/// What a peer's messages carry: session descriptions, and reports on a REFER.
extension Peer {
  /// The body that the script, or an automatic peer, wants.
  mutating func body(
    fragment: Int?, _ session: MessageFacts.Session?, in dialog: inout PeerDialog
  ) throws(StimulusRefusal) -> PeerBody {
    guard let fragment else {
      return PeerBody(type: "application/sdp", bytes: try describe(session, in: &dialog))
    }
    if session != nil {
      throw StimulusRefusal("a message has one body: a session description, or what it reports of a REFER")
    }
    guard (100...699).contains(fragment) else {
      throw StimulusRefusal("\(fragment) is no status of a SIP response, which is from 100 to 699")
    }
    return PeerBody(type: SIPFragment.type, bytes: SIPFragment.bytes(status: fragment))
  }

  /// The body for a session description that the script asks for; empty without one.
  private mutating func describe(
    _ wanted: MessageFacts.Session?, in dialog: inout PeerDialog
  ) throws(StimulusRefusal) -> [UInt8] {
    guard let wanted else { return [] }
    guard let direction = SessionDescription.Direction(rawValue: wanted.direction) else {
      throw StimulusRefusal("\(wanted.direction) is no direction: sendrecv, sendonly, recvonly or inactive")
    }
    var session = dialog.session ?? PeerDialog.Session(id: identifiers.session())
    var bytes = try describe(wanted.role, direction, session, offered: dialog.remoteOffer)
    // The version moves with every description that differs from the one before (RFC 3264 8).
    if let last = session.last, last != bytes {
      session.version += 1
      bytes = try describe(wanted.role, direction, session, offered: dialog.remoteOffer)
    }
    session.last = bytes
    dialog.session = session
    return bytes
  }

  /// An answer is carried as the offer asks for, and an offer as the other side's last one asked for.
  private func describe(
    _ role: MessageFacts.Session.Role, _ direction: SessionDescription.Direction, _ session: PeerDialog.Session,
    offered: SessionDescription?
  ) throws(StimulusRefusal) -> [UInt8] {
    switch role {
    case .offer:
      let offer = SessionDescription.offer(
        address: mediaAddress, port: SessionDescription.mediaPort(ofSession: session.id), direction: direction,
        user: "-", sessionID: session.id, version: session.version,
        key: offered?.isSecure == true ? identifiers.mediaKey(ofSession: session.id) : nil)
      guard let offer else {
        throw StimulusRefusal("\(mediaAddress) cannot stand in a session description")
      }
      return offer.bytes
    case .answer:
      guard let offered else {
        throw StimulusRefusal("\(name) has received no offer in this call that it could answer; say offer instead")
      }
      let answer = offered.answer(
        address: mediaAddress, port: SessionDescription.mediaPort(ofSession: session.id), direction: direction,
        user: "-", sessionID: session.id, version: session.version,
        key: identifiers.mediaKey(ofSession: session.id))
      guard let answer else {
        throw StimulusRefusal("\(name) can take none of the streams that it was offered; the answer to that is 488")
      }
      guard answer.audioDirection == direction else {
        throw StimulusRefusal(
          "\(direction.rawValue) is no answer to the offer of \(offered.audioDirection.rawValue) (RFC 3264 6.1); "
            + "write the message as raw text to send it all the same")
      }
      return answer.bytes
    }
  }

  /// The address for media: where the peer listens, an IPv6 address without its brackets.
  private var mediaAddress: String {
    let host = setup.address.host
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }
}
