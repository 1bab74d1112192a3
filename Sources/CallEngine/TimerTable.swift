import Instant

/// The timers that are set, in the order in which they were set.
struct TimerTable: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    let id: TimerID
    let deadline: Instant
  }

  private(set) var entries: [Entry] = []

  /// Whether no timer is set.
  var isEmpty: Bool { entries.isEmpty }

  /// A timer has fired; `false` if it is not set any more.
  mutating func fire(_ id: TimerID) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    entries.remove(at: index)
    return true
  }

  /// Makes the wanted timers those that are set, and returns what has to be cancelled and what to be set.
  mutating func adjust(to wanted: [Entry]) -> (cancelled: [TimerID], set: [Entry]) {
    let cancelled = entries.map(\.id).filter { id in !wanted.contains { $0.id == id } }
    let set = wanted.filter { !entries.contains($0) }
    entries = wanted
    return (cancelled, set)
  }
}

extension Call {
  /// The timers that the call needs in its present state.
  var wantedTimers: [TimerTable.Entry] {
    guard isLive else { return [] }
    var wanted: [TimerTable.Entry] = []
    if isPlaceholder, let deadline = placeholderDeadline {
      wanted.append(TimerTable.Entry(id: .placeholder(uuid), deadline: deadline))
    }
    if leg?.state == .ringing, intent.answer == nil, let deadline = ringDeadline {
      wanted.append(TimerTable.Entry(id: .ring(uuid), deadline: deadline))
    }
    for leg in legs {
      if leg.transfer != nil, let deadline = leg.answerDeadline {
        wanted.append(TimerTable.Entry(id: .transfer(leg.id), deadline: deadline))
      }
      if let deadline = leg.retirement { wanted.append(TimerTable.Entry(id: .retire(leg.id), deadline: deadline)) }
    }
    for action in actions {
      if let deadline = action.deadline {
        wanted.append(TimerTable.Entry(id: .watchdog(action.id), deadline: deadline))
      }
    }
    return wanted
  }
}
