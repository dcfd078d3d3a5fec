import Agenda
import Testing

/// The number of seats, the size of parties, and the waiting list.
@Suite struct SeatLimitTests {
    private let anna = SeatTable.anna
    private let ben = SeatTable.ben
    private let carl = SeatTable.carl
    private let dora = SeatTable.dora

    @Test func `More seats promote all who fit`() {
        var table = SeatTable(seats: 1)
        #expect(table.join(anna) == .waiting(position: 1))
        #expect(table.decide(.setSeats(3)) == .seatsSet(over: 0))
        _ = table.join(ben)
        _ = table.join(carl)
        _ = table.join(dora)
        #expect(table.names(.waiting) == ["carl", "dora"])
        #expect(table.decide(.setSeats(4)) == .seatsSet(over: 0))
        // The organizer did it, so only Carl is notified.
        #expect(table.notices == ["promoted carl 3"])
        #expect(table.decide(.setSeats(nil)) == .seatsSet(over: 0))
        #expect(table.plan.waiting.isEmpty)
        #expect(table.plan.free == nil)
    }

    @Test func `Fewer seats than are taken need a confirmation, and nobody loses a seat`() {
        var table = SeatTable(seats: nil)
        _ = table.join(anna, plus: 1)
        _ = table.join(ben)
        let before = table.plan
        #expect(table.decide(.setSeats(2)) == .seatsBelowGoing(over: 2))
        #expect(table.plan == before)
        #expect(table.decide(.setSeats(2, isConfirmed: true)) == .seatsSet(over: 2))
        #expect(table.names(.going) == ["organizer", "anna", "ben"])
        #expect(table.plan.over == 2)
        // Still too few, but more than before: no question.
        #expect(table.decide(.setSeats(3)) == .seatsSet(over: 1))
        #expect(table.join(carl) == .waiting(position: 1))
        #expect(table.leave(ben) == .left(.going))
        #expect(table.names(.waiting) == ["carl"])
        #expect(table.leave(anna) == .left(.going))
        #expect(table.names(.going) == ["organizer", "carl"])
        #expect(table.decide(.setSeats(0)) == .tooFewSeats)
    }

    @Test func `A party that can never fit is refused with the largest that can`() {
        var table = SeatTable(seats: 4)
        #expect(table.join(anna, plus: 3) == .partyTooLarge(largest: 3))
        #expect(table.join(anna, plus: 2) == .joined)
        #expect(table.join(ben, plus: 2) == .waiting(position: 1))
        #expect(table.ask(.setPlus(SeatTable.organizer, 1), by: nil) == .partyTooLarge(largest: 1))
        var open = SeatTable(seats: nil)
        #expect(open.join(anna, plus: 51) == .partyTooLarge(largest: 51))
        #expect(open.join(anna, plus: .max) == .partyTooLarge(largest: 51))
        #expect(open.join(anna, plus: .min) == .joined)
        #expect(open.plan.taken == 2)
    }

    @Test func `One person can always wait, even if the organizer has all seats`() {
        var table = SeatTable(seats: 1)
        #expect(table.join(anna, plus: 1) == .partyTooLarge(largest: 1))
        #expect(table.join(anna) == .waiting(position: 1))
    }

    @Test func `A meeting without a waiting list is full, or has too few seats for a party`() {
        var table = SeatTable(seats: 3, hasWaitingList: false)
        #expect(table.join(anna, plus: 5) == .partyTooLarge(largest: 2))
        #expect(table.join(anna) == .joined)
        #expect(table.join(ben, plus: 1) == .partyTooLarge(largest: 1))
        #expect(table.join(ben) == .joined)
        #expect(table.join(carl) == .full)
        #expect(table.plan.member(carl) == nil)
        #expect(table.plan.lastAsked == 2)
    }

    @Test func `People keep their places when the waiting list is turned off`() {
        var table = SeatTable(seats: 2)
        _ = table.join(anna)
        _ = table.join(ben)
        #expect(table.decide(.setWaitingList(false)) == .waitingListSet(waiting: 1))
        #expect(table.join(carl) == .full)
        _ = table.leave(anna)
        #expect(table.names(.going) == ["organizer", "ben"])
        #expect(table.decide(.setWaitingList(true)) == .waitingListSet(waiting: 0))
        #expect(table.join(carl) == .waiting(position: 1))
    }

    @Test func `A party grows only into free seats, and frees seats when it shrinks`() {
        var table = SeatTable(seats: 5)
        #expect(table.join(anna, plus: 1) == .joined)
        #expect(table.ask(.setPlus(anna, 4), by: anna) == .partyTooLarge(largest: 4))
        #expect(table.ask(.setPlus(anna, 3), by: anna) == .partySet(seats: 4))
        #expect(table.join(ben, plus: 1) == .waiting(position: 1))
        #expect(table.ask(.setPlus(anna, 2), by: anna) == .partySet(seats: 3))
        #expect(table.notices.isEmpty)
        #expect(table.ask(.setPlus(anna, 1), by: anna) == .partySet(seats: 2))
        #expect(table.notices == ["promoted ben 2", "joined ben 2"])
        #expect(table.ask(.setPlus(carl, 1), by: carl) == .notIn)
    }

    @Test func `A waiting party that brings fewer guests gets seats if it fits then`() {
        var table = SeatTable(seats: 3)
        _ = table.join(anna)
        #expect(table.join(ben, plus: 1) == .waiting(position: 1))
        var told = table
        #expect(table.ask(.setPlus(ben, 0), by: ben) == .joined)
        #expect(table.notices == ["joined ben 2"])
        #expect(told.ask(.setPlus(ben, 0), by: SeatTable.organizer) == .joined)
        #expect(told.notices == ["promoted ben 2"])
    }

    @Test func `A party may shrink while more seats are taken than there are`() {
        var table = SeatTable(seats: nil)
        _ = table.join(anna, plus: 9)
        _ = table.decide(.setSeats(2, isConfirmed: true))
        #expect(table.ask(.setPlus(anna, 10), by: anna) == .partyTooLarge(largest: 10))
        #expect(table.ask(.setPlus(anna, 5), by: anna) == .partySet(seats: 6))
        #expect(table.plan.over == 5)
    }
}
