import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Notifications
@testable import Storage

/// What is due is said by the clock of now, whatever an earlier one said.
@Suite(.timeLimit(.minutes(5))) struct ClockStepTests {
    @Test func `After the clock was set back nothing is early, and nothing waits for the old time`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let reminder = try #require(
                try await store.dueDeliveries(
                    after: lunch.world.clock.now, through: Moment(milliseconds: .max), limit: 1
                ).first)
            let late = reminder.due.advanced(bySeconds: 1800)
            let early = reminder.due.advanced(bySeconds: -1800)
            var horizon = try await Horizon.read(store, now: late)
            // Nothing is sent meanwhile: what was taken out waits on in the store.
            let first = horizon.list.takeDue(now: late)
            #expect(first.contains(reminder.id))

            try await horizon.refresh(store, now: early)
            let again = horizon.list.takeDue(now: early)
            #expect(!again.isEmpty && !again.contains(reminder.id))
            let next = horizon.list.nextDue()
            #expect(next.map { $0 <= reminder.due } == true)
            let before = horizon.list.takeDue(now: reminder.due.advanced(byMilliseconds: -1))
            #expect(before.isEmpty)
            let due = horizon.list.takeDue(now: reminder.due)
            #expect(due.contains(reminder.id))
        }
    }

    @Test func `What is not due is not begun`() async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            let all = try await lunch.planner.store.dueDeliveries(
                through: Moment(milliseconds: .max), limit: 100)
            #expect(all.count == 8)
            let tally = try await engine.deliver(all.map(\.id))
            #expect(tally == DeliveryTally(accepted: 2))
            #expect(try await lunch.states() == ["accepted": 2, "planned": 6])
        }
    }
}
