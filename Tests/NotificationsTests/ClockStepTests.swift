import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Notifications
@testable import Storage

/// What is due is said by the clock of now, whatever an earlier one said.
@Suite(.timeLimit(.minutes(1))) struct ClockStepTests {
    private let nine = Moment(milliseconds: 1_800_000_000_000)

    @Test func `After the clock was set back nothing is early, and nothing waits for the old time`()
    {
        var list = DueList(now: nine)
        let row = DueDelivery(id: 7, due: nine.advanced(bySeconds: -1800))
        let later = DueDelivery(id: 8, due: nine.advanced(bySeconds: 60))
        #expect(list.takeDue(now: nine).isEmpty)
        let eight = nine.advanced(bySeconds: -3600)
        list.update([row, later], now: eight)
        #expect(list.takeDue(now: eight).isEmpty)
        #expect(list.nextDue().map { $0 <= row.due } == true)
        #expect(list.takeDue(now: row.due.advanced(byMilliseconds: -1)).isEmpty)
        #expect(list.takeDue(now: row.due) == [7])
        #expect(list.takeDue(now: nine.advanced(bySeconds: 60)) == [8])
    }

    @Test func `What is not due is not begun`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let all = try await lunch.planner.store.dueDeliveries(
                through: Moment(milliseconds: .max), limit: 100)
            #expect(all.count == 8)
            let tally = try await engine.deliver(all.map(\.id), dueAt: lunch.world.clock.now)
            #expect(tally == DeliveryTally(accepted: 2))
            #expect(try await lunch.states() == ["accepted": 2, "planned": 6])
        }
    }
}
