import Ledger
import Agenda
import Calendars
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// Tests of calendar files as programs really write them, against the letter of RFC 5545.
@Suite struct PeoplesCalendarsTests: TakesCalendarFiles {
    /// The starts of all dates that some files describe, imported one after the other: an alarm one
    /// hour before each of them is planned.
    private func starts(of files: String...) async throws -> [String] {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            for text in files { _ = try await take(text, planner, in: world) }
            let berlin = try ZoneDirectory().zone("Europe/Berlin")
            #expect(try await planner.verifyLedger().faults.isEmpty)
            var starts: [String] = []
            for row in try await planner.outbox().rows where row.kind == "reminder" {
                let due = berlin.wallTime(at: try Moment.parse(row.due.text))
                let id = MeetingID(text: row.meeting ?? "")
                // Reminders of whole days come at 18:00 on the evening before.
                let isOfDays = try await planner.meeting(id, on: row.occurrence).allDay
                let start = due.adding(seconds: (isOfDays ? 6 : 1) * 3600)
                starts.append(CalendarStamp.wall(start).description)
            }
            return starts.sorted()
        }
    }

    private func event(_ lines: [String], uid: String = "w") -> String {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM"]
        return event(uid, (lines + alarm).joined(separator: "\n"))
    }

    @Test(arguments: [
        (["RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261216T000000Z"], ["15", "17"]),
        (
            ["RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20261216T000000"],
            ["15", "17"]
        ),
        (["RRULE:FREQ=DAILY;UNTIL=20261216T230000Z"], ["15", "16"]),
        (["RDATE:20261220T000000Z"], ["15", "20"]),
    ]) func `Of whole days the written day counts`(
        _ lines: [String], _ days: [String]
    ) async throws {
        let text = file(event(["DTSTART;VALUE=DATE:20261215"] + lines))
        #expect(try await starts(of: text) == days.map { "202612\($0)T000000" })
    }

    @Test(arguments: [
        ("DTSTART;VALUE=DATE:20261202T000000Z", "20261202T000000"),
        ("DTSTART;VALUE=DATE:20261202T000000", "20261202T000000"),
        ("DTSTART;VALUE=DATE:20261202T000000+0900", "20261202T000000"),
        ("DTSTART;VALUE=DATE:20261202T180000Z", "20261202T190000"),
    ]) func `A whole day that is written as midnight is that day`(
        _ line: String, _ start: String
    ) async throws {
        #expect(try await starts(of: file(event([line]))) == [start])
    }

    @Test func `A whole day of a series is moved by the day that is written`() async throws {
        let series = event(["DTSTART;VALUE=DATE:20261215", "RRULE:FREQ=DAILY;COUNT=2"])
        let moved = event([
            "RECURRENCE-ID:20261216T000000Z", "DTSTART;TZID=Europe/Berlin:20261218T100000",
        ])
        #expect(
            try await starts(of: file(series, moved)) == ["20261215T000000", "20261218T100000"])
    }

    @Test func `Single dates without their series are dates of one meeting`() async throws {
        let zone = "TZID=Europe/Berlin"
        let first = event([
            "RECURRENCE-ID;\(zone):20261207T093000", "DTSTART;\(zone):20261207T080000",
        ])
        let second = event([
            "RECURRENCE-ID;\(zone):20261214T093000", "DTSTART;\(zone):20261214T110000",
        ])
        let both = ["20261207T080000", "20261214T110000"]
        #expect(try await starts(of: file(first), file(second)) == both)
        #expect(try await starts(of: file(second), file(first)) == both)
        #expect(try await starts(of: file(first, second)) == both)
        let series = event(["DTSTART;\(zone):20261207T093000", "RRULE:FREQ=WEEKLY;COUNT=3"])
        let all = both + ["20261221T093000"]
        #expect(try await starts(of: file(first), file(series), file(second)) == all)
        #expect(try await starts(of: file(first), file(second), file(series)) == all)
        #expect(try await starts(of: file(series), file(second), file(series), file(first)) == all)
    }

    @Test func `A change to single dates is exported with each of them once`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let dates = ["07", "14"].map { day in
                event([
                    "RECURRENCE-ID:202612\(day)T093000Z", "DTSTART:202612\(day)T110000Z",
                    "DTEND:202612\(day)T120000Z",
                ])
            }
            _ = try await take(file(dates[0], dates[1]), planner, in: world)
            var edit = MeetingEdit()
            edit.title = "New title"
            let id = try await planner.meetingID(named: "w")
            _ = try await planner.editMeeting(id, edit, saving: true)
            let lines = try await exported(planner)
            #expect(lines.count { $0 == "SUMMARY:New title" } == 2)
            #expect(
                lines.filter { $0.hasPrefix("RECURRENCE-ID") }.sorted() == [
                    "RECURRENCE-ID:20261207T093000Z", "RECURRENCE-ID:20261214T093000Z",
                ])
            #expect(!lines.contains { $0.hasPrefix("RRULE") })
        }
    }

    @Test func `An exception after more than 40,000 dates is heeded`() async throws {
        let hourly = event([
            "DTSTART:20200101T000000Z", "DURATION:PT30M",
            "RRULE:FREQ=HOURLY;UNTIL=20261203T120000Z",
            "EXDATE:20261203T100000Z",
        ])
        let starts = try await starts(of: file(hourly))
        #expect(starts.contains("20261203T100000") && starts.contains("20261203T120000"))
        #expect(!starts.contains("20261203T110000"))
    }

    @Test func `A period added on a regular date has its own length`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let daily = event([
                "DTSTART:20261207T090000Z", "DTEND:20261207T100000Z", "RRULE:FREQ=DAILY;COUNT=3",
                "RDATE;VALUE=PERIOD:20261208T090000Z/PT3H", "RDATE:20261209T090000Z",
            ])
            _ = try await take(file(daily), planner, in: world)
            let dates = try await planner.meeting(try await planner.meetingID(named: "w")).dates
            #expect(
                dates.map { $0.end.moment.milliseconds(since: $0.start.moment) / 3_600_000 }
                    == [1, 3, 1])
        }
    }

    @Test(arguments: [":14 Dec", ":", ";TZID=Mars/Nowhere:20261214T090000"])
    func `A date that cannot be told changes nothing of its series`(_ id: String) async throws {
        let series = event(["DTSTART:20261214T080000Z", "RRULE:FREQ=HOURLY;COUNT=2"])
        let off = event([
            "RECURRENCE-ID\(id)", "DTSTART:20261214T090000Z", "STATUS:CANCELLED", "SEQUENCE:3",
        ])
        let all = ["20261214T090000", "20261214T100000"]
        #expect(try await starts(of: file(series), file(off, head: "METHOD:CANCEL")) == all)
        #expect(try await starts(of: file(series, off)) == all)
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let report = try await take(file(series, off), planner, in: world)
            #expect(report.imported == 1 && report.skipped.count == 1)
            let later = try await take(file(off, head: "METHOD:CANCEL"), planner, in: world)
            #expect(later.skipped.count == 1 && later.updated == 0)
            let isTold = later.skipped.first?.reason.contains("its zone is unknown") == true
            #expect(isTold == id.contains("Nowhere"))
        }
    }

    @Test func `An exception without a zone, in a series in UTC, may be a time in the own zone`()
        async throws
    {
        let series = event([
            "DTSTART:20261207T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20261214T100000",
        ])
        #expect(try await starts(of: file(series)) == ["20261207T100000", "20261221T100000"])
    }

    @Test(arguments: [
        "(UTC-05:00) Eastern Time (US & Canada)", "Eastern: Standard: Time", "Bogota, Lima, Quito",
    ])
    func `The name of a zone may contain colons and commas without quotes`(
        _ name: String
    ) async throws {
        let zone = """
            BEGIN:VTIMEZONE\nTZID:\(name)\nBEGIN:STANDARD\nDTSTART:16010101T000000
            TZOFFSETFROM:-0500\nTZOFFSETTO:-0500\nEND:STANDARD\nEND:VTIMEZONE
            """
        let series = event([
            "DTSTART;TZID=\(name):20261207T040000", "RRULE:FREQ=WEEKLY;COUNT=3",
            "EXDATE;TZID=\(name.uppercased()):20261214T040000",
        ])
        #expect(try await starts(of: file(zone, series)) == ["20261207T100000", "20261221T100000"])
    }

    @Test func `Exchange's own name of UTC is known`() async throws {
        let text = file(event(["DTSTART;TZID=tzone://Microsoft/Utc:20261207T090000"]))
        #expect(try await starts(of: text) == ["20261207T100000"])
    }

    @Test func `The report names zones, rules and alarms that are not used`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            func zone(_ offset: String) -> String {
                """
                BEGIN:VTIMEZONE\nTZID:Europe/Berlin\nBEGIN:STANDARD\nDTSTART:16010101T000000
                TZOFFSETFROM:\(offset)\nTZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE
                """
            }
            let alarm = "BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:20261206T090000Z\nEND:VALARM"
            let again = "BEGIN:VALARM\nTRIGGER:-PT1H\nREPEAT:2\nDURATION:PT5M\nEND:VALARM"
            let series = event(
                "w", "DTSTART;TZID=Europe/Berlin:20261207T090000", "RRULE:FREQ=WEEKLY",
                "RRULE:FREQ=DAILY", "URL:mailto:a@example.org", alarm, again)
            let report = try await take(
                file(zone("-0500"), zone("+0100"), series), planner, in: world)
            let reasons = report.warnings.map(\.reason)
            for words in [
                "other rules than in the tz database", "is described twice",
                "an import makes no meeting", "has an alarm that becomes no reminder",
                "has an alarm that goes off several times",
                "has a link that is not used: The link must begin with https://",
            ] {
                #expect(reasons.contains { $0.contains(words) }, "\(words) of \(reasons)")
            }
        }
    }

    @Test func `An empty rule, or the same rule twice, costs no meeting`() async throws {
        let start = "DTSTART:20261207T090000Z"
        #expect(try await starts(of: file(event([start, "RRULE:"]))) == ["20261207T100000"])
        let rule = "RRULE:FREQ=WEEKLY;COUNT=2"
        #expect(
            try await starts(of: file(event([start, rule, rule])))
                == ["20261207T100000", "20261214T100000"])
    }

    @Test(arguments: ["2026-12-21T23:59:59Z", "2026-12-21", "20261222T005959+0100"])
    func `The last date of a rule is read in the forms of other programs`(
        _ end: String
    ) async throws {
        let rule = "RRULE:FREQ=WEEKLY;UNTIL=\(end);BYDAY=MO"
        #expect(
            try await starts(of: file(event(["DTSTART:20261214T090000Z", rule])))
                == ["20261214T100000", "20261221T100000"])
    }

    @Test func `A date called off by a newer version stays off in any order`() async throws {
        let series = event(["DTSTART:20261207T090000Z", "RRULE:FREQ=WEEKLY;COUNT=2"])
        let moved = event([
            "RECURRENCE-ID:20261214T090000Z", "DTSTART:20261215T090000Z", "SEQUENCE:1",
        ])
        let off = event(["RECURRENCE-ID:20261214T090000Z", "STATUS:CANCELLED", "SEQUENCE:2"])
        for order in [[series, moved, off], [off, series, moved], [off, moved, series]] {
            #expect(try await starts(of: file(order[0], order[1], order[2])) == ["20261207T100000"])
            #expect(
                try await starts(of: file(order[0]), file(order[1]), file(order[2]))
                    == ["20261207T100000"])
        }
    }

    @Test(arguments: [
        "FREQ=WEEKLY;COUNT=2;BYDAY=TU, XX", "FREQ=WEEKLY; COUNT=2;X-ODD=1;BYDAY=TU",
        "FREQ=WEEKLY;INTERVAL=0;COUNT=2;BYSETPOS=1;BYDAY=TU",
    ]) func `An odd part of a rule costs only this part`(_ rule: String) async throws {
        let text = file(event(["DTSTART:20261215T090000Z", "RRULE:\(rule)"]))
        #expect(try await starts(of: text) == ["20261215T100000", "20261222T100000"])
    }

    @Test func `An added date without a time has the time of the start`() async throws {
        let text = file(
            event(["DTSTART;TZID=Europe/Berlin:20261202T100000", "RDATE;VALUE=DATE:20261210"]))
        #expect(try await starts(of: text) == ["20261202T100000", "20261210T100000"])
    }

    @Test(arguments: [":20261201T083000", ";TZID=Europe/Berlin:20261201T143000"])
    func `An alarm at a time without Z is in its own zone, or else in that of the event`(
        _ time: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let alarm = "BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME\(time)\nEND:VALARM"
            let text = file(
                event("a", "DTSTART;TZID=America/New_York:20261201T100000\n" + alarm))
            _ = try await take(text, planner, in: world)
            #expect(try await planner.meeting("a").reminders == ["PT1H30M"])
        }
    }

    @Test func `A zone is the best-known one with the same rules in all years`() async throws {
        func zone(_ name: String, at start: String, _ parts: String) async throws -> String {
            try await withTemporaryHome { world in
                let planner = try await world.planner(tz: "Europe/Berlin")
                let zone = "BEGIN:VTIMEZONE\nTZID:\(name)\n\(parts)\nEND:VTIMEZONE"
                let text = file(
                    event("z", "DTSTART;TZID=\(name):\(start)\nRRULE:FREQ=WEEKLY"), head: zone)
                _ = try await take(text, planner, in: world)
                return try await planner.meeting("z").tz
            }
        }
        func part(_ kind: String, _ onset: String, _ rule: String, _ from: Int, _ to: Int) -> String
        {
            func offset(_ hours: Int) -> String { "\(hours < 0 ? "-" : "+")0\(abs(hours))00" }
            return """
                BEGIN:\(kind)
                DTSTART:\(onset)
                RRULE:FREQ=YEARLY;\(rule)
                TZOFFSETFROM:\(offset(from))
                TZOFFSETTO:\(offset(to))
                END:\(kind)
                """
        }
        let eastern = [
            part("STANDARD", "20071104T020000", "BYDAY=1SU;BYMONTH=11", -4, -5),
            part("DAYLIGHT", "20070311T020000", "BYDAY=2SU;BYMONTH=3", -5, -4),
        ].joined(separator: "\n")
        #expect(try await zone("US-East", at: "20140107T090000", eastern) == "America/New_York")
        #expect(try await zone("EST", at: "20261207T090000", eastern) == "America/New_York")
        let british = [
            part("STANDARD", "20071028T020000", "BYDAY=-1SU;BYMONTH=10", 1, 0),
            part("DAYLIGHT", "20070325T010000", "BYDAY=-1SU;BYMONTH=3", 0, 1),
        ].joined(separator: "\n")
        #expect(try await zone("GMT", at: "20261207T090000", british) == "Europe/London")
        let ownRules = [
            part("STANDARD", "20071104T020000", "BYDAY=1SU;BYMONTH=11", 6, 5),
            part("DAYLIGHT", "20070311T020000", "BYDAY=2SU;BYMONTH=3", 5, 6),
        ].joined(separator: "\n")
        #expect(
            try await zone("Club", at: "20261207T090000", ownRules)
                == "<+05>-5<+06>-6,M3.2.0/2,M11.1.0/2")
    }

    @Test func `An import tells what it did not use, and what the check found`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let odd = [
                "RRULE:FREQ=DAILY;COUNT=2;X-A=1", "CATEGORIES:Club", "ORGANIZER:mailto:o@e.org",
                "GEO:60.1;24.9",
            ].joined(separator: "\n")
            let text = file(
                event("a", "DTSTART:20261207T090000Z", odd),
                event("b", "DTSTART;VALUE=DATE:20261208\nDTEND;VALUE=DATE:20261208", odd))
            let report = try await take(text, planner, in: world)
            #expect(report.imported == 2)
            let reasons = report.warnings.map(\.reason)
            let kinds = report.warnings.kinds
            #expect(kinds.filter { $0.first.reason.contains("X-A") }.map(\.count) == [2])
            #expect(reasons.contains { $0.hasPrefix("DTEND must be the day after") })
            let unused = try #require(report.unused.first)
            #expect(
                unused.what == "the property CATEGORIES" && unused.count == 2 && unused.line == 8)
            let others = report.unused.dropFirst().map(\.what)
            #expect(others == ["the property ORGANIZER", "the property GEO"])
            let day = try await planner.meeting("b")
            #expect(
                try Moment.parse(day.end.text).seconds - Moment.parse(day.start.text).seconds
                    == 86_400)
        }
    }
}
