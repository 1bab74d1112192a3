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

  /// How far apart things happen: all at one instant in their order, so close that a message of the phone crosses what
  /// follows, and so far that nothing is under way.
  static let gaps: [Span] = [.zero, .milliseconds(5), .seconds(1)]

  /// Every order of every choice of what can happen: 13,700.
  static let sequences: [[Happening]] = extensions(of: [])

  /// How many orders there are in all.
  static let count = Form.allCases.count * gaps.count * sequences.count

  var form: Form
  var gap: Span
  var happenings: [Happening]
  /// Its place among all orders.
  let number: Int

  init(_ number: Int) {
    let (world, sequence) = number.quotientAndRemainder(dividingBy: Self.sequences.count)
    form = Form.allCases[world / Self.gaps.count]
    gap = Self.gaps[world % Self.gaps.count]
    happenings = Self.sequences[sequence]
    self.number = number
  }

  var description: String {
    "\(form.rawValue), \(gap) apart: " + happenings.map(\.rawValue).joined(separator: ", ")
  }

  private static func extensions(of sequence: [Happening]) -> [[Happening]] {
    let others = Happening.allCases.filter { !sequence.contains($0) }
    return others.reduce(into: [sequence]) { $0 += extensions(of: sequence + [$1]) }
  }
}
