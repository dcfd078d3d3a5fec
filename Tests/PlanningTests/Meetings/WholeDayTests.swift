import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Meetings that last whole days.
@Suite struct WholeDayTests {
    private func camp(_ start: String, end: String? = nil, days: Int? = nil) -> MeetingRequest {
        var request = MeetingRequest.lunch(with: "anna@example.org", start: start)
        (request.title, request.isAllDay, request.end) = ("Camp", true, end)
        request.duration = days.map { TimeSpan(days: $0, seconds: 0) }
        return request
    }

    @Test func `A meeting of several days is the same everywhere, and its reminders come at six`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let made = try await planner.create(camp("2026-12-12", end: "2026-12-13"))
            let meeting = made.meeting
            #expect(meeting.allDay && meeting.when == "Sat 12 December 2026 – Sun 13 December 2026")
            #expect(meeting.end.text == "2026-12-14T00:00:00+02:00")
            let reminders = made.notifications.added.filter { $0.kind == .reminder }
            let anna = reminders.filter { $0.name == "anna@example.org" }
            #expect(anna.map(\.due.text) == ["2026-12-11T16:00:00.000Z"])
            let abroad = try await world.planner(tz: "America/New_York")
            let day = try CivilDate(year: 2026, month: 12, day: 12)
            let there = try await abroad.meeting("Camp")
            #expect(there.when == meeting.when && there.whenThere == nil)
            #expect(try await abroad.meetings(on: day).meetings.map(\.title) == ["Camp"])
            #expect(try await abroad.meetings(on: day.adding(days: -1)).meetings.isEmpty)
            #expect(try await abroad.meetings(on: day.adding(days: 1)).meetings.count == 1)
        }
    }

    @Test(arguments: [
        ("2026-12-13T19:00", "from 19:00 to 20:00 on Sun 13 December 2026."),
        ("2026-12-12T23:30", "from Sat 12 Dec 2026, 23:30 EET to Sun 13 Dec 2026, 00:30 EET."),
    ])
    func `A clash with a meeting of several days names the day`(
        start: String, words: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org", start: start))
            let made = try await planner.create(camp("2026-12-12", end: "2026-12-14"))
            let own = made.conflicts.filter { $0.kind == "hard" }.map(\.words)
            #expect(own == ["You are busy \(words)"])
        }
    }

    @Test func `Reminders of whole days come on the evenings before`() throws {
        let zone = try ZoneDirectory().zone("Europe/Helsinki")
        let time = MeetingTime(
            start: try WallTime.parse("2026-12-12T00:00"), zone: zone,
            duration: TimeSpan(days: 1, seconds: 0))
        for (span, evening) in [
            ("PT0S", "2026-12-11"), ("PT1H", "2026-12-11"), ("P1D", "2026-12-11"),
            ("P1DT1H", "2026-12-10"), ("P2D", "2026-12-10"), ("P7D", "2026-12-05"),
        ] {
            let moment = time.reminder(try TimeSpan.parse(span), in: zone)
            #expect(zone.wallTime(at: moment).description == "\(evening)T18:00:00")
        }
        let spans = try ["P1D", "PT1H", "P2D"].map { try TimeSpan.parse($0) }
        #expect(time.reminderSpans(spans).map(\.iso) == ["PT6H", "P1DT6H"])
    }

    @Test(arguments: [
        ("2026-12-12", nil, 1, "2026-12-13"), ("2026-12-12", nil, 3, "2026-12-15"),
        ("28.12.-30.12.", nil, nil, "2026-12-31"), ("12-14 dec", nil, nil, "2026-12-15"),
        ("sat", "mon", nil, "2026-12-08"), ("today", nil, nil, "2026-12-02"),
    ])
    func `Days are typed as other days are`(
        _ start: String, _ end: String?, _ days: Int?, _ next: String
    ) async throws {
        try await withTemporaryHome { world in
            let request = camp(start, end: end, days: days)
            let meeting = try await world.planner().create(request).meeting
            #expect(meeting.allDay && meeting.end.text == "\(next)T00:00:00+02:00")
        }
    }

    @Test(arguments: [
        ("2026-12-12 19:00", nil, nil, "bad_time"), ("2026-12-12", "2026-12-11", nil, "bad_end"),
        ("2026-12-12", "2026-12-13", 2, "usage"), ("", nil, nil, "no_start"),
        ("2026-11-30", nil, nil, "start_in_past"),
        ("2026-12-12", "2027-02-01", nil, "duration_too_long"),
    ])
    func `What is no day is refused`(
        _ start: String, _ end: String?, _ days: Int?, _ code: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let refused = await refusalCode {
                _ = try await planner.create(camp(start, end: end, days: days))
            }
            #expect(refused == code)
        }
    }

    @Test(arguments: [("22:00", "22:00:00"), ("01:30", "01:30:00"), ("sat 10:00", "10:00:00")])
    func `The end is given instead of the duration`(
        _ end: String, _ expected: String
    ) async throws {
        try await withTemporaryHome { world in
            var request = MeetingRequest.lunch(start: "fri 19:00")
            request.end = end
            let meeting = try await world.planner().create(request).meeting
            #expect(!meeting.allDay && meeting.end.text.contains("T\(expected)+"))
            request.duration = TimeSpan(days: 0, seconds: 60)
            #expect(await refusalCode { try await world.planner().create(request) } == "usage")
        }
    }

    /// The change of a camp on 12 and 13 December, as its first day and its end.
    private func change(
        _ start: String? = nil, end: String? = nil, length: TimeSpan? = nil, allDay: Bool = false
    ) async throws -> String {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let id = try await planner.create(camp("2026-12-12", end: "2026-12-13")).meeting.id
            let meeting = try await planner.edit(id) {
                ($0.start, $0.end, $0.duration, $0.isAllDay) = (start, end, length, allDay)
            }.meeting
            return meeting.allDay ? meeting.when : "\(meeting.start.text) \(meeting.end.text)"
        }
    }

    @Test func `A meeting of whole days keeps whole days, and their number`() async throws {
        #expect(
            try await change("19 dec") == "Sat 19 December 2026 – Sun 20 December 2026")
        #expect(
            try await change(end: "14 dec") == "Sat 12 December 2026 – Mon 14 December 2026")
        let short = try await change(length: TimeSpan(days: 1, seconds: 0))
        #expect(short == "Sat 12 December 2026, all day")
        let sunday = try await change("sun", end: "sun")
        #expect(sunday == "Sun 13 December 2026, all day")
    }

    @Test func `A time of day ends whole days, and needs an end`() async throws {
        let evening = "2026-12-12T19:00:00+02:00 2026-12-12T22:00:00+02:00"
        #expect(try await change("12 dec 19:00-22:00") == evening)
        #expect(try await change("12 dec 19:00", end: "22:00") == evening)
        let refused = await refusalCode { _ = try await change("12 dec 19:00") }
        #expect(refused == "usage")
    }

    @Test func `A meeting with hours becomes one of the days that it touches`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(
                with: "anna@example.org", start: "2026-12-11 19:00")
            request.end = "2026-12-13 10:00"
            let id = try await planner.create(request).meeting.id
            let outcome = try await planner.edit(id) { $0.isAllDay = true }
            #expect(outcome.meeting.when == "Fri 11 December 2026 – Sun 13 December 2026")
            let back = try await planner.edit(id) { $0.start = "12 dec 9:00-17:30" }
            #expect(back.meeting.end.text == "2026-12-12T17:30:00+02:00")
        }
    }

    @Test func `A trip that is under way is shortened, extended and keeps its own first day`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04")
            (request.isAllDay, request.end) = (true, "2026-12-07")
            let id = try await planner.create(request).meeting.id
            world.clock.advance(bySeconds: 4 * 86_400)
            let edits: [(start: String?, end: String, days: String)] = [
                (nil, "8 dec", "Fri 4 December 2026 – Tue 8 December 2026"),
                (nil, "6 dec", "Fri 4 December 2026 – Sun 6 December 2026"),
                ("4 dec", "7 dec", "Fri 4 December 2026 – Mon 7 December 2026"),
            ]
            for edit in edits {
                let outcome = try await planner.edit(id) {
                    ($0.start, $0.end) = (edit.start, edit.end)
                }
                #expect(outcome.meeting.when == edit.days)
            }
            let code = await refusalCode { _ = try await planner.edit(id) { $0.end = "4 dec" } }
            #expect(code == "start_in_past")
        }
    }

    @Test func `One date of a series lasts whole days`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(
                with: "anna@example.org", start: "2026-12-05 10:00")
            request.repetition = "weekly"
            let id = try await planner.create(request).meeting.id
            _ = try await planner.edit(id) {
                ($0.date, $0.isAllDay) = ("12 dec", true)
            }
            let dates = try await planner.meeting(id).dates
            #expect(
                dates.prefix(3).map(\.start.text) == [
                    "2026-12-05T10:00:00+02:00", "2026-12-12T00:00:00+02:00",
                    "2026-12-19T10:00:00+02:00",
                ])
        }
    }
}
