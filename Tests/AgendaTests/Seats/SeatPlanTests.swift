import Agenda
import Testing
import Timekeeping

/// Joining and leaving a meeting with seats.
@Suite struct SeatPlanTests {
    private let anna = SeatTable.anna
    private let ben = SeatTable.ben
    private let carl = SeatTable.carl
    private let dora = SeatTable.dora

    @Test func `The organizer takes a seat and cannot join or leave`() {
        var table = SeatTable(seats: 3)
        #expect(table.plan.taken == 1)
        #expect(table.plan.takenByOthers == 0)
        let before = table.plan
        #expect(table.join(SeatTable.organizer) == .ownMeeting)
        #expect(table.leave(SeatTable.organizer) == .ownMeeting)
        #expect(table.decide(.remove(SeatTable.organizer)) == .ownMeeting)
        #expect(table.decide(.admit(SeatTable.organizer)) == .ownMeeting)
        #expect(table.plan == before)
    }

    @Test func `A person who joins or leaves twice changes nothing the second time`() {
        var table = SeatTable(seats: 3)
        #expect(table.leave(anna) == .notIn)
        #expect(table.join(anna, plus: 1) == .joined)
        #expect(table.notices == ["joined anna 1"])
        let joined = table.plan
        #expect(table.join(anna) == .alreadyIn)
        #expect(table.plan == joined)
        #expect(table.notices.isEmpty)
        #expect(table.leave(anna) == .left(.going))
        #expect(table.notices == ["left anna 1"])
        let left = table.plan
        #expect(table.leave(anna) == .notIn)
        #expect(table.plan == left)
    }

    @Test func `People wait in order, and the first gets the seat that somebody leaves`() {
        var table = SeatTable(seats: 2)
        #expect(table.join(anna) == .joined)
        #expect(table.join(ben) == .waiting(position: 1))
        #expect(table.notices.isEmpty)
        #expect(table.join(carl) == .waiting(position: 2))
        #expect(table.join(carl) == .alreadyWaiting(position: 2))
        #expect(table.leave(anna) == .left(.going))
        #expect(table.notices == ["left anna 1", "promoted ben 2", "joined ben 2"])
        #expect(table.plan.position(of: carl) == 1)
        #expect(table.join(anna) == .waiting(position: 2))
    }

    @Test func `A person who leaves the waiting list frees no seat`() {
        var table = SeatTable(seats: 2)
        _ = table.join(anna)
        _ = table.join(ben)
        _ = table.join(carl)
        #expect(table.leave(ben) == .left(.waiting))
        #expect(table.notices.isEmpty)
        #expect(table.plan.position(of: carl) == 1)
    }

    @Test func `The first party that fits is promoted before a larger one`() {
        var table = SeatTable(seats: 4)
        _ = table.join(anna, plus: 1)
        _ = table.join(ben)
        #expect(table.join(carl, plus: 2) == .waiting(position: 1))
        #expect(table.join(dora, plus: 1) == .waiting(position: 2))
        #expect(table.leave(anna) == .left(.going))
        #expect(table.notices == ["left anna 1", "promoted dora 4", "joined dora 4"])
        #expect(table.leave(ben) == .left(.going))
        #expect(table.names(.waiting) == ["carl"])
        #expect(table.leave(dora) == .left(.going))
        #expect(table.notices == ["left dora 4", "promoted carl 3", "joined carl 3"])
    }

    @Test func `A small party joins past a larger one that does not fit`() {
        var table = SeatTable(seats: 3)
        _ = table.join(anna)
        #expect(table.join(ben, plus: 1) == .waiting(position: 1))
        #expect(table.join(carl) == .joined)
    }

    @Test func `A join does not overtake a person who waits and fits`() {
        // Ben has waited since the meeting was over. Now it has a new time.
        let members = [
            SeatMember(person: ben, standing: .waiting, asked: 4)
        ]
        var table = SeatTable(seats: 2)
        table.plan = SeatPlan(
            organizer: SeatTable.organizer, seats: 2, members: members, lastAsked: 7)
        #expect(table.join(anna) == .waiting(position: 1))
        #expect(table.notices == ["promoted ben 4", "joined ben 4"])
        #expect(table.plan.member(anna)?.asked == 8)
    }

