import Instant

/// The handling of one input: what it says, what it has brought about directly, and the outputs so far.
struct Turn {
  let now: Instant
  /// The causes of the input.
  let causes: Causes
  private(set) var outputs: [CoordinatorOutput] = []

  /// Calls to report as incoming.
  var reports: [CallUUID] = []
  /// Legs to refuse that belong to no call.
  var refusals: [(leg: LegID, rejection: Rejection, causes: Causes)] = []
  /// Actions to complete whatever becomes of their calls.
  var failures: [ActionID] = []
  var fulfilments: [ActionID] = []
  /// Open actions whose outcome is known, with the causes that they were kept with.
  var completions: [(action: ActionID, isFulfilled: Bool, causes: Causes)] = []
  /// Legs whose digits signalling must stop sending.
  var haltedDigits: [LegID] = []
  /// Transfers that were asked for, with the leg that was begun for one, or none where it is declined.
  var transferAnswers: [(transfer: TransferID, leg: LegID?, causes: Causes)] = []
  /// What whoever asked for a transfer is to be told.
  var transferReports: [(transfer: TransferID, status: Int, causes: Causes)] = []
  /// How transfers go that the user wants.
  var transferNews: [(call: CallUUID, state: TransferState, causes: Causes)] = []
  /// Invitations that are made anew, perhaps in place of a leg.
  var invitations: [(leg: LegID, party: Party, replacing: LegID?, causes: Causes)] = []
  /// Legs whose session is to be offered anew.
  var renewals: [LegID] = []
  /// Calls that another leg carries from now on.
  var rebindings: [CallUUID] = []
  /// Wishes that cannot be met.
  var refusedIntents: [(intent: UserIntent, why: String, causes: Causes)] = []
  /// Why the input means nothing.
  var ignored: String?

  init(now: Instant, causes: Causes) {
    self.now = now
    self.causes = causes
  }

  /// Puts a command out. `realising` are the stored causes that it realises beside the input's own.
  mutating func emit(_ command: CoordinatorCommand, realising stored: Causes = []) {
    outputs.append(CoordinatorOutput(command, causes: causes.union(stored)))
  }
}
