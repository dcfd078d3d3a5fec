import Agenda
import Calendars
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// Tests of invitations to single dates of a series, with and without the series.
@Suite struct SingleDatesTests: TakesCalendarFiles {
    /// The starts of all confirmed dates in Berlin, after an import of some files.
    private func starts(of files: [String]) async throws -> [String] {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [
                .ownerZone: "Europe/Berlin", .ownerAddress: "olga@example.org",
            ])
            for text in files { _ = try await take(text, planner, in: world) }
            let berlin = try ZoneDirectory().zone("Europe/Berlin")
            let rows = try await planner.outbox().rows.filter { $0.kind == "reminder" }
            return try rows.map { row in
                let start = try Moment.parse(row.due.text).advanced(bySeconds: 3600)
                return CalendarStamp.wall(berlin.wallTime(at: start)).description
            }.sorted()
        }
    }

    private func part(_ lines: String...) -> String {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM"]
        return event("w", (lines + alarm).joined(separator: "\n"))
    }

    private static let first = "RECURRENCE-ID:20261207T090000Z\nDTSTART:20261207T090000Z"
    private static let second = "RECURRENCE-ID:20261214T090000Z\nDTSTART:20261214T090000Z"

    @Test func `Dates at their ordinary times take place, in one file or several`() async throws {
        let dates = ["20261207T100000", "20261214T100000"]
        let (one, two) = (part(Self.first), part(Self.second))
        #expect(try await starts(of: [file(one, two)]) == dates)
        #expect(try await starts(of: [file(two), file(one)]) == dates)
        #expect(
            try await starts(of: [file(one, head: "METHOD:REQUEST"), file(two)]) == dates)
        let elsewhere = part(Self.second, "LOCATION:Library")
        #expect(try await starts(of: [file(one, elsewhere)]) == dates)
    }

    @Test func `A date besides those of the rule takes place at any time`() async throws {
        let series = part("DTSTART:20261207T090000Z", "RRULE:FREQ=DAILY;COUNT=2")
        let more = part("RECURRENCE-ID:20261210T090000Z", "DTSTART:20261210T090000Z")
        #expect(
            try await starts(of: [file(series, more)]) == [
                "20261207T100000", "20261208T100000", "20261210T100000",
            ])
    }

    @Test(arguments: [
        ":20261208T000000Z", ";TZID=America/Los_Angeles:20261208T000000", ":20261208T000000",
        ";VALUE=DATE:20261208",
    ])
    func `A whole day without its series is cancelled however it is written`(
        _ id: String
    ) async throws {
        let day = part("RECURRENCE-ID;VALUE=DATE:20261208", "DTSTART;VALUE=DATE:20261220")
        let off = part("RECURRENCE-ID\(id)", "SEQUENCE:2", "STATUS:CANCELLED")
        let files = [file(day), file(off, head: "METHOD:CANCEL")]
        #expect(try await starts(of: [files[0]]).count == 1)
        #expect(try await starts(of: files).isEmpty)
        #expect(try await starts(of: files.reversed()).isEmpty)
    }

    @Test func `A time without its series is cancelled by its day`() async throws {
        let off = part("RECURRENCE-ID;VALUE=DATE:20261214", "SEQUENCE:2", "STATUS:CANCELLED")
        let both = file(part(Self.first), part(Self.second))
        #expect(
            try await starts(of: [both, file(off, head: "METHOD:CANCEL")]) == ["20261207T100000"])
    }

    @Test func `A date without a start takes place at its original time`() async throws {
        let series = part(
            "DTSTART:20261207T090000Z", "DTEND:20261207T110000Z", "RRULE:FREQ=WEEKLY;COUNT=2")
        let changed = part("RECURRENCE-ID:20261214T090000Z", "LOCATION:Library")
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(file(series, changed), planner, in: world)
            let dates = try await planner.meeting(try await planner.meetingID(named: "w")).dates
            #expect(
                dates.map(\.end.text) == [
                    "2026-12-07T11:00:00+00:00", "2026-12-14T11:00:00+00:00",
                ])
        }
    }

    @Test func `Of a series with answers to single dates, only the accepted ones take place`()
        async throws
    {
        func answer(_ word: String) -> String {
            "ATTENDEE;PARTSTAT=\(word):mailto:olga@example.org"
        }
        let rule = "RRULE:FREQ=WEEKLY;COUNT=2"
        let declined = part("DTSTART:20261207T090000Z", rule, answer("DECLINED"))
        #expect(try await starts(of: [file(declined)]).isEmpty)
        #expect(
            try await starts(of: [file(declined, part(Self.second, answer("ACCEPTED")))])
                == ["20261214T100000"])
        for answers in [("DECLINED", "ACCEPTED"), ("ACCEPTED", "DECLINED")] {
            let (one, two) = (
                part(Self.first, answer(answers.0)), part(Self.second, answer(answers.1))
            )
            #expect(
                try await starts(of: [file(one, two)])
                    == [answers.0 == "ACCEPTED" ? "20261207T100000" : "20261214T100000"])
        }
        let accepted = part("DTSTART:20261207T090000Z", rule, answer("ACCEPTED"))
        #expect(
            try await starts(of: [file(accepted, part(Self.second, answer("DECLINED")))])
                == ["20261207T100000"])
    }

    @Test func `An older file brings no later dates of a series back`() async throws {
        let old = part(
            "DTSTART;TZID=Europe/Berlin:20261208T100000", "RRULE:FREQ=WEEKLY;COUNT=4",
            "SEQUENCE:2")
        let later = part(
            "RECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20261222T100000",
            "DTSTART;TZID=Europe/Berlin:20261223T170000", "SEQUENCE:2")
        let new = part(
            "DTSTART;TZID=Europe/Berlin:20261208T110000", "RRULE:FREQ=WEEKLY;COUNT=4",
            "SEQUENCE:3")
        let files = [file(old, later), file(new)]
        let expected = try await starts(of: [files[1]])
        #expect(expected.count == 4)
        #expect(try await starts(of: files) == expected)
        #expect(try await starts(of: files.reversed()) == expected)
    }

    @Test(arguments: [
        "RECURRENCE-ID;TZID=Europe/Berlin:20261229T100000", "RECURRENCE-ID:20261229T090000Z",
        "RECURRENCE-ID;VALUE=DATE:20261229",
    ])
    func `A single date after a change of all later dates changes that date alone`(
        _ name: String
    ) async throws {
        let series = part(
            "DTSTART;TZID=Europe/Berlin:20261208T100000", "RRULE:FREQ=WEEKLY;COUNT=4")
        let later = part(
            "RECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20261222T100000",
            "DTSTART;TZID=Europe/Berlin:20261223T170000")
        let before = part(
            "RECURRENCE-ID;TZID=Europe/Berlin:20261215T100000",
            "DTSTART;TZID=Europe/Berlin:20261216T080000", "SEQUENCE:1")
        let after = part(name, "DTSTART;TZID=Europe/Berlin:20261231T080000", "SEQUENCE:1")
        #expect(
            try await starts(of: [file(series, later), file(after, before)]) == [
                "20261208T100000", "20261216T080000", "20261223T170000", "20261231T080000",
            ])
        let off = part(name, "STATUS:CANCELLED", "SEQUENCE:1")
        #expect(
            try await starts(of: [file(series, later), file(off)]) == [
                "20261208T100000", "20261215T100000", "20261223T170000",
            ])
    }

    @Test func `Later dates that were called off take place if a newer file has them again`()
        async throws
    {
        func weekly(_ version: Int) -> String {
            part(
                "DTSTART;TZID=Europe/Berlin:20261208T100000", "RRULE:FREQ=WEEKLY;COUNT=4",
                "SEQUENCE:\(version)")
        }
        func later(_ version: Int) -> String {
            part(
                "RECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20261222T100000",
                "DTSTART;TZID=Europe/Berlin:20261223T170000", "SEQUENCE:\(version)")
        }
        let files = [
            file(weekly(0), later(0)), file(weekly(1)), file(weekly(2), later(2)),
        ]
        let dates = ["20261208T100000", "20261215T100000", "20261223T170000", "20261230T170000"]
        #expect(try await starts(of: files) == dates)
        #expect(try await starts(of: files + [files[2]]) == dates)
    }

    @Test(arguments: [
        // A newer series without the change, with a change in a lower version, and with another.
        ([], "20261215T110000"),
        (["DTSTART;TZID=Europe/Berlin:20261215T160000", "SEQUENCE:1"], "20261215T160000"),
    ])
    func `A newer series ends the changed dates of an older one, whatever their versions`(
        _ change: [String], _ second: String
    ) async throws {
        let old = part(
            "DTSTART;TZID=Europe/Berlin:20261208T100000", "RRULE:FREQ=WEEKLY;COUNT=2",
            "SEQUENCE:0")
        let id = "RECURRENCE-ID;TZID=Europe/Berlin:20261215T100000"
        let moved = part(id, "DTSTART;TZID=Europe/Berlin:20261215T150000", "SEQUENCE:2")
        let new = part(
            "DTSTART;TZID=Europe/Berlin:20261208T110000", "RRULE:FREQ=WEEKLY;COUNT=2",
            "SEQUENCE:1")
        let changed = event(
            "w",
            (["RECURRENCE-ID;TZID=Europe/Berlin:20261215T110000"] + change
                + ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM"])
                .joined(separator: "\n"))
        let files = [file(old, moved), change.isEmpty ? file(new) : file(new, changed)]
        let dates = ["20261208T110000", second]
        #expect(try await starts(of: files) == dates)
        #expect(try await starts(of: files.reversed()) == dates)
    }

    @Test(arguments: [
        "RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261208T000000Z", "RRULE:FREQ=DAILY;UNTIL=20261207",
    ])
    func `An event whose rule ends before its start takes place once`(
        _ rule: String
    ) async throws {
        let once = part("DTSTART;TZID=Europe/Berlin:20261208T100000", rule)
        #expect(try await starts(of: [file(once)]) == ["20261208T100000"])
    }

    @Test(arguments: [
        "Eastern Standard Time", "\"America/New_York\"",
        "(GMT-05:00) Eastern Time (US & Canada)", "GMT-0500",
    ])
    func `A time without a zone is in the zone of the calendar, however it is named`(
        _ zone: String
    ) async throws {
        let text = file(part("DTSTART:20261208T080000"), head: "X-WR-TIMEZONE:\(zone)")
        #expect(try await starts(of: [text]) == ["20261208T140000"])
    }

    @Test(arguments: [
        "RECURRENCE-ID:20270328T013000Z", "RECURRENCE-ID;TZID=Europe/Berlin:20270328T033000",
        "RECURRENCE-ID;TZID=Europe/Berlin:20270328T023000",
    ])
    func `A date in an hour that the clocks skip is changed once`(_ id: String) async throws {
        let daily = part(
            "DTSTART;TZID=Europe/Berlin:20270327T023000", "RRULE:FREQ=DAILY;COUNT=3")
        let moved = part(id, "DTSTART;TZID=Europe/Berlin:20270328T100000")
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(file(daily, moved), planner, in: world)
            // A second date on that day would make the day ambiguous.
            let date = try await planner.meeting("w", on: "2027-03-28")
            #expect(date.start.text == "2027-03-28T10:00:00+02:00")
        }
    }

    @Test(arguments: ["TRIGGER:-PT0DT1H0M0S", "TRIGGER:-P-0DT1H", "TRIGGER:-PT1H"])
    func `An alarm in a form of other programs is a reminder`(_ trigger: String) async throws {
        let alarm = "BEGIN:VALARM\nACTION:DISPLAY\n\(trigger)\nEND:VALARM"
        let text = file(event("w", "DTSTART;TZID=Europe/Berlin:20261208T080000", alarm))
        #expect(try await starts(of: [text]) == ["20261208T080000"])
    }

    @Test func `A start whose time is missing is at midnight`() async throws {
        let text = file(part("DTSTART;TZID=Europe/Berlin:20261208T"))
        #expect(try await starts(of: [text]) == ["20261208T000000"])
    }

    @Test func `The last day of each month is that of a rule which moves dates back`()
        async throws
    {
        let rule = "RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;BYMONTHDAY=31;COUNT=4"
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let text = file(part("DTSTART;TZID=Europe/Berlin:20261231T100000", rule))
            _ = try await take(text, planner, in: world)
            let dates = try await planner.meeting("w").dates.map(\.start.text)
            #expect(
                dates.map { String($0.prefix(10)) } == [
                    "2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31",
                ])
        }
    }

    @Test(arguments: [
        ("CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://a.example/1", "https://a.example/1"),
        ("X-GOOGLE-CONFERENCE:https://b.example/2", "https://b.example/2"),
        ("CONFERENCE;VALUE=URI:tel:+1", ""),
        ("CONFERENCE:https://a.example/1\nURL:https://c.example/3", "https://c.example/3"),
    ])
    func `The address of a video conference is the link, unless there is another`(
        _ lines: String, _ link: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let text = file(part("DTSTART:20261208T080000Z", lines))
            let report = try await take(text, planner, in: world)
            #expect(try await planner.meeting("w").link == link)
            #expect(report.unused.isEmpty == (link.contains("b.ex") || lines.hasSuffix("e/1")))
            #expect(try await take(text, planner, in: world).unchanged == 1)
            let lines = try await exported(planner)
            #expect(lines.contains { $0.hasPrefix("CONFERENCE") || $0.hasPrefix("X-GOOGLE") })
        }
    }

    @Test(arguments: [
        ("WEEKLY;COUNT=3", "20261215T100000"), ("WEEKLY;COUNT=3", "20261215T040000"),
        ("DAILY;COUNT=20", "20261215T100000"),
    ])
    func `A date that is named in an unknown zone is found if only one can be meant`(
        _ rule: String, _ name: String
    ) async throws {
        let series = event(
            "w", "DTSTART;TZID=Europe/Berlin:20261208T100000\nRRULE:FREQ=\(rule)\nDURATION:PT1H")
        let date = event(
            "w", "RECURRENCE-ID;TZID=Mars/X:\(name)\nDTSTART:20261216T170000Z\nDURATION:PT1H")
        try await withImport(of: file(series, date), in: "Europe/Berlin") { planner, report in
            #expect(report.skipped.isEmpty && report.imported == 1)
            let meeting = try await planner.meeting(try await planner.meetingID(named: "w"))
            let starts = meeting.dates.map(\.start.text)
            #expect(starts.contains("2026-12-16T18:00:00+01:00"))
            #expect(!starts.contains("2026-12-15T10:00:00+01:00"))
        }
    }
}
