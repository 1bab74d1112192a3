import Instant
import Testing

@testable import SIP

/// Every state of the four machines meets every event; the tables are what RFC 3261 17 and RFC 6026 say.
@Suite struct TransactionMachineTests {
  /// One event at a machine. Which events a machine has differs, so an event that it lacks is left out of its table.
  enum Event: Hashable, Sendable {
    case receive(Int)
    case send(Int)
    case again, ack
    case fire(TransactionTimer.Letter)
  }

  /// One row of a table: in this state, this event, leads to this state with these actions; `nil` is a refusal.
  private func check<State: Hashable, Machine>(
    _ name: String, _ machine: Machine, events: [(Event, State, [TransactionAction]?)], state: KeyPath<Machine, State>,
    apply: (inout Machine, Event) -> [TransactionAction]?
  ) {
    for (event, expectedState, expectedActions) in events {
      var copy = machine
      let actions = apply(&copy, event)
      #expect(actions == expectedActions, "\(name), \(event)")
      #expect(copy[keyPath: state] == expectedState, "\(name), \(event)")
    }
  }

  private static let wait = TransactionTiming.timeout
  private static let letters = TransactionTimer.Letter.allCases

  @Test(arguments: [false, true]) func inviteClient(isReliable: Bool) {
    typealias State = InviteClientTransaction.State
    let apply = { (machine: inout InviteClientTransaction, event: Event) -> [TransactionAction]? in
      switch event {
      case .receive(let status): machine.receive(status: status)
      case .fire(let letter): machine.fire(letter)
      case .send, .again, .ack: nil
      }
    }
    let calling = InviteClientTransaction(isReliable: isReliable)
    let b = TransactionAction.set(.b, after: Self.wait)
    #expect(calling.begin() == (isReliable ? [b] : [.set(.a, after: .milliseconds(500)), b]))
    var proceeding = calling
    _ = proceeding.receive(status: 180)
    var accepted = calling
    _ = accepted.receive(status: 200)
    var completed = calling
    _ = completed.receive(status: 486)

    let stop: [TransactionAction] = [.cancel(.a), .cancel(.b)]
    let end: TransactionAction = isReliable ? .terminate : .set(.d, after: .seconds(32))
    let answered: [(Event, State, [TransactionAction]?)] =
      [200, 299].map { (.receive($0), .accepted, stop + [.set(.m, after: .seconds(32)), .deliver(isRepeated: false)]) }
      + [300, 486, 699].map {
        (.receive($0), .completed, stop + [.acknowledge, .deliver(isRepeated: false), end])
      }
    func timers(_ state: State, except: [TransactionTimer.Letter]) -> [(Event, State, [TransactionAction]?)] {
      Self.letters.filter { !except.contains($0) }.map { (.fire($0), state, []) }
    }
    let provisionals = [100, 180, 199]
    check(
      "calling", calling,
      events: provisionals.map { (.receive($0), .proceeding, stop + [.deliver(isRepeated: false)]) } + answered
        + [
          (.fire(.a), .calling, [.repeatLast, .set(.a, after: .seconds(1))]),
          (.fire(.b), .calling, [.giveUp, .terminate]),
        ] + timers(.calling, except: [.a, .b]), state: \.state, apply: apply)
    check(
      "proceeding", proceeding,
      events: provisionals.map { (.receive($0), .proceeding, [.deliver(isRepeated: false)]) } + answered
        + timers(.proceeding, except: []), state: \.state, apply: apply)
    check(
      "accepted", accepted,
      events: provisionals.map { (.receive($0), .accepted, [.absorb]) }
        + [200, 299].map { (.receive($0), .accepted, [.deliver(isRepeated: true)]) }
        + [300, 486, 699].map { (.receive($0), .accepted, [.absorb]) }
        + [(.fire(.m), .accepted, [.terminate])] + timers(.accepted, except: [.m]), state: \.state, apply: apply)
    check(
      "completed", completed,
      events: provisionals.map { (.receive($0), .completed, [.absorb]) }
        + [200, 299].map { (.receive($0), .completed, [.deliver(isRepeated: false)]) }
        + [300, 486, 699].map { (.receive($0), .completed, [.acknowledge, .absorb]) }
        + [(.fire(.d), .completed, [.terminate])] + timers(.completed, except: [.d]), state: \.state, apply: apply)
  }

  @Test(arguments: [false, true]) func otherClient(isReliable: Bool) {
    typealias State = NonInviteClientTransaction.State
    let apply = { (machine: inout NonInviteClientTransaction, event: Event) -> [TransactionAction]? in
      switch event {
      case .receive(let status): machine.receive(status: status)
      case .fire(let letter): machine.fire(letter)
      case .send, .again, .ack: nil
      }
    }
    let trying = NonInviteClientTransaction(isReliable: isReliable)
    let f = TransactionAction.set(.f, after: Self.wait)
    #expect(trying.begin() == (isReliable ? [f] : [.set(.e, after: .milliseconds(500)), f]))
    var proceeding = trying
    _ = proceeding.receive(status: 100)
    var completed = trying
    _ = completed.receive(status: 200)

    let end: TransactionAction = isReliable ? .terminate : .set(.k, after: .seconds(5))
    let answers: [(Event, State, [TransactionAction]?)] =
      [100, 199].map { (.receive($0), .proceeding, [.deliver(isRepeated: false)]) }
      + [200, 300, 699].map {
        (.receive($0), .completed, [.cancel(.e), .cancel(.f), .deliver(isRepeated: false), end])
      }
    func timers(_ state: State, except: [TransactionTimer.Letter]) -> [(Event, State, [TransactionAction]?)] {
      Self.letters.filter { !except.contains($0) }.map { (.fire($0), state, []) }
    }
    check(
      "trying", trying,
      events: answers + [
        (.fire(.e), .trying, [.repeatLast, .set(.e, after: .seconds(1))]),
        (.fire(.f), .trying, [.giveUp, .terminate]),
      ] + timers(.trying, except: [.e, .f]), state: \.state, apply: apply)
    check(
      "proceeding", proceeding,
      events: answers + [
        (.fire(.e), .proceeding, [.repeatLast, .set(.e, after: .seconds(4))]),
        (.fire(.f), .proceeding, [.giveUp, .terminate]),
      ] + timers(.proceeding, except: [.e, .f]), state: \.state, apply: apply)
    check(
      "completed", completed,
      events: [100, 199, 200, 300, 699].map { (.receive($0), .completed, [.absorb]) }
        + [(.fire(.k), .completed, [.terminate])] + timers(.completed, except: [.k]), state: \.state, apply: apply)
  }

