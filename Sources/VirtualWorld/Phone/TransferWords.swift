import CallEngine
import SIP
import Timeline

// Transfers in the words of the coordinator, of the user agent and of the timeline.

extension ReferralID {
  init(_ id: TransferID) {
    self.init(id.origin == .local ? .local : .remote, id.number)
  }
}

extension TransferID {
  init(_ id: ReferralID) {
    self.init(id.origin == .local ? .local : .remote, id.number)
  }
}

extension ReferralTarget {
  init(_ target: TransferTarget) {
    switch target {
    case .party(let party): self = .uri(party.uri, name: party.displayName)
    case .leg(let leg): self = .session(SessionID(leg))
    }
  }
}

extension TransferState {
  init(_ state: ReferralState) {
    switch state {
    case .accepted: self = .accepted
    case .progress(let status): self = .progress(status: status)
    case .ended(200..<300): self = .succeeded
    case .ended(let status): self = .failed(status: status)
    case .refused(let status): self = .refused(status: status)
    case .unknown: self = .unknown
    }
  }
}

extension TransferEvent {
  init(_ state: TransferState) {
    switch state {
    case .accepted: self.init(phase: .accepted)
    case .progress(let status): self.init(phase: .progress, status: status)
    case .succeeded: self.init(phase: .succeeded)
    case .failed(let status): self.init(phase: .failed, status: status)
    case .refused(let status): self.init(phase: .refused, status: status)
    case .unknown: self.init(phase: .unknown)
    }
  }
}
