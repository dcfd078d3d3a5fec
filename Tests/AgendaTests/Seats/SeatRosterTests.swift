import Agenda
import Ledger
import Testing
import Timekeeping

/// The bridge between stored answers and the rules of seats.
@Suite struct SeatRosterTests {
    private let olga = PersonID(text: "olga")
    private let anna = PersonID(text: "anna")
    private let ben = PersonID(text: "ben")
    private let now = Moment(milliseconds: 1_800_000_000_000)

    private func person(
        _ id: PersonID, _ answer: Answer, plus: Int = 0, asked: Int? = nil
    ) -> Participant {
        var participant = Participant(person: id, answer: answer, plus: plus)
        participant.asked = asked
        return participant
    }

    private func plan(_ roster: SeatRoster, seats: Int? = 3) -> SeatPlan {
        roster.plan(by: Seating(audience: .everyone, seats: seats), organizer: olga, phase: .coming)
    }

    @Test func `Only who is going takes seats, with guests`() {
        let roster = SeatRoster(participants: [
            person(olga, .going), person(anna, .going, plus: 1, asked: 1), person(ben, .maybe),
        ])
        #expect(plan(roster).taken == 3)
    }

    @Test func `An outdated yes keeps its seat`() {
        var late = person(anna, .going, asked: 1)
        late.isOutdated = true
        let roster = SeatRoster(participants: [person(olga, .going), late])
        #expect(plan(roster).taken == 2)
    }

    @Test func `A new yes becomes a request of an invited person`() {
        let old = SeatRoster(participants: [person(olga, .going), person(anna, .invited)])
        var new = old
        new.participants[1].answer = .going
        #expect(new.requests(since: plan(old)) == [.join(anna, plus: 0, isInvited: true)])
    }

    @Test func `Who leaves comes before who joins`() {
        let old = SeatRoster(participants: [
            person(olga, .going), person(anna, .invited), person(ben, .going, asked: 1),
        ])
        var new = old
        new.participants[1].answer = .going
        new.participants[2].answer = .declined
        #expect(
            new.requests(since: plan(old)) == [
                .leave(ben), .join(anna, plus: 0, isInvited: true),
            ])
    }

    @Test func `A newcomer is entered as joined, with the revision that they know`() throws {
        var roster = SeatRoster(participants: [person(olga, .going)])
        let decision = plan(roster).apply(.join(anna, plus: 1), by: anna)
        roster.take(decision.plan, note: "Hi", revision: 4, now: now)
        let joined = try #require(roster.participants.last)
        #expect(joined.person == anna)
        #expect(joined.answer == .going)
        #expect(joined.plus == 1)
        #expect(joined.note == "Hi")
        #expect(joined.joinedRevision == 4)
        #expect(joined.asked == 1)
    }

    @Test func `A request keeps its note when others are decided`() throws {
        var roster = SeatRoster(participants: [person(olga, .going)])
        var seating = Seating(audience: .everyone, seats: 2)
        seating.needsApproval = true
        let first = roster.plan(by: seating, organizer: olga, phase: .coming)
            .apply(.join(anna), by: anna)
        roster.take(first.plan, note: "Please", revision: 1, now: now)
        let second = first.plan.apply(.join(ben), by: ben)
        roster.take(second.plan, note: "Me too", revision: 1, now: now)
        #expect(roster.requests.map(\.note) == ["Please", "Me too"])
    }

    @Test func `Who joined and leaves is no longer in the meeting`() {
        var joined = person(anna, .going, asked: 1)
        joined.joinedRevision = 1
        var roster = SeatRoster(participants: [person(olga, .going), joined, person(ben, .going)])
        roster.leave(anna)
        roster.leave(ben)
        #expect(roster.participants.map(\.isRemoved) == [false, true, false])
        #expect(roster.participants[1].hasLeft)
        #expect(roster.participants[2].answer == .declined)
    }

    @Test func `Who waits for all dates waits for none of them`() {
        let all = [person(olga, .going), person(anna, .waiting, asked: 1)]
        let roster = SeatRoster(all: all, special: [person(ben, .waiting, asked: 2)])
        #expect(plan(roster).waiting.map(\.person) == [ben])
    }

    @Test func `Joining all dates needs room on each date`() {
        let all = [person(olga, .going)]
        let date = all.on([person(ben, .going, plus: 1, asked: 1)])
        var roster = SeatRoster(participants: all)
        roster.takenOnDates = Meeting.seatsTakenOnDates(beside: all, [date])
        #expect(roster.takenOnDates == 2)
        #expect(plan(roster).apply(.join(anna), by: anna).answer == .waiting(position: 1))
        #expect(plan(roster, seats: 4).apply(.join(anna), by: anna).answer == .joined)
    }

    @Test func `Who declined a date takes no seat there`() {
        let all = [person(olga, .going), person(anna, .going, asked: 1)]
        let roster = SeatRoster(all: all, special: [person(anna, .declined)])
        #expect(plan(roster).taken == 1)
    }

    @Test func `Marks of notices are read as they were written`() {
        #expect(NotificationMark(admission: .waiting, asked: 7).admission == .waiting)
        #expect(NotificationMark(promotion: 7).text == "7")
        #expect(NotificationMark(promotion: 7).admission == nil)
        #expect(NotificationMark(Quorum.Outcome.cancelled).decision == .cancelled)
    }
}
