import Agenda
import Calendars
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// Tests of imports of calendar files that say where their times are, how they repeat or when they
/// remind in unusual ways.
@Suite struct OddCalendarsTests: TakesCalendarFiles {
    /// Imports a file for a person in Berlin.
    private func withImport(
        of text: String, _ check: (Planner, CalendarImportReport) async throws -> Void
    ) async throws {
        try await withImport(of: text, in: "Europe/Berlin", check)
    }

    @Test(arguments: [
        ("DTSTART:20261207T100000", "2026-12-07T15:00:00Z", "America/New_York"),
        (
            "DTSTART:20261207T100000\nRRULE:FREQ=WEEKLY;COUNT=2", "2026-12-07T15:00:00Z",
            "America/New_York"
        ),
        ("DTSTART;VALUE=DATE:20261207", "2026-12-06T23:00:00Z", "Europe/Berlin"),
    ])
    func `A time without a zone is in the zone of its calendar, and a whole day is not moved`(
        _ lines: String, _ start: String, _ zone: String
    ) async throws {
        let text = file(event("w", lines), head: "X-WR-TIMEZONE:America/New_York")
        try await withImport(of: text) { planner, report in
            #expect(report.imported == 1)
            let meeting = try await planner.meeting("w")
            #expect(try Moment.parse(meeting.start.text) == Moment.parse(start))
            #expect(meeting.tz == zone)
        }
    }

    @Test func `A zone that is described without rules is the one that it names`() async throws {
        let zone = "BEGIN:VTIMEZONE\nTZID:Mine\nX-LIC-LOCATION:Europe/Paris\nEND:VTIMEZONE"
        let series = event("w", "DTSTART;TZID=Mine:20261214T100000", "RRULE:FREQ=WEEKLY;COUNT=3")
        try await withImport(of: file(zone, series)) { planner, report in
            let tz = try await planner.meeting("w").tz
            #expect(report.imported == 1 && tz == "Europe/Paris")
        }
    }

    @Test(arguments: ["", "RRULE:FREQ=MONTHLY;COUNT=2"])
    func `A zone with rules of its own keeps the clock time that is written`(
        _ rule: String
    ) async throws {
        // Both changes are at two o'clock, which is so nowhere.
        let zone = """
            BEGIN:VTIMEZONE\nTZID:Middle\nBEGIN:STANDARD\nDTSTART:19501029T020000
            TZOFFSETFROM:+0200\nTZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=-1SU;BYMONTH=10
            END:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:19500326T020000
            TZOFFSETFROM:+0100\nTZOFFSETTO:+0200
            RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=-1SU;BYMONTH=3
            END:DAYLIGHT\nEND:VTIMEZONE
            """
        let lines = ["DTSTART;TZID=Middle:20261214T100000"] + (rule.isEmpty ? [] : [rule])
        let text = file(zone, event("w", lines.joined(separator: "\n")))
        try await withImport(of: text) { planner, report in
            let start = try await planner.meeting("w").start.text
            #expect(report.imported == 1 && start == "2026-12-14T10:00:00+01:00")
        }
    }

    @Test func `Apple's alarm for no alarm is none`() async throws {
        let alarm = """
            BEGIN:VALARM
            ACTION:NONE
            TRIGGER;VALUE=DATE-TIME:19760401T005545Z
            END:VALARM
            """
        for text in [alarm, alarm.replacing("ACTION:NONE", with: "ACTION:DISPLAY")] {
            let date = event("w", "DTSTART:20261214T100000Z", text)
            try await withImport(of: file(date)) { planner, report in
                let meeting = try await planner.meeting("w")
                #expect(meeting.reminders.isEmpty)
                #expect(!report.warnings.contains { $0.reason.contains("alarm") })
            }
        }
    }

