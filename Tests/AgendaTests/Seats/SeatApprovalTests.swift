import Agenda
import Testing

/// Requests to join, on which the organizer decides.
@Suite struct SeatApprovalTests {
    private let anna = SeatTable.anna
    private let ben = SeatTable.ben
    private let carl = SeatTable.carl

    @Test func `A request takes no seat until the organizer approves`() {
        var table = SeatTable(seats: 2, needsApproval: true)
        #expect(table.join(anna) == .requested)
        #expect(table.notices == ["requested anna 1"])
        #expect(table.join(anna) == .alreadyRequested)
        #expect(table.notices.isEmpty)
        #expect(table.plan.taken == 1)
        #expect(table.decide(.admit(anna)) == .admitted(position: nil))
        #expect(table.notices == ["admitted anna 1"])
        #expect(table.decide(.admit(anna)) == .alreadyIn)
        #expect(table.decide(.refuse(anna)) == .alreadyIn)
        #expect(table.decide(.admit(ben)) == .notIn)
    }

    @Test func `A person approved for a full meeting waits in the order of the requests`() {
        var table = SeatTable(seats: 2, needsApproval: true)
        for person in [anna, ben, carl] { _ = table.join(person) }
        _ = table.decide(.admit(anna))
        #expect(table.decide(.admit(carl)) == .admitted(position: 1))
        #expect(table.notices == ["queued carl 3"])
        #expect(table.decide(.admit(ben)) == .admitted(position: 1))
        #expect(table.names(.waiting) == ["ben", "carl"])
        _ = table.leave(anna)
        #expect(table.notices == ["left anna 1", "promoted ben 2", "joined ben 2"])
    }

    @Test func `An approval fails while the meeting is full and nobody can wait`() {
        var table = SeatTable(seats: 2, hasWaitingList: false, needsApproval: true)
        _ = table.join(anna)
        _ = table.join(ben)
        _ = table.decide(.admit(anna))
        let before = table.plan
        #expect(table.decide(.admit(ben)) == .full)
        #expect(table.plan == before)
    }

    @Test func `A refused person cannot ask again, but can be invited or approved later`() {
        var table = SeatTable(seats: 3, needsApproval: true)
        _ = table.join(anna)
        _ = table.join(ben)
        #expect(table.decide(.refuse(anna)) == .refused)
        #expect(table.notices == ["refused anna 1"])
        #expect(table.decide(.refuse(ben)) == .refused)
        #expect(table.join(anna) == .notAdmitted)
        #expect(table.leave(anna) == .notIn)
        #expect(table.ask(.setPlus(anna, 1), by: anna) == .notIn)
        #expect(table.decide(.refuse(anna)) == .notAdmitted)
        #expect(table.join(anna, isInvited: true) == .joined)
        #expect(table.notices == ["joined anna 3"])
        #expect(table.decide(.admit(ben)) == .admitted(position: nil))
    }

    @Test func `A person can take back a request`() {
        var table = SeatTable(seats: 2, needsApproval: true)
        _ = table.join(anna)
        #expect(table.leave(anna) == .left(.requested))
        #expect(table.notices.isEmpty)
        #expect(table.join(anna) == .requested)
        #expect(table.notices == ["requested anna 2"])
    }

    @Test func `Invited people need no approval`() {
        var table = SeatTable(seats: 2, needsApproval: true)
        _ = table.join(ben)
        #expect(table.join(ben, isInvited: true) == .joined)
        #expect(table.plan.member(ben)?.asked == 1)
        #expect(table.join(anna, isInvited: true) == .waiting(position: 1))
    }

    @Test func `Open requests are carried out when approval is turned off`() {
        var table = SeatTable(seats: 3, needsApproval: true)
        _ = table.join(anna, plus: 1)
        _ = table.join(ben, plus: 1)
        #expect(table.decide(.setApproval(false)) == .approvalSet(requests: 0))
        #expect(table.notices == ["admitted anna 1", "queued ben 2"])
        var closed = SeatTable(seats: 3, hasWaitingList: false, needsApproval: true)
        _ = closed.join(anna, plus: 1)
        _ = closed.join(ben)
        #expect(closed.decide(.setApproval(false)) == .approvalSet(requests: 1))
        #expect(closed.join(ben) == .full)
        _ = closed.leave(anna)
        #expect(closed.join(ben) == .joined)
        #expect(closed.plan.member(ben)?.asked == 2)
    }

    @Test func `Every refusal has a code and every success has none`() {
        let done: [SeatAnswer] = [
            .joined, .waiting(position: 1), .requested, .left(.going), .partySet(seats: 2),
            .removed, .admitted(position: nil), .refused, .seatsSet(over: 1),
            .waitingListSet(waiting: 0), .approvalSet(requests: 0), .settled,
        ]
        #expect(done.allSatisfy { $0.refusalCode == nil })
        #expect(SeatAnswer.alreadyIn.refusalCode == "already_joined")
        #expect(SeatAnswer.alreadyWaiting(position: 2).refusalCode == "waiting")
        #expect(SeatAnswer.notOpen.refusalCode == "unknown_meeting")
    }
}
