import Agenda
import GRDB
import Planning
import TestKit
import Testing
import Timekeeping

@testable import Storage

@Suite struct HistoryTests {
    private func acts(_ planner: Planner) async throws -> [String] {
        try await planner.store.read { db in
            try String.fetchAll(db, sql: "SELECT act FROM meeting_history ORDER BY number")
        }
    }

    private func request() -> MeetingRequest {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = ["anna@example.org"]
        request.start = "2026-12-05T12:00"
        request.place = "Café"
        return request
    }

    @Test func `An edit that changes nothing says so and adds nothing to the history`() async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let made = try await planner.createMeeting(request(), saving: true)
            var same = MeetingEdit()
            same.title = "Lunch"
            same.place = "Café"
            same.start = "2026-12-05T12:00"
            same.isNotified = true
            for edit in [MeetingEdit(), same] {
                let outcome = try await planner.editMeeting("Lunch", edit, saving: true)
                #expect(outcome.remarks == ["Nothing changes."])
                #expect(outcome.meeting.revision == made.meeting.revision)
                #expect(outcome.notifications.added.isEmpty)
            }
            let invited = try await planner.invite(["Olga Owner"], to: "Lunch", saving: true)
            #expect(invited.remarks.last == "Nothing changes.")
            #expect(try await acts(planner) == ["created"])
            var other = MeetingEdit()
            other.note = "Bring a coat."
            let outcome = try await planner.editMeeting("Lunch", other, saving: true)
            #expect(outcome.remarks == [])
            #expect(try await acts(planner) == ["created", "edited"])
        }
    }

    @Test func `A change made without a notification can be announced later, but only once`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.createMeeting(request(), saving: true)
            var silent = MeetingEdit()
            silent.title = "Late lunch"
            _ = try await planner.editMeeting("Lunch", silent, saving: true)
            var telling = MeetingEdit()
            telling.isNotified = true
            for isTold in [true, false, false] {
                let outcome = try await planner.editMeeting("Lunch", telling, saving: true)
                #expect(outcome.notifications.added.isEmpty == !isTold)
                #expect(outcome.meeting.revision == 2)
            }
            var quiet = MeetingEdit()
            quiet.start = "2026-12-05T13:00"
            quiet.isQuiet = true
            _ = try await planner.editMeeting("Lunch", quiet, saving: true)
            let sequence = try await planner.meeting("lunch").sequence
            let told = try await planner.editMeeting("Lunch", telling, saving: true)
            #expect(told.meeting.revision == 3)
            #expect(told.meeting.sequence == sequence + 1)
            #expect(try await acts(planner) == ["created", "edited", "edited", "moved", "edited"])
        }
    }

    @Test func `A change that was undone is not announced`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.createMeeting(request(), saving: true)
            for title in ["Supper", "Lunch"] {
                var silent = MeetingEdit()
                silent.title = title
                silent.reminders = [TimeSpan(days: 0, seconds: title == "Lunch" ? 60 : 3600)]
                _ = try await planner.editMeeting("next", silent, saving: true)
            }
            var telling = MeetingEdit()
            telling.isNotified = true
            let outcome = try await planner.editMeeting("Lunch", telling, saving: true)
            #expect(outcome.remarks == ["Nothing changes."])
        }
    }

    @Test func `A late reminder is mentioned when it is planned, not with each answer`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: ["LETSMEET_SINKS": "stdout"])
            var soon = request()
            soon.start = "2026-12-01T20:00"
            let late: Remark =
                "The reminder 1 day before the start is not planned: its time has passed."
            #expect(try await planner.createMeeting(soon, saving: true).remarks == [late])
            let answered = try await planner.answer(
                "Lunch", .going, who: "anna@example.org", plus: nil, note: nil, saving: true)
            #expect(answered.remarks == [])
        }
    }
}
