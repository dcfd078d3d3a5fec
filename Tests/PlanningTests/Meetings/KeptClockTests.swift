import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

/// New starts that are days without a time. It is Tuesday, 1 December 2026, at 14:00.
@Suite struct KeptClockTests {
    @Test(arguments: [
        ("sat", "2026-12-12"), ("mon", "2026-12-07"), ("12 dec", "2026-12-12"),
        ("2026-12-12", "2026-12-12"),
        ("20261212", "2026-12-12"), ("tomorrow", "2026-12-02"), ("übermorgen", "2026-12-03"),
        ("in 1 week", "2026-12-08"), ("in 2 days", "2026-12-03"), ("in 2 Wochen", "2026-12-15"),
    ])
    func `A day without a time keeps the time of day of the meeting`(
        _ typed: String, _ expected: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-10T18:30")
            let id = try await planner.create(lunch).meeting.id
            let moved = try await planner.edit(id) { $0.start = typed }.meeting
            #expect(moved.start.text == "\(expected)T18:30:00+02:00")
        }
    }

    @Test func `A weekday is next week's if its time has passed today`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-03T09:00")
            let id = try await planner.create(lunch).meeting.id
            let moved = try await planner.edit(id) { $0.start = "tue" }.meeting
            #expect(moved.start.text == "2026-12-08T09:00:00+02:00")
        }
    }

    @Test func `Hours from now are not days`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let lunch = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-10T18:30")
            let id = try await planner.create(lunch).meeting.id
            let moved = try await planner.edit(id) { $0.start = "in 2 hours" }.meeting
            #expect(moved.start.text == "2026-12-01T16:00:00+02:00")
        }
    }

    @Test func `The time of day stays that of the meeting's time zone`() async throws {
        try await withTemporaryHome { world in
            let lunch = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-08T09:00")
            let id = try await world.planner(tz: "Asia/Tokyo").create(lunch).meeting.id
            let moved = try await world.planner(tz: "Europe/Helsinki").edit(id) {
                $0.start = "sat"
            }
            #expect(moved.meeting.start.text == "2026-12-12T09:00:00+09:00")
        }
    }

    @Test func `A new meeting and whole days still need a time`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let request = MeetingRequest.lunch(with: "anna@example.org", start: "sat")
            let first = await refusalCode { _ = try await planner.create(request) }
            #expect(first == "no_time")
            var days = MeetingRequest.lunch(with: "anna@example.org", start: "sat")
            days.isAllDay = true
            let id = try await planner.create(days).meeting.id
            let code = await refusalCode {
                _ = try await planner.edit(id) {
                    ($0.start, $0.duration) = ("sun", TimeSpan(days: 0, seconds: 7200))
                }
            }
            #expect(code == "no_time")
            let moved = try await planner.edit(id) { $0.start = "in 1 week" }.meeting
            #expect(moved.allDay && moved.start.text == "2026-12-08T00:00:00+02:00")
        }
    }

    @Test func `A date of a series keeps its time of day`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var choir = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-08 19:00")
            choir.repetition = "weekly"
            let id = try await planner.create(choir).meeting.id
            _ = try await planner.edit(id) { ($0.date, $0.start) = ("15 dec", "wed") }
            let starts = try await planner.meeting(id).dates.prefix(2).map(\.start.text)
            #expect(starts == ["2026-12-08T19:00:00+02:00", "2026-12-16T19:00:00+02:00"])
        }
    }

    @Test func `A rule without a single date says how to cancel that date`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var choir = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-08 19:00")
            choir.repetition = "weekly except 22 dec"
            let refused = await refusal { _ = try await planner.create(choir) }
            #expect(refused?.code == "bad_rule" && refused?.advice == [.meetings(.cancelDate)])
        }
    }
}