  @Test(arguments: [false, true]) func inviteServer(isReliable: Bool) {
    typealias State = InviteServerTransaction.State
    let apply = { (machine: inout InviteServerTransaction, event: Event) -> [TransactionAction]? in
      switch event {
      case .send(let status): machine.send(status: status)
      case .again: machine.receiveRepetition()
      case .ack: machine.receiveAcknowledgement()
      case .fire(let letter): machine.fire(letter)
      case .receive: nil
      }
    }
    let proceeding = InviteServerTransaction(isReliable: isReliable)
    var accepted = proceeding
    _ = accepted.send(status: 200)
    var completed = proceeding
    _ = completed.send(status: 486)
    var confirmed = completed
    _ = confirmed.receiveAcknowledgement()

    let h = TransactionAction.set(.h, after: .seconds(32))
    let refused: [TransactionAction] = isReliable ? [h] : [.set(.g, after: .milliseconds(500)), h]
    let end: TransactionAction = isReliable ? .terminate : .set(.i, after: .seconds(5))
    func timers(_ state: State, except: [TransactionTimer.Letter]) -> [(Event, State, [TransactionAction]?)] {
      Self.letters.filter { !except.contains($0) }.map { (.fire($0), state, []) }
    }
    func late(_ state: State, _ statuses: [Int]) -> [(Event, State, [TransactionAction]?)] {
      statuses.map { (.send($0), state, nil) }
    }
    check(
      "proceeding", proceeding,
      events: [100, 199].map { (.send($0), .proceeding, []) }
        + [200, 299].map { (.send($0), .accepted, [.set(.l, after: .seconds(32))]) }
        + [300, 699].map { (.send($0), .completed, refused) }
        + [(.again, .proceeding, [.repeatLast, .absorb]), (.ack, .proceeding, [.absorb])]
        + timers(.proceeding, except: []), state: \.state, apply: apply)
    check(
      "accepted", accepted,
      events: late(.accepted, [100, 199, 300, 699]) + [200, 299].map { (.send($0), .accepted, []) }
        + [(.again, .accepted, [.absorb]), (.ack, .accepted, nil), (.fire(.l), .accepted, [.terminate])]
        + timers(.accepted, except: [.l]), state: \.state, apply: apply)
    check(
      "completed", completed,
      events: late(.completed, [100, 199, 200, 299, 300, 699]) + [
        (.again, .completed, [.repeatLast, .absorb]), (.ack, .confirmed, [.cancel(.g), .cancel(.h), end]),
        (.fire(.g), .completed, [.repeatLast, .set(.g, after: .seconds(1))]),
        (.fire(.h), .completed, [.giveUp, .terminate]),
      ] + timers(.completed, except: [.g, .h]), state: \.state, apply: apply)
    check(
      "confirmed", confirmed,
      events: late(.confirmed, [100, 199, 200, 299, 300, 699])
        + [(.again, .confirmed, [.absorb]), (.ack, .confirmed, [.absorb]), (.fire(.i), .confirmed, [.terminate])]
        + timers(.confirmed, except: [.i]), state: \.state, apply: apply)
  }

  @Test(arguments: [false, true]) func otherServer(isReliable: Bool) {
    typealias State = NonInviteServerTransaction.State
    let apply = { (machine: inout NonInviteServerTransaction, event: Event) -> [TransactionAction]? in
      switch event {
      case .send(let status): machine.send(status: status)
      case .again: machine.receiveRepetition()
      case .fire(let letter): machine.fire(letter)
      case .receive, .ack: nil
      }
    }
    let trying = NonInviteServerTransaction(isReliable: isReliable)
    var proceeding = trying
    _ = proceeding.send(status: 100)
    var completed = trying
    _ = completed.send(status: 200)
    let end: TransactionAction = isReliable ? .terminate : .set(.j, after: .seconds(32))
    let answers: [(Event, State, [TransactionAction]?)] =
      [100, 199].map { (.send($0), .proceeding, []) } + [200, 300, 699].map { (.send($0), .completed, [end]) }
    func timers(_ state: State, except: [TransactionTimer.Letter]) -> [(Event, State, [TransactionAction]?)] {
      Self.letters.filter { !except.contains($0) }.map { (.fire($0), state, []) }
    }
    check(
      "trying", trying, events: answers + [(.again, .trying, [.absorb])] + timers(.trying, except: []),
      state: \.state, apply: apply)
    check(
      "proceeding", proceeding,
      events: answers + [(.again, .proceeding, [.repeatLast, .absorb])] + timers(.proceeding, except: []),
      state: \.state, apply: apply)
    check(
      "completed", completed,
      events: [100, 199, 200, 300, 699].map { (.send($0), .completed, nil) }
        + [(.again, .completed, [.repeatLast, .absorb]), (.fire(.j), .completed, [.terminate])]
        + timers(.completed, except: [.j]), state: \.state, apply: apply)
  }
}
