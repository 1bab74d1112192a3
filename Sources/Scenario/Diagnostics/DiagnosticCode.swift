/// The stable codes of what can be wrong with a scenario file. A code never changes its meaning.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // The file and its lines.
  case versionMissing = "S001"
  case versionUnknown = "S002"
  case emptyFile = "S003"
  case lineTooLong = "S004"
  case tabOutsideRaw = "S005"
  case controlCharacter = "S006"
  case notUTF8 = "S007"
  case binaryFile = "S008"
  case fileTooLarge = "S009"
  // The pieces of a line.
  case stringUnterminated = "S010"
  case escapeUnknown = "S011"
  case durationMalformed = "S012"
  case numberMalformed = "S013"
  case nameMalformed = "S014"
  case uriMalformed = "S015"
  case statusMalformed = "S016"
  case uuidMalformed = "S017"
  case headerMalformed = "S018"
  case referenceMalformed = "S019"
  case unknownWord = "S021"
  case somethingMissing = "S022"
  case restOfLine = "S023"
  case rangeReversed = "S024"
  case valueMalformed = "S025"
  // How lines belong together.
  case continuationMisplaced = "S030"
  case rawLineMisplaced = "S031"
  case rawLineMalformed = "S032"
  case rawTextMissing = "S033"
  case endWithoutBlock = "S034"
  case blockWithoutEnd = "S035"
  case settingMisplaced = "S036"
  case lineMisplaced = "S037"
  case repeatedPart = "S038"
  case notSupportedYet = "S040"
  case moreProblems = "S099"
  // Names and meaning.
  case unknownActor = "S101"
  case unknownCall = "S102"
  case unknownLabel = "S103"
  case labelNotYetSet = "S104"
  case unknownFault = "S105"
  case unknownParam = "S106"
  case unknownReference = "S107"
  case duplicateName = "S108"
  case deviceMissing = "S109"
  case wrongParamValue = "S110"
  case unknownCase = "S111"
  case labelOfWrongKind = "S112"
  case textCycle = "S113"
  case tooManyVariants = "S114"
  case reservedName = "S115"
  case wrongActor = "S116"
  case subjectMissing = "S117"
  case wrongPlaceForWord = "S118"
  case labelNotInCase = "S119"
  case neverCannotFail = "S120"
  case scopeEndsBeforeStart = "S121"
  case textTooLong = "S122"
  case tooManyFlows = "S123"
  case flowCannotHold = "S124"
  case callUsedTwice = "S125"
  // Advice.
  case timeGoesBack = "L012"
  case settingDefeatsItself = "L015"
  case rawTextMalformed = "L033"
  case requestEmpty = "L034"

  /// What the code stands for, in one sentence.
  public var meaning: String {
    switch self {
    case .versionMissing: "the first line is not the version line `callsim 1`"
    case .versionUnknown: "the version of the language is not one that is known"
    case .emptyFile: "the file says nothing"
    case .lineTooLong: "a line has more than 64 KiB"
    case .tabOutsideRaw: "a tab stands outside the raw text of a message"
    case .controlCharacter: "a control character stands outside the raw text of a message"
    case .notUTF8: "the file is not UTF-8"
    case .binaryFile: "the file is not text"
    case .fileTooLarge: "the file has more than 16 MiB"
    case .stringUnterminated: "a string in double quotes is not closed on its line"
    case .escapeUnknown: "a backslash in a string is followed by something else than a quote or a backslash"
    case .durationMalformed: "a duration is not a whole number with us, ms, s or min"
    case .numberMalformed: "a number is malformed or out of range"
    case .nameMalformed: "a name has other characters than letters, digits, `-` and `_`"
    case .uriMalformed: "a SIP URI is malformed"
    case .statusMalformed: "a status code is not three digits from 100 to 699"
    case .uuidMalformed: "a UUID is malformed"
    case .headerMalformed: "a header line is not `Name: value`, or a header name is malformed"
    case .referenceMalformed: "a `${…}` is malformed"
    case .unknownWord: "a word is not one that can stand there"
    case .somethingMissing: "a part of the line is missing"
    case .restOfLine: "the line goes on after its end"
    case .rangeReversed: "a range ends before it starts"
    case .valueMalformed: "a value does not fit what it is for"
    case .continuationMisplaced: "a continuation does not belong to the line above it"
    case .rawLineMisplaced: "a raw line does not belong to an arrow"
    case .rawLineMalformed: "a raw line has no blank after `|`"
    case .rawTextMissing: "an arrow says `raw` and no raw line follows"
    case .endWithoutBlock: "an `end` closes nothing"
    case .blockWithoutEnd: "a block is not closed"
    case .settingMisplaced: "a setting does not stand indented under a device"
    case .lineMisplaced: "a line cannot stand in this place of the file"
    case .repeatedPart: "a part that may stand once is repeated"
    case .notSupportedYet: "the language has this, the program does not support it yet"
    case .moreProblems: "there are more problems than are shown"
    case .unknownActor: "no device or peer has this name"
    case .unknownCall: "no call has this name"
    case .unknownLabel: "no line sets this label"
    case .labelNotYetSet: "a stimulus uses a label that is set only further down"
    case .unknownFault: "no fault has this name"
    case .unknownParam: "no param has this name"
    case .unknownReference: "a `${…}` names nothing that there is"
    case .duplicateName: "a name is given twice, or to two things that could not be told apart"
    case .deviceMissing: "the scenario has no device"
    case .wrongParamValue: "a value does not fit the type of its param"
    case .unknownCase: "no case has this name"
    case .labelOfWrongKind: "a label names something of another kind"
    case .textCycle: "texts refer to each other in a circle"
    case .tooManyVariants: "cases and listed values multiply to more runs than are allowed"
    case .reservedName: "a name has a meaning of its own"
    case .wrongActor: "this actor cannot do that"
    case .subjectMissing: "it is not said what the message belongs to"
    case .wrongPlaceForWord: "the word has a meaning elsewhere only"
    case .labelNotInCase: "a case leaves out the line that sets a label which it needs"
    case .neverCannotFail: "a `never` cannot be violated"
    case .scopeEndsBeforeStart: "the scope of a `never` ends before it starts"
    case .textTooLong: "a text becomes too long once the texts that it names are put in"
    case .tooManyFlows: "more lines use a flow than are allowed"
    case .flowCannotHold: "a flow cannot hold with these settings of the device"
    case .callUsedTwice: "two flows are about the same call"
    case .timeGoesBack: "an absolute time is earlier than that of the line above"
    case .settingDefeatsItself: "a setting keeps another one from ever having an effect"
    case .rawTextMalformed: "raw text is no well-formed SIP message"
    case .requestEmpty: "a request lacks what it is for"
    }
  }

  /// Whether the file could not be read at all, which is not the same as a scenario with errors.
  public var isReadingError: Bool {
    switch self {
    case .notUTF8, .binaryFile, .fileTooLarge: true
    default: false
    }
  }
}

extension Diagnostic {
  init(
    _ code: DiagnosticCode, _ title: String, at range: SourceRange?, label: String? = nil, notes: [Note] = [],
    help: String? = nil
  ) {
    let severity: Severity = code.rawValue.hasPrefix("L") ? .warning : .error
    self.init(
      code: code.rawValue, severity: severity, title: title, range: range, label: label, notes: notes, help: help)
  }
}
