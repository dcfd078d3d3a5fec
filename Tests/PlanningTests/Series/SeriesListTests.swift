import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping
import Wording

/// Series in lists: one line for each series, or one for each date.
@Suite struct SeriesListTests {
    /// A home folder with lunches on Fridays from 4 December on, and a meeting Games on Thursday,
    /// 10 December.
    private func withLunches(
        _ body: (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
            request.repetition = "weekly, 4 times"
            try await planner.create(request)
            var games = MeetingRequest.lunch(with: "ben@example.org", start: "2026-12-10T19:00")
            games.title = "Games"
            try await planner.create(games)
            try await body(world, planner)
        }
    }

    private func coming(_ planner: Planner, _ scope: MeetingScope = .coming) async throws
        -> [String]
    {
        try await planner.meetings(scope).meetings.map {
            "\($0.title) \($0.start.text.prefix(10)) \($0.answers)"
        }
    }

    @Test func `A date that is over is shown, but cannot be changed`() async throws {
        try await withLunches { world, planner in
            let later = try await world.later(minutes: 10 * 24 * 60).planner()
            let id = try await later.meeting("Lunch").id
            #expect(
                try await later.meeting(id, on: "2026-12-04").start.text
                    == "2026-12-04T12:00:00+02:00")
            for text in ["20261204T120000", "4 dec", "4 dec 12:00", "2026-12-04T10:00Z"] {
                let shown = try await later.meeting("Lunch", on: text)
                #expect(shown.occurrence == "20261204T120000", "\(text)")
            }
            await #expect(throws: Refusal.self) {
                try await later.cancelMeeting("Lunch", on: "2026-12-04", saving: true)
            }
            await #expect(throws: Refusal.self) {
                try await later.meeting("Lunch", on: "2026-12-05")
            }
        }
    }

    @Test func `One of two dates on a day is found by its original or current time`() async throws {
        try await withLunches { _, planner in
            _ = try await planner.edit("Lunch") {
                $0.date = "2026-12-18"
                $0.start = "2026-12-11T18:00"
            }
            await #expect(throws: Refusal.self) {
                try await planner.meeting("Lunch", on: "2026-12-11")
            }
            for (text, start) in [
                ("11 dec 18:00", "18:00"), ("2026-12-11T18:00", "18:00"),
                ("20261211T180000", "18:00"),
                ("2026-12-11T10:00Z", "12:00"), ("2026-12-11T16:00Z", "18:00"),
                ("11 dec 12:00", "12:00"), ("20261218T120000", "18:00"), ("18 dec 12:00", "18:00"),
            ] {
                let shown = try await planner.meeting("Lunch", on: text)
                #expect(shown.start.text == "2026-12-11T\(start):00+02:00", "\(text)")
            }
            for text in ["11 dec 17:00", "2026-12-11T12:00Z", "2026-12-11T18:00Z"] {
                await #expect(throws: Refusal.self, "\(text)") {
                    try await planner.meeting("Lunch", on: text)
                }
            }
            #expect(
                try await planner.meeting("Lunch", on: "in 3 days").occurrence
                    == "20261204T120000")
            _ = try await planner.cancelMeeting("Lunch", on: "11 dec 12:00", saving: true)
            #expect(
                try await planner.meeting("Lunch", on: "2026-12-11").start.text
                    == "2026-12-11T18:00:00+02:00")
        }
    }

    @Test func `A series lists its exceptions with the regular start and the people`()
        async throws
    {
        try await withLunches { _, planner in
            _ = try await planner.edit("Lunch") {
                $0.date = "2026-12-18"
                $0.start = "2026-12-19T18:00"
            }
            _ = try await planner.answer(
                "Lunch", on: "2026-12-11", .declined, who: "anna", plus: nil, note: nil,
                saving: true)
            _ = try await planner.uninvite(["anna"], from: "Lunch", on: "2026-12-25", saving: true)
            let dates = try await planner.meeting("Lunch").dates.filter(\.isOtherwise)
            #expect(
                dates.map { date in
                    "\(date.occurrence.prefix(8)) "
                        + "\(date.regularStart?.text.prefix(10) ?? "as ever") "
                        + date.others.map { "\($0.isAsked) \($0.answer)" }.joined()
                } == [
                    "20261211 as ever true declined", "20261218 2026-12-18 ",
                    "20261225 as ever false invited",
                ])
        }
    }

    @Test func `A date whose move or cancellation was taken back is no exception`() async throws {
        try await withLunches { _, planner in
            for start in ["2026-12-19T18:00", "2026-12-18T12:00"] {
                _ = try await planner.edit("Lunch") {
                    $0.date = "2026-12-18"
                    $0.start = start
                }
            }
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-25", saving: true)
            let off = try await planner.meeting("Lunch").dates.filter(\.isOtherwise)
            #expect(off.map(\.occurrence) == ["20261225T120000"])
            let id = try await planner.meetingID(named: "Lunch")
            _ = try await planner.uncancelMeeting(id, on: "2026-12-25", saving: true)
            #expect(try await planner.meeting("Lunch").dates.allSatisfy { !$0.isOtherwise })
        }
    }

    @Test func `A series is listed at its next date, with the answers to that date`() async throws {
        try await withLunches { world, planner in
            #expect(
                try await coming(planner) == [
                    "Lunch 2026-12-04 1 going · 1 hasn't answered",
                    "Games 2026-12-10 1 going · 1 hasn't answered",
                ])
            _ = try await planner.answer(
                "Lunch", on: "2026-12-11", .going, who: "anna", plus: 2, note: nil, saving: true)
            let later = try await world.later(minutes: 5 * 24 * 60).planner()
            #expect(
                try await coming(later) == [
                    "Games 2026-12-10 1 going · 1 hasn't answered", "Lunch 2026-12-11 4 going",
                ])
            #expect(try await later.meeting("next").title == "Games")
            #expect(
                try await coming(later, .past).map { String($0.prefix(16)) } == [
                    "Lunch 2026-12-04"
                ])
            #expect(try await later.meeting("last").title == "Lunch")
            let over = try await world.later(minutes: 60 * 24 * 60).planner()
            #expect(try await coming(over) == [])
            #expect(
                try await coming(over, .past).map { String($0.prefix(16)) } == [
                    "Lunch 2026-12-25", "Games 2026-12-10",
                ])
        }
    }

    @Test func `The list of a day shows the dates that were moved to it`() async throws {
        try await withLunches { _, planner in
            _ = try await planner.edit("Lunch") {
                $0.date = "2026-12-11"
                $0.start = "2026-12-10T09:00"
            }
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-18", saving: true)
            func titles(_ day: String) async throws -> [String] {
                try await planner.meetings(on: planner.day(day)).meetings
                    .map { "\($0.title) \($0.occurrence ?? "") \($0.status)" }
            }
            #expect(
                try await titles("2026-12-10") == [
                    "Lunch 20261211T120000 confirmed", "Games  confirmed",
                ])
            #expect(try await titles("2026-12-11") == [])
            #expect(try await titles("2026-12-18") == ["Lunch 20261218T120000 cancelled"])
            #expect(try await titles("2027-01-01") == [])
        }
    }

    @Test func `A date that is left out of a series without guests is not listed`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(start: "2026-12-04T12:00")
            request.repetition = "weekly, 4 times"
            try await planner.create(request)
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
            for (day, count) in [("2026-12-04", 1), ("2026-12-11", 0), ("2026-12-18", 1)] {
                let lines = try await planner.meetings(on: planner.day(day))
                #expect(lines.meetings.count == count, "\(day)")
            }
        }
    }

    @Test func `A guest of one date sees only that date`() async throws {
        try await withLunches { world, planner in
            _ = try await planner.invite(
                ["dan@example.org"], to: "Lunch", on: "2026-12-18", saving: true)
            let dan = try await world.planner(tz: "Europe/Helsinki", actingAs: "dan@example.org")
            #expect(
                try await coming(dan).map { String($0.prefix(16)) } == ["Lunch 2026-12-18"])
            let anna = try await world.planner(
                tz: "Europe/Helsinki", actingAs: "anna@example.org")
            #expect(
                try await coming(anna, .invited).map { String($0.prefix(16)) }
                    == ["Lunch 2026-12-04"])
            _ = try await planner.uninvite(["anna"], from: "Lunch", saving: true)
            #expect(try await coming(anna) == [])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `The reminders of at most ten years are predicted, whatever end is asked for`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(start: "2026-12-04T12:00")
            request.repetition = "daily"
            request.reminders = [TimeSpan(days: 1, seconds: 0)]
            try await planner.create(request)
            let end = try Moment.parse("9999-12-31T23:59:59Z")
            let lines = try await planner.outbox(until: end, limit: 100_000).rows
            let last = try Moment.parse(try #require(lines.last).due.text)
            let year: Int64 = 366 * 86_400
            #expect(last <= world.clock.now.advanced(bySeconds: 10 * year))
            #expect(last > world.clock.now.advanced(bySeconds: 9 * year))
            #expect(lines.count > 3600)
        }
    }

    @Test func `The predicted reminders of months are those that a run sends`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            for (rule, title) in [
                ("every 2nd friday", "Lunch"), ("monthly on the last sunday", "Walk"),
                ("FREQ=DAILY;INTERVAL=9;COUNT=12", "Call"),
            ] {
                var request = MeetingRequest.lunch(
                    with: "anna@example.org", start: "2026-12-04T01:30")
                request.title = title
                request.repetition = rule
                try await planner.create(request)
            }
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-18", saving: true)
            _ = try await planner.edit("Call") {
                $0.date = "20270205T013000"
                $0.start = "2027-02-20T10:00"
            }
            _ = try await world.deliver()
            let end = "2027-05-01T00:00:00Z"
            let lines = try await planner.outbox(until: try Moment.parse(end)).rows
            for line in lines.prefix(20) { #expect(try line.json.text == JSONText.of(line)) }
            let foreseen = lines.map { "\($0.due.text) \($0.key)" }
            var sent: [String] = []
            var later = world
            while later.clock.now < (try Moment.parse(end)) {
                let farthest = later.clock.now.advanced(bySeconds: 5 * 86_400)
                let due = try await later.planner().store.nextDue() ?? farthest
                let seconds = min(due, farthest).milliseconds(since: later.clock.now) / 1000
                later = later.later(minutes: max(1, seconds / 60))
                _ = try await later.planner().planSeriesOn()
                sent += try await later.deliver().compactMap { line in
                    line["kind"] as? String == "reminder"
                        ? "\(line["due"] ?? "") \(line["id"] ?? "")" : nil
                }
            }
            #expect(foreseen.count > 60)
            #expect(Set(sent).subtracting(foreseen) == [])
            #expect(Set(foreseen).subtracting(sent) == [])
        }
    }

    @Test func `The next date of a name means the earliest, unless several series start then`()
        async throws
    {
        try await withLunches { _, planner in
            var other = MeetingRequest.lunch(with: "ben@example.org", start: "2026-12-05T12:00")
            other.repetition = "weekly, 4 times"
            let later = try await planner.create(other).meeting.id
            let first = try await planner.meetingID(named: "lunch", on: "next").text
            #expect(first != later)
            other.start = "2026-12-04T12:00"
            try await planner.create(other)
            let code = await refusalCode {
                _ = try await planner.meetingID(named: "lunch", on: "next")
            }
            #expect(code == "ambiguous_meeting")
        }
    }
}
