import Instant
import Testing

@testable import CallEngine

/// The user transfers a call (LP-22, RFC 5589 6 and 7).
@Suite struct OutgoingTransferTests {
  private let transfer = TransferID(.local, 1)
  private let held = MediaState(isHeldHere: true)
  private let key2 = CallReference(callID: "K2")
  private let wish = UserIntent.transfer(uuid, to: carol)
  private let connection = UserIntent.connect(uuid, with: other)

  private func perform(_ number: Int, _ kind: ActionKind, _ call: CallUUID = uuid) -> CoordinatorInput {
    .perform(CallAction(id: ActionID(number), call: call, kind: kind, transaction: number))
  }

  /// The first call is held, the second one is to Carol: wanted, sent, ringing, answered.
  private var dialling: [CoordinatorInput] {
    Path.held + [
      .user(.dial(carol, freshUUID: other)), .requestCompleted(RequestID(1), .accepted),
      perform(1, .start(carol), other), .invitationSent(localLeg, key2), .progress(localLeg, .ringing),
    ]
  }
  private var both: [CoordinatorInput] { dialling + [.answered(localLeg)] }

  @Test("blind: held, agreed, asked, accepted, done, ended")
  func blind() {
    var bench = Bench(Path.active)
    #expect(
      bench.send(.user(wish)) == [
        .request(RequestID(1), [RequestedAction(id: ActionID(1), call: uuid, kind: .setHeld(true))])
      ])
    bench.send(.requestCompleted(RequestID(1), .accepted))
    let isAsked: (CoordinatorCommand) -> Bool = { if case .transfer = $0 { true } else { false } }
    #expect(!bench.send(perform(1, .setHeld(true))).contains(where: isAsked))
    #expect(bench.send(.negotiated(remoteLeg, held)).contains(.transfer(remoteLeg, transfer, to: .party(carol))))
    #expect(bench.send(.transferAdvanced(transfer, .accepted)) == [.showTransfer(uuid, .accepted)])
    #expect(
      bench.send(.transferAdvanced(transfer, .progress(status: 180))) == [
        .showTransfer(uuid, .progress(status: 180))
      ])
    #expect(isIgnored(bench.send(.transferAdvanced(transfer, .progress(status: 180)))))
    #expect(
      bench.send(.transferAdvanced(transfer, .succeeded)) == [
        .showTransfer(uuid, .succeeded),
        .request(RequestID(2), [RequestedAction(id: ActionID(2), call: uuid, kind: .end)]),
        .changeState(uuid, from: .held, to: .ending, end: nil),
      ])
    bench.send(.requestCompleted(RequestID(2), .accepted))
    #expect(
      bench.send(perform(2, .end)) == [
        .setAudioPlan(.off), .hangUp(remoteLeg), .fulfil(ActionID(2)),
        .changeState(uuid, from: .ending, to: .ended, end: .local),
      ])
    bench.send(.legEnded(remoteLeg, .local))
    bench.send(.audioDeactivated)
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("a call that is held already is asked at once, and is not resumed when nothing comes of it")
  func heldByTheUser() {
    var bench = Bench(Path.held)
    #expect(bench.send(.user(wish)) == [.transfer(remoteLeg, transfer, to: .party(carol))])
    #expect(
      bench.send(.transferAdvanced(transfer, .failed(status: 486))) == [.showTransfer(uuid, .failed(status: 486))])
    #expect(bench.coordinator.calls.map(\.headline) == [.held])
  }

  @Test(
    "nothing comes of it: a call that was held for it is resumed",
    arguments: [TransferState.failed(status: 486), .refused(status: 603), .refused(status: nil)])
  func resumed(state: TransferState) {
    var bench = Bench(Path.transferAsked)
    #expect(
      bench.send(.transferAdvanced(transfer, state)) == [
        .showTransfer(uuid, state),
        .request(RequestID(2), [RequestedAction(id: ActionID(2), call: uuid, kind: .setHeld(false))]),
      ])
  }

  @Test("where it is not known what has come of it, the call stays as it is")
  func unknown() {
    var bench = Bench(Path.transferAsked + [.transferAdvanced(transfer, .accepted)])
    #expect(bench.send(.transferAdvanced(transfer, .unknown)) == [.showTransfer(uuid, .unknown)])
    #expect(bench.coordinator.calls.map(\.headline) == [.held])
    #expect(bench.send(.user(wish)).contains(.transfer(remoteLeg, TransferID(.local, 2), to: .party(carol))))
  }

  @Test("the user resumes and holds again: the hold is theirs then")
  func resumedMeanwhile() {
    var bench = Bench(Path.transferAsked + [perform(7, .setHeld(false)), .negotiated(remoteLeg, MediaState())])
    bench.send(all: [perform(8, .setHeld(true)), .negotiated(remoteLeg, held)])
    #expect(
      bench.send(.transferAdvanced(transfer, .refused(status: 603))) == [.showTransfer(uuid, .refused(status: 603))])
  }

  @Test("a refused hold does not stand against it: no offer is outstanding")
  func refusedHold() {
    var bench = Bench(Path.transferWanted + [perform(1, .setHeld(true))])
    #expect(bench.send(.localHoldRefused(remoteLeg)).contains(.transfer(remoteLeg, transfer, to: .party(carol))))
  }

  @Test("what makes it impossible before it was asked for: the wish is refused, once")
  func obstacles() {
    let obstacles: [(CoordinatorInput, String)] = [
      (.legEnded(remoteLeg, .remoteHangUp), "the call is over"), (.user(.end(uuid)), "the call is over"),
      (.requestCompleted(RequestID(1), .refused(.invalidAction)), "the call is not held"),
    ]
    for (input, why) in obstacles {
      var bench = Bench(Path.active + [.user(wish)])
      let commands = bench.send(input)
      #expect(commands.contains(.refuseIntent(wish, why: why)), "\(input)")
      #expect(commands.contains(.showTransfer(uuid, .refused(status: nil))), "\(input)")
      #expect(bench.coordinator.transfers.isEmpty)
    }
    var bench = Bench(Path.transferWanted + [perform(1, .setHeld(true))])
    #expect(bench.send(perform(9, .setHeld(false))).contains(.refuseIntent(wish, why: "the call is not held")))
  }

  @Test("what cannot be transferred")
  func refusals() {
    let table: [([CoordinatorInput], UserIntent, String)] = [
      ([], wish, "the call is over"), (Path.ringing, wish, "the call is not up"),
      (Path.ringback, wish, "the call is not up"), (Path.active + [.user(.end(uuid))], wish, "the user ends the call"),
      (Path.transferWanted, wish, "the call is being transferred"),
      (Path.transferAsked, wish, "the call is being transferred"),
      (Path.active + [.referred(remoteLeg, TransferID(.remote, 1), carol)], wish, "the call is being transferred"),
      (both, .connect(uuid, with: uuid), "a call cannot be transferred to itself"),
      (Path.held, connection, "the call is over"),
      (both + [.user(connection)], .connect(other, with: uuid), "the other call is being transferred"),
      (
        Path.active + [invitation(CallReference(callID: "L"), otherLeg), .reportCompleted(other, .accepted)],
        connection,
        "the other call is not up"
      ),
    ]
    for (path, intent, why) in table {
      var bench = Bench(path)
      #expect(bench.send(.user(intent)).contains(.refuseIntent(intent, why: why)), "\(path), \(intent)")
    }
  }

  @Test("a REFER of the other side is declined while we transfer the call, and on the call that it is to have")
  func crossing() {
    for leg in [remoteLeg, localLeg] {
      var bench = Bench(both + [.user(connection)])
      #expect(
        bench.send(.referred(leg, TransferID(.remote, 1), alice)) == [
          .answerTransfer(TransferID(.remote, 1), accepts: false)
        ])
    }
  }

  @Test("attended: Carol takes the call of Alice, and both of ours end once, each in its own way, in either order")
  func attended() {
    for carolFirst in [true, false] {
      var bench = Bench(both)
      #expect(bench.send(.user(connection)) == [.transfer(remoteLeg, transfer, to: .leg(localLeg))])
      bench.send(.transferAdvanced(transfer, .accepted))
      let bye = { (bench: inout Bench) in
        let commands = bench.send(.legEnded(localLeg, .remoteHangUp))
        #expect(commands.contains(.reportEnded(other, .remoteEnded)))
        #expect(!commands.contains { if case .request = $0 { true } else { false } })
      }
      if carolFirst { bye(&bench) }
      #expect(
        bench.send(.transferAdvanced(transfer, .succeeded)).contains(
          .request(RequestID(2), [RequestedAction(id: ActionID(2), call: uuid, kind: .end)])))
      if !carolFirst { bye(&bench) }
      bench.send(.requestCompleted(RequestID(2), .accepted))
      #expect(bench.send(perform(2, .end)).contains(.changeState(uuid, from: .ending, to: .ended, end: .local)))
      bench.send(all: [.legEnded(remoteLeg, .local), .audioDeactivated])
      #expect(bench.coordinator.isQuiescent)
    }
  }

  @Test("Carol does not end what she has replaced: we do")
  func carolStays() {
    var bench = Bench(both + [.user(connection), .transferAdvanced(transfer, .accepted)])
    #expect(
      bench.send(.transferAdvanced(transfer, .succeeded), at: 1_000).contains(
        .setTimer(.retire(localLeg), at: milliseconds(33_000))))
    #expect(
      bench.send(.timerFired(.retire(localLeg))).contains {
        if case .request(_, let actions) = $0 {
          actions.map(\.call) == [other] && actions.map(\.kind) == [.end]
        } else {
          false
        }
      })
  }

  @Test("nothing comes of an attended one: both calls stay as they are")
  func attendedFails() {
    var bench = Bench(both + [.user(connection)])
    #expect(
      bench.send(.transferAdvanced(transfer, .failed(status: 486))) == [.showTransfer(uuid, .failed(status: 486))])
    #expect(bench.coordinator.calls.map(\.headline) == [.held, .active])
  }

  @Test("the call is active and the other one held: it is held first, and resumed if nothing comes of it")
  func attendedTheOtherWay() {
    var bench = Bench(both + [.user(.connect(other, with: uuid)), .requestCompleted(RequestID(2), .accepted)])
    bench.send(perform(2, .setHeld(true), other))
    #expect(bench.send(.negotiated(localLeg, held)).contains(.transfer(localLeg, transfer, to: .leg(remoteLeg))))
    #expect(
      bench.send(.transferAdvanced(transfer, .refused(status: 603))).contains {
        if case .request(_, let actions) = $0 { actions.map(\.kind) == [.setHeld(false)] } else { false }
      })
  }

  @Test("while it still rings at Carol's her answer is waited for (RFC 5589 7.6)")
  func semiAttended() {
    var bench = Bench(dialling)
    #expect(bench.send(.user(connection)) == [])
    #expect(bench.send(.answered(localLeg)).contains(.transfer(remoteLeg, transfer, to: .leg(localLeg))))
    var refused = Bench(dialling + [.user(connection)])
    #expect(
      refused.send(.legEnded(localLeg, .rejected(status: 486))).contains(
        .refuseIntent(connection, why: "the other call is over")))
  }

  @Test("Alice hangs up before she tells how it went: what comes later is told all the same")
  func byeBeforeTheNews() {
    var bench = Bench(Path.transferAsked + [.transferAdvanced(transfer, .accepted)])
    #expect(bench.send(.legEnded(remoteLeg, .remoteHangUp)).contains(.reportEnded(uuid, .remoteEnded)))
    #expect(!bench.coordinator.isQuiescent)
    #expect(bench.send(.transferAdvanced(transfer, .succeeded)) == [.showTransfer(uuid, .succeeded)])
    bench.send(.audioDeactivated)
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("the user ends the call in the middle: it ends once, whatever is told later")
  func userEnds() {
    var bench = Bench(Path.transferAsked + [.transferAdvanced(transfer, .accepted), action(9, .end)])
    #expect(bench.send(.transferAdvanced(transfer, .succeeded)) == [.showTransfer(uuid, .succeeded)])
    #expect(bench.send(.legEnded(remoteLeg, .local)) == [])
    #expect(bench.coordinator.isQuiescent)
  }

  @Test("somebody else has taken the call over meanwhile: it goes on with them")
  func replacedMeanwhile() {
    var bench = Bench(Path.transferAsked + [replacement(), .acceptSent(otherLeg), .acknowledged(otherLeg)])
    let commands = bench.send(.transferAdvanced(transfer, .succeeded))
    #expect(commands.first == .showTransfer(uuid, .succeeded))
    #expect(
      commands.dropFirst() == [
        .request(RequestID(2), [RequestedAction(id: ActionID(2), call: uuid, kind: .setHeld(false))])
      ])
  }

  private func eager(_ path: [CoordinatorInput]) -> Bench {
    var settings = EngineSettings()
    settings.resumesRemainingCall = true
    var bench = Bench()
    bench.coordinator = CallCoordinator(settings: settings)
    bench.send(all: path)
    return bench
  }

  private func resumes(_ commands: [CoordinatorCommand]) -> Bool {
    commands.contains {
      if case .request(_, let actions) = $0 { actions.map(\.kind) == [.setHeld(false)] } else { false }
    }
  }

  @Test("the app resumes what is left only after a call has ended, and never where the outcome is unknown")
  func remainingCallStaysHeld() {
    let accepted = CoordinatorInput.transferAdvanced(transfer, .accepted)
    let table: [([CoordinatorInput], CoordinatorInput)] = [
      (Path.held + [.user(wish)], .transferAdvanced(transfer, .failed(status: 486))),
      (Path.held + [.user(wish), accepted], .transferAdvanced(transfer, .unknown)),
      (
        both + [.user(connection), accepted, .legEnded(localLeg, .remoteHangUp)], .transferAdvanced(transfer, .unknown)
      ),
      (
        both + [perform(9, .setHeld(true), other), .user(connection), accepted], .transferAdvanced(transfer, .succeeded)
      ),
    ]
    for (path, input) in table {
      var bench = eager(path)
      #expect(!resumes(bench.send(input)), "\(path)")
    }
  }

  @Test("a wish that is given up when the other call ends leaves the call that is left to be resumed")
  func remainingCallAfterGivingUp() {
    var bench = eager(dialling + [.user(connection)])
    #expect(resumes(bench.send(.legEnded(localLeg, .rejected(status: 486)))))
  }

  @Test("the wish is given up while the hold for it is still to come: the resumption waits behind it")
  func holdStillToCome() {
    var bench = Bench(both + [.user(.connect(other, with: uuid))])
    #expect(!resumes(bench.send(.legEnded(remoteLeg, .remoteHangUp))))
    #expect(resumes(bench.send(.requestCompleted(RequestID(2), .accepted))))
  }

  @Test("a call that was to be replaced at the target is taken over by somebody else: its old leg is ended at once")
  func replacedAfterSuccess() {
    var bench = Bench(both + [.user(connection), .transferAdvanced(transfer, .succeeded)])
    bench.send(replacement(of: localLeg))
    #expect(bench.send(.acceptSent(otherLeg)).contains(.hangUp(localLeg)))
  }

  @Test("the app resumes what is left: not while it is being transferred, but when nothing has come of that")
  func remainingCall() {
    var bench = eager(both + [.user(connection), .transferAdvanced(transfer, .accepted)])
    #expect(!resumes(bench.send(.legEnded(localLeg, .remoteHangUp))))
    #expect(resumes(bench.send(.transferAdvanced(transfer, .failed(status: 481)))))
  }
}
