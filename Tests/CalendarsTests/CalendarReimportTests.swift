import Agenda
import Calendars
import Foundation
import Planning
import TestKit
import Testing
import Timekeeping

/// Tests of repeated imports, and of imported data that files describe only in part.
@Suite struct CalendarReimportTests: TakesCalendarFiles {
    private func weekly(_ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:choir", "SUMMARY:Choir", "DTSTAMP:20260101T000000Z"]
            + ["DTSTART;TZID=Europe/Berlin:20270104T100000", "DURATION:PT1H"]
            + ["RRULE:FREQ=WEEKLY;COUNT=6"] + lines + ["END:VEVENT"]).joined(separator: "\n")
    }

    private func date(_ day: String, _ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:choir", "SUMMARY:Choir"]
            + ["RECURRENCE-ID:\(day)T090000Z", "DURATION:PT1H"] + lines + ["END:VEVENT"])
            .joined(separator: "\n")
    }

    private func starts(_ planner: Planner) async throws -> Set<String> {
        Set(try await planner.outbox().rows.compactMap(\.occurrence))
    }

    @Test func `A date cancelled by its file stays cancelled when the series is edited`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let off = date(
                "20270201", "DTSTART;TZID=Europe/Berlin:20270201T100000", "STATUS:CANCELLED")
            _ = try await take(file(weekly(), off), planner, in: world)
            _ = try await planner.edit("Choir") { $0.title = "Singing" }
            var edit = MeetingEdit()
            edit.place = "Hall"
            edit.date = "2027-01-11"
            _ = try await planner.editMeeting("Singing", edit, saving: true)
            let lines = try await exported(planner)
            #expect(lines.filter { $0 == "STATUS:CANCELLED" }.count == 1)
            #expect(lines.contains("RECURRENCE-ID:20270201T090000Z"))
            let report = try await take(lines.joined(separator: "\r\n"), planner, in: world)
            #expect(report.imported == 0 && report.skipped.isEmpty)
            #expect(try await !starts(planner).contains("20270201T100000"))
        }
    }

    @Test(arguments: [
        // A later timestamp, and a later version.
        ["DTSTAMP:20260102T000000Z", "SEQUENCE:1", "STATUS:CANCELLED"],
        ["DTSTAMP:20260101T000000Z", "SEQUENCE:3", "DTSTART:20270119T140000Z"],
    ])
    func `An old file does not undo a newer change to a single date`(
        _ lines: [String]
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(file(weekly()), planner, in: world)
            let news =
                (["BEGIN:VEVENT", "UID:choir", "RECURRENCE-ID:20270118T090000Z"]
                + lines + ["END:VEVENT"]).joined(separator: "\n")
            #expect(try await take(file(news), planner, in: world).updated == 1)
            let told = try await exported(planner)
            #expect(try await take(file(weekly()), planner, in: world).unchanged == 1)
            #expect(try await exported(planner) == told)
            // A newer version of the whole series says nothing about a file of that date alone.
            let newer = weekly().replacingOccurrences(of: "DTSTAMP:2026", with: "DTSTAMP:2027")
            #expect(try await take(file(newer), planner, in: world).unchanged == 1)
            #expect(try await exported(planner).contains("RECURRENCE-ID:20270118T090000Z"))
        }
    }

    @Test func `A new version with the same content counts as unchanged`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let text = file(weekly(), head: "PRODID:other")
            _ = try await take(text, planner, in: world)
            let own = try await exported(planner).joined(separator: "\r\n")
            #expect(try await take(own, planner, in: world).unchanged == 1)
            let later = text.replacingOccurrences(of: "DTSTAMP:2026", with: "DTSTAMP:2027")
            #expect(try await take(later, planner, in: world).unchanged == 1)
            let other = text.replacingOccurrences(of: "SUMMARY:Choir", with: "SUMMARY:Band")
            #expect(try await take(other, planner, in: world).skipped.count == 1)
        }
    }

    @Test func `An export describes each named time zone correctly`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let wrong = """
                BEGIN:VTIMEZONE\nTZID:Europe/Berlin\nBEGIN:DAYLIGHT\nDTSTART:19700101T000000
                TZOFFSETFROM:+0200\nTZOFFSETTO:+0200\nEND:DAYLIGHT\nEND:VTIMEZONE
                """
            _ = try await take(
                file(
                    wrong, weekly(),
                    event("outlook", "DTSTART;TZID=Tokyo Standard Time:20270104T100000")),
                planner, in: world)
            let lines = try await exported(planner)
            #expect(lines.filter { $0 == "BEGIN:VTIMEZONE" }.count == 2)
            #expect(lines.contains("TZID:Tokyo Standard Time"))
            #expect(lines.contains("TZOFFSETTO:+0100") && lines.contains("TZOFFSETTO:+0900"))
            // Each event has a DTSTAMP, even if the imported file had none.
            #expect(lines.filter { $0.hasPrefix("DTSTAMP") }.count == 2)
        }
    }

    @Test func `Two people can import the same event, and each gets a meeting`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(tz: "Europe/Berlin", actingAs: "Anna")
            #expect(try await take(file(weekly()), planner, in: world).imported == 1)
            #expect(try await take(file(weekly()), anna, in: world).imported == 1)
            #expect(try await take(file(weekly()), anna, in: world).unchanged == 1)
            let moved = file(weekly("SEQUENCE:1")).replacingOccurrences(
                of: "T100000", with: "T120000")
            #expect(try await take(moved, anna, in: world).updated == 1)
            #expect(try await exported(anna).contains("UID:choir"))
            #expect(try await exported(anna).contains("DTSTART;TZID=Europe/Berlin:20270104T120000"))
            #expect(
                try await exported(planner).contains("DTSTART;TZID=Europe/Berlin:20270104T100000"))
        }
    }

    @Test func `Merging two people keeps what both imported`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await planner.add("Anna", "anna@example.org")
            _ = try await planner.add("Anna V.", "a.v@example.org")
            let task = "BEGIN:VTODO\nUID:task\nSUMMARY:Buy scores\nEND:VTODO"
            let text = file(weekly("X-ROOM:7"), task)
            let anna = try await world.planner(tz: "Europe/Berlin", actingAs: "a.v@example.org")
            let other = try await world.planner(tz: "Europe/Berlin", actingAs: "anna@example.org")
            // Both people import the series, and one of them also the task.
            #expect(try await take(text, other, in: world).imported == 1)
            #expect(try await take(file(weekly()), anna, in: world).imported == 1)
            _ = try await planner.mergePeople("a.v@example.org", "anna@example.org")
            let lines = try await exported(anna)
            #expect(lines.contains("SUMMARY:Buy scores"))
            #expect(lines.filter { $0 == "SUMMARY:Choir" }.count == 2)
            #expect(try await take(text, anna, in: world).imported == 0)
        }
    }

    @Test(arguments: [
        ("TRIGGER:-PT15M", ["PT15M"]), ("TRIGGER;VALUE=DATE-TIME:20270110T080000Z", ["PT1H"]),
        ("TRIGGER;RELATED=END:-PT75M", ["PT15M"]), ("TRIGGER;RELATED=END:-PT45M", []),
        ("TRIGGER;VALUE=DATE-TIME:20270110T100000Z", []), ("TRIGGER:PT15M", []),
    ])
    func `Alarms before the start become reminders`(
        _ trigger: String, _ reminders: [String]
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let alarm = "BEGIN:VALARM\nACTION:DISPLAY\n\(trigger)\nEND:VALARM"
            let tea = event(
                "tea", "DTSTART:20270110T090000Z", "DTEND:20270110T100000Z", alarm)
            #expect(try await take(file(tea), planner, in: world).imported == 1)
            #expect(try await planner.meeting("tea").reminders == reminders)
        }
    }

    @Test func `The report warns where a meeting differs from the file`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let alarms = (1...12).map { "BEGIN:VALARM\nTRIGGER:-PT\($0)H\nEND:VALARM" }
            let far = "BEGIN:VALARM\nTRIGGER:-P400D\nEND:VALARM"
            let long = String(repeating: "x", count: 900)
            let late = "DTSTART;TZID=Europe/Berlin:20261018T023000\nRRULE:FREQ=WEEKLY;COUNT=3"
            let zone = """
                BEGIN:VTIMEZONE\nTZID:(UTC-03:00) Brasília\nBEGIN:STANDARD
                DTSTART:16010101T000000\nRRULE:FREQ=YEARLY;BYDAY=3SA;BYMONTH=2
                TZOFFSETFROM:-0200\nTZOFFSETTO:-0300\nEND:STANDARD\nBEGIN:DAYLIGHT
                DTSTART:16010101T000000\nRRULE:FREQ=YEARLY;BYDAY=2SA;BYMONTH=10
                TZOFFSETFROM:-0300\nTZOFFSETTO:-0200\nEND:DAYLIGHT\nEND:VTIMEZONE
                """
            let brasil = event(
                "brasil", "DTSTART;TZID=\"(UTC-03:00) Brasília\":20270111T100000",
                "RRULE:FREQ=WEEKLY")
            let report = try await take(
                file(
                    zone, brasil,
                    event("a", "DTSTART:20270110T090000Z", alarms.joined(separator: "\n")),
                    event("b", "DTSTART:20270110T090000Z", "DTEND:20270110T080000Z"),
                    event("c", "DTSTART:20270110T090000Z", far, "SUMMARY:\(long)")
                        .replacing("SUMMARY:c\n", with: ""),
                    event("d", late, "RDATE:20261025T013000Z"),
                    head: "X-WR-TIMEZONE:Atlantis"), planner, in: world)
            #expect(report.imported == 5 && report.kept.isEmpty)
            let reasons = report.warnings.map(\.reason)
            for words in [
                "DTEND is before DTSTART", "12 alarms",
                "its dates use the rules of the description", "an alarm that becomes no reminder",
                "a title of 900 characters: the first", "a date at 02:30:00, which occurs twice",
                "X-WR-TIMEZONE is the unknown time zone \"Atlantis\"",
            ] {
                #expect(reasons.contains { $0.contains(words) }, "\(words) of \(reasons)")
            }
        }
    }

    @Test(arguments: [2031, 2027, 2026, 2015])
    func `A description of single clock changes counts up to the last of them`(
        last: Int
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Asia/Tokyo")
            // The last Sundays of March and October in 2026, 2027 and later years.
            let changes = [
                (2015, 29, 25), (2026, 29, 25), (2027, 28, 31), (2028, 26, 29), (2029, 25, 28),
                (2030, 31, 27),
                (2031, 30, 26),
            ].filter { $0.0 <= last }.map { year, march, october in
                """
                BEGIN:DAYLIGHT\nDTSTART:\(year)03\(march)T020000
                TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:DAYLIGHT
                BEGIN:STANDARD\nDTSTART:\(year)10\(october)T030000
                TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nEND:STANDARD
                """
            }
            let zone =
                "BEGIN:VTIMEZONE\nTZID:Office\n\(changes.joined(separator: "\n"))\n"
                + "END:VTIMEZONE"
            let weekly = event(
                "weekly", "DTSTART;TZID=Office:20270111T100000", "RRULE:FREQ=WEEKLY")
            let report = try await take(file(zone, weekly), planner, in: world)
            #expect(report.imported == 1)
            let meetings = try await planner.meetings(.coming).meetings
            #expect(meetings.map(\.start.text) == ["2027-01-11T10:00:00+01:00"])
            guard last > 2025 else {
                // Clocks have not changed for years, so they will not.
                let tz = try await planner.meeting("weekly").tz
                #expect(tz == "Africa/Lagos")
                return
            }
            let day = [2031: "10-26", 2027: "10-31", 2026: "10-25"][last] ?? ""
            let words =
                "lists clock changes only until \(last)-\(day): its dates use Europe/Berlin"
            let reasons = (report.warnings + report.kept).map(\.reason)
            #expect(reasons.contains { $0.contains(words) }, "\(reasons)")
        }
    }
}