    @Test func `A promoted person who says no passes the seat on, and an old no does nothing`() {
        var table = SeatTable(seats: 2)
        _ = table.join(anna)
        _ = table.join(ben)
        _ = table.join(carl)
        #expect(table.ask(.declinePromotion(ben, asked: 2), by: ben) == .promotionPassed)
        _ = table.leave(anna)
        #expect(table.ask(.declinePromotion(ben, asked: 2), by: ben) == .left(.going))
        #expect(table.notices == ["left ben 2", "promoted carl 3", "joined carl 3"])
        #expect(table.ask(.declinePromotion(ben, asked: 2), by: ben) == .notIn)
        #expect(table.join(ben) == .waiting(position: 1))
        _ = table.leave(carl)
        #expect(table.names(.going) == ["organizer", "ben"])
        #expect(table.ask(.declinePromotion(ben, asked: 2), by: ben) == .promotionPassed)
        #expect(table.names(.going) == ["organizer", "ben"])
    }

    @Test func `A person who is removed frees the seat without a message about it`() {
        var table = SeatTable(seats: 2)
        _ = table.join(anna)
        _ = table.join(ben)
        #expect(table.ask(.remove(anna), by: nil) == .removed)
        #expect(table.notices == ["promoted ben 2", "joined ben 2"])
        _ = table.join(carl)
        #expect(table.decide(.remove(ben)) == .removed)
        #expect(table.notices == ["promoted carl 3"])
        #expect(table.decide(.remove(ben)) == .notIn)
    }

    @Test func `Only invited people can join a meeting that is not open`() {
        var table = SeatTable(seats: 2, isOpen: false)
        #expect(table.join(anna) == .notOpen)
        #expect(table.join(ben, isInvited: true) == .joined)
        #expect(table.join(carl, isInvited: true) == .waiting(position: 1))
        table.plan.phase = .over
        #expect(table.join(anna) == .notOpen)
        #expect(table.join(ben) == .over)
    }

    @Test(arguments: [(SeatPhase.over, SeatAnswer.over), (.cancelled, .cancelled)])
    func `Nobody joins, leaves or is promoted when a meeting is over or cancelled`(
        _ phase: SeatPhase, _ refusal: SeatAnswer
    ) {
        var table = SeatTable(seats: 2)
        _ = table.join(anna)
        _ = table.join(ben)
        table.plan.phase = phase
        let before = table.plan
        #expect(table.join(carl) == refusal)
        #expect(table.leave(anna) == refusal)
        #expect(table.decide(.setSeats(9)) == refusal)
        #expect(table.plan == before)
        #expect(table.ask(.remove(anna), by: nil) == .removed)
        #expect(table.names(.waiting) == ["ben"])
        table.plan.phase = .coming
        #expect(table.ask(.settle, by: nil) == .settled)
        #expect(table.notices == ["promoted ben 2", "joined ben 2"])
    }

    @Test func `The phase is over from the end on, and cancelled before that`() {
        let end = Moment(seconds: 1000)
        let before = end.advanced(byMilliseconds: -1)
        #expect(SeatPhase(of: .confirmed, endsAt: end, now: before) == .coming)
        #expect(SeatPhase(of: .confirmed, endsAt: end, now: end) == .over)
        #expect(SeatPhase(of: .cancelled, endsAt: end, now: end) == .cancelled)
    }

    @Test func `A plan repairs stored members`() {
        let members = [
            SeatMember(person: ben, standing: .waiting, asked: 3),
            SeatMember(person: anna, plus: 99, standing: .going, asked: 2),
            SeatMember(person: ben, standing: .going, asked: 1),
            SeatMember(person: SeatTable.organizer, plus: -1, standing: .refused, asked: 4),
        ]
        let plan = SeatPlan(organizer: SeatTable.organizer, seats: 0, members: members)
        #expect(plan.seats == 1)
        #expect(plan.members.map(\.asked) == [1, 2, 4])
        #expect(plan.member(anna)?.plus == Participant.plusMax)
        #expect(plan.member(SeatTable.organizer)?.standing == .going)
        #expect(plan.lastAsked == 4)
    }
}
