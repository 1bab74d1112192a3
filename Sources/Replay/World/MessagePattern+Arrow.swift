import Scenario
import Timeline

extension MessagePattern.What {
  /// The messages that an arrow means, of this method where it means responses; `nil` for raw text.
  init?(_ what: Arrow.What, ofMethod method: String?) {
    switch what {
    case .any: self = .any
    case .request(let name): self = .request(method: name)
    case .reInvite: self = .reInvite
    case .response(let status): self = .response(status: status, method: method)
    case .raw: return nil
    }
  }
}
