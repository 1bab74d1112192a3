import Instant

/// A word and where it stands.
struct Word: Hashable, Sendable {
  var text: String
  var range: SourceRange
}

/// A name that a line uses; the checker looks whether there is such a thing.
struct NameUse: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case actor, device, peer, call, peerOrCall, callOrLabel, fault, durationParam, reference
    /// A label of any record; `mayBeMissing` where a label that never happens has a meaning.
    case label(mayBeMissing: Bool)
    /// A label of a message.
    case message

    var isLabel: Bool {
      switch self {
      case .label, .message: true
      case .actor, .device, .peer, .call, .peerOrCall, .callOrLabel, .fault, .durationParam, .reference: false
      }
    }
  }

  var kind: Kind
  var name: Word
}

/// A timed line.
struct TimedLine: Hashable, Sendable {
  enum When: Hashable, Sendable {
    case at(Span)
    case after(Span)
    case afterParam(String)
    case on(label: String, Span)
    case next
  }

  var when: When
  var stimulus: PlannedStimulus
  var label: Word?
  var uses: [NameUse]
  var range: SourceRange
}

/// A check with the names that it uses.
struct CheckLine: Hashable, Sendable {
  var check: PlannedCheck
  var label: Word?
  var uses: [NameUse]
  /// Whether it stands in a flow.
  var isOfFlow = false
}

/// One line of the body of a file.
enum Statement: Hashable, Sendable {
  enum Block: String, Hashable, Sendable {
    case inOrder = "in-order"
    case optional
    case insert
    /// A block of the language that was reported and cannot be carried out.
    case unsupported
  }

  case timed(TimedLine)
  case check(CheckLine)
  case use(FlowUse)
  case invariant(InvariantCheck, uses: [NameUse])
  case open(Block, before: Word?, SourceRange)
  case end(SourceRange)
  case caseStart(name: String, from: Word, SourceRange)
  case text(Word, TemplateText, uses: [NameUse])
  case param(Param, Word)
}

/// What the lines of a file say, before names are looked up.
struct SyntaxTree: Hashable, Sendable {
  var title: String?
  var tags: [String] = []
  var why: String?
  var seed: UInt64?
  var mode: Plan.Mode?
  var devices: [DeviceDeclaration] = []
  var peers: [PeerDeclaration] = []
  var links: [LinkDeclaration] = []
  var calls: [CallDeclaration] = []
  var faults: [FaultDeclaration] = []
  var ignored: [Arrow] = []
  /// The names that the declarations above use.
  var uses: [NameUse] = []
  var body: [Statement] = []
  /// What lines that could not be read would have named; nothing that uses them is reported.
  var broken: Set<String> = []
}