    @Test func `A zone with single clock changes within a year is matched up to the last of them`()
        async throws
    {
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Custom
            BEGIN:STANDARD
            DTSTART:20261025T030000
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            END:STANDARD
            BEGIN:DAYLIGHT
            DTSTART:20270328T020000
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            END:DAYLIGHT
            END:VTIMEZONE
            """
        let series = event(
            "w", "DTSTART;TZID=Custom:20261214T100000", "RRULE:FREQ=WEEKLY;COUNT=30")
        try await withImport(of: file(zone, series)) { planner, report in
            let zone = try await planner.meeting("w").tz
            #expect(report.imported == 1 && zone == "Europe/Berlin")
            #expect(report.warnings.contains { $0.reason.contains("only until 2027-03-28") })
        }
    }

    /// The 31st of each month, moved to the 1st, is not in the same months.
    @Test(arguments: [("FREQ=MONTHLY;COUNT=6", false), ("FREQ=DAILY;COUNT=60", true)])
    func `A change of all later dates is refused if no rule can express it`(
        _ rule: String, _ isSplit: Bool
    ) async throws {
        let series = event("w", "DTSTART:20261231T100000Z\nRRULE:\(rule)")
        let later = event(
            "w", "RECURRENCE-ID;RANGE=THISANDFUTURE:20270131T100000Z\nDTSTART:20270201T100000Z")
        try await withImport(of: file(series, later)) { _, report in
            #expect(report.imported == (isSplit ? 2 : 0))
            let words = "changes from one date on, but its rule cannot be split there"
            #expect(report.kept.map(\.reason) == (isSplit ? [] : ["\"w\" \(words)"]))
        }
    }

    @Test(arguments: ["RRULE:FREQ=WEEKLY;COUNT=3", "RDATE:20261214T090000Z"])
    func `A single date without its series does not repeat`(_ line: String) async throws {
        let date = "RECURRENCE-ID:20261207T090000Z\nDTSTART:20261207T090000Z"
        try await withImport(of: file(event("w", date, line))) { planner, report in
            #expect(report.imported == 1)
            let meeting = try await planner.meeting("w")
            #expect(meeting.dates.isEmpty)
            #expect(meeting.start.text == "2026-12-07T10:00:00+01:00")
        }
    }

    @Test func `An event that is CANCELED becomes no meeting`() async throws {
        let off = event("w", "DTSTART:20261207T090000Z", "STATUS:CANCELED")
        try await withImport(of: file(off)) { _, report in
            #expect(report.imported == 0 && report.kept.count == 1)
        }
    }

    @Test(arguments: ["TRIGGER:-PT15M", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z"])
    func `An alarm that does nothing becomes no reminder, and is not reported`(
        _ trigger: String
    ) async throws {
        let series = event(
            "w", "DTSTART:20261207T090000Z", "RRULE:FREQ=WEEKLY;COUNT=2",
            "BEGIN:VALARM\nACTION:NONE\n\(trigger)\nEND:VALARM",
            "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT1H\nEND:VALARM")
        try await withImport(of: file(series)) { planner, report in
            let meeting = try await planner.meeting("w")
            #expect(meeting.reminders == ["PT1H"])
            #expect(!report.warnings.contains { $0.reason.contains("alarm") })
        }
    }

    @Test func `A cancelled date without an end keeps its usual length`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let zone = "TZID=Europe/Berlin"
            let series = event(
                "w", "DTSTART;\(zone):20261207T100000", "DURATION:PT2H",
                "RRULE:FREQ=WEEKLY;COUNT=2")
            _ = try await take(file(series), planner, in: world)
            let off = event(
                "w", "RECURRENCE-ID;\(zone):20261214T100000", "DTSTART;\(zone):20261214T100000",
                "SEQUENCE:1")
            let report = try await take(file(off, head: "METHOD:CANCEL"), planner, in: world)
            #expect(report.updated == 1)
            let dates = try await planner.meeting("w").dates
            #expect(dates.last?.status == .cancelled)
            #expect(dates.last?.start.text.hasPrefix("2026-12-14T10:00") == true)
            #expect(dates.last?.end.text.hasPrefix("2026-12-14T12:00") == true)
        }
    }

    @Test(arguments: ["", "SEQUENCE:0"])
    func `A cancellation of an earlier version is skipped, and the report says so`(
        _ sequence: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let start = "DTSTART:20261207T090000Z"
            _ = try await take(file(event("w", start, "SEQUENCE:1")), planner, in: world)
            let off = event("w", start, "STATUS:CANCELLED", sequence)
            let report = try await take(file(off, head: "METHOD:CANCEL"), planner, in: world)
            #expect(report.unchanged == 0)
            #expect(
                report.skipped.map(\.reason) == [
                    "\"w\" is older than the version that was imported before"
                ])
            let status = try await planner.meeting("w").status
            #expect(status == .confirmed)
        }
    }
}
