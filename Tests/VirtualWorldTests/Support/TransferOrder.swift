import Instant

/// One transfer, and an order of what can happen to it.
struct TransferOrder: CustomStringConvertible {
  /// What the phone is in the transfer. Alice is the other side of the call, and carol is the target.
  enum Form: String, CaseIterable {
    /// Alice has the phone call carol; the phone has called alice.
    case transferee = "transferred"
    /// Carol's leg is to take the place of alice's call with her; alice has called the phone.
    case attendedTransferee = "transferred after a consultation"
    /// The phone has alice call carol; alice has called the phone.
    case transferor = "transferring"
    /// The phone has a call with carol, too, and the user acts on alice's, which is held.
    case attendedTransferor = "transferring after a consultation"
    /// As before, and the user acts on carol's.
    case consultation = "transferring after a consultation, acting on it"

    var isTransferor: Bool { self == .transferor || hasConsultation }
    /// Whether the phone has a call with carol, too.
    var hasConsultation: Bool { self == .attendedTransferor || self == .consultation }
  }

  /// What can happen, each once at most.
  enum Happening: String, CaseIterable {
    /// Transferee: the REFER arrives, which the phone answers at once. Transferor: alice accepts it.
    case referAccepted = "REFER accepted"
    case targetAnswers = "target answers"
    case targetFails = "target fails"
    /// Alice hangs up. Towards a transferor she is the transferee.
    case otherHangsUp = "BYE"
    case userEnds = "user ends"
    /// The user holds the call, or resumes it if it is held.
    case userHolds = "user holds"
    /// Every NOTIFY from here on is lost.
    case notifyLost = "NOTIFY lost"
  }

  /// How things happen: all at one instant in their order, so close that a message of the phone crosses what follows,
  /// and so far apart that nothing is under way.
  enum Pace: CaseIterable {
    case atOnce, close
    /// Close, and the user acts in the app: CallKit performs it when the next thing happens.
    case closeInApp
    case apart

    var gap: Span {
      switch self {
      case .atOnce: .zero
      case .close, .closeInApp: .milliseconds(5)
      case .apart: .seconds(1)
      }
    }
  }

  /// Every order of every choice of what can happen: 13,700.
  static let sequences: [[Happening]] = extensions(of: [])

  /// How many pairs of a form and a pace there are.
  static let worldCount = Form.allCases.count * Pace.allCases.count

  var form: Form
  var pace: Pace
  var happenings: [Happening]
  /// Its place among all orders.
  let number: Int

  init(_ number: Int) {
    let (world, sequence) = number.quotientAndRemainder(dividingBy: Self.sequences.count)
    form = Form.allCases[world / Pace.allCases.count]
    pace = Pace.allCases[world % Pace.allCases.count]
    happenings = Self.sequences[sequence]
    self.number = number
  }

  var description: String {
    "\(form.rawValue), \(pace): " + happenings.map(\.rawValue).joined(separator: ", ")
  }

  private static func extensions(of sequence: [Happening]) -> [[Happening]] {
    let others = Happening.allCases.filter { !sequence.contains($0) }
    return others.reduce(into: [sequence]) { $0 += extensions(of: sequence + [$1]) }
  }
}
