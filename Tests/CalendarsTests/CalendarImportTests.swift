import Agenda
import Calendars
import Foundation
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// Tests of the import of calendar files as meetings, and of the export of meetings.
@Suite struct CalendarImportTests: TakesCalendarFiles {
    private static let choir = """
        BEGIN:VEVENT
        UID:choir@example.org
        DTSTAMP:20261101T100000Z
        SEQUENCE:2
        DTSTART;TZID=Europe/Berlin:20261201T190000
        DTEND;TZID=Europe/Berlin:20261201T210000
        RRULE:FREQ=WEEKLY;COUNT=10
        RDATE;TZID=Europe/Berlin:20261203T190000
        EXDATE;TZID=Europe/Berlin:20261222T190000
        SUMMARY;LANGUAGE=de:Chorprobe
        LOCATION:Saal 1
        X-ROOM:7
        ATTENDEE;CN=Bo:mailto:bo@example.org
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-PT2H
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:choir@example.org
        DTSTAMP:20261101T100000Z
        RECURRENCE-ID:20261208T180000Z
        DTSTART;TZID=Europe/Berlin:20261209T190000
        DTEND;TZID=Europe/Berlin:20261209T210000
        SUMMARY:Chorprobe
        X-ROOM:8
        END:VEVENT
        """

    @Test func `An export is imported with a remark on its guests, and the same last day`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Helsinki")
            try await planner.add("Anna", "anna@example.org")
            var request = MeetingRequest.lunch(with: "Anna")
            (request.title, request.repetition) = ("Choir", "weekly until 30 june 2027")
            try await planner.create(request)
            let text = String(decoding: try await planner.exportCalendar(), as: UTF8.self)
            #expect(text.contains("UNTIL=20270630T205959Z"))
            try await withTemporaryHome { other in
                let new = try await other.planner(tz: "Europe/Helsinki")
                let report = try await take(text, new, in: other)
                #expect(report.imported == 1)
                #expect(
                    report.warnings.map(\.reason) == [
                        "\"Choir\" comes without its guests and circles, which letsmeet does not "
                            + "export to calendar files. Invite them again."
                    ])
                let choir: MeetingView = try await new.meeting("Choir")
                #expect(choir.repetition == "every week until 30 June 2027")
                let again = try await take(text, new, in: other)
                #expect(again.unchanged == 1 && again.warnings.isEmpty)
            }
        }
    }

    @Test func `A series is imported with its exceptions, and nobody is invited`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let report = try await take(file(Self.choir), planner, in: world)
            #expect(report.imported == 1 && report.kept.isEmpty)
            #expect(
                report.warnings.map(\.reason) == [
                    "VCALENDAR has no PRODID.",
                    "The file does not define the time zone \"Europe/Berlin\"; some programs "
                        + "need it.",
                ])
            let meeting = try await planner.meeting("Chorprobe")
            #expect(meeting.participants.count == 1)
            #expect(meeting.place?.text == "Saal 1")
            #expect(meeting.reminders == ["PT2H"])
            let due = try await planner.outbox().rows.filter { $0.kind == "reminder" }
                .map { String($0.due.text.prefix(16)) }
            #expect(
                due.prefix(4) == [
                    "2026-12-01T16:00", "2026-12-03T16:00", "2026-12-09T16:00",
                    "2026-12-15T16:00",
                ])
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A second import neither duplicates nor loses anything`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let task = "BEGIN:VTODO\nUID:task\nSUMMARY:Buy scores\nEND:VTODO"
            let text = file(Self.choir, task, event("", "DTSTART:20261224"), head: "X-WR-CALNAME:C")
            let first = try await take(text, planner, in: world)
            #expect(first.imported == 2 && first.kept.count == 1 && first.read == 3)
            let second = try await take(text, planner, in: world)
            #expect(second.unchanged == 3 && second.imported == 0)
            #expect(second.unchangedOthers == 1)
            let lines = try await exported(planner)
            for line in text.split(separator: "\n") where line != "UID:" {
                #expect(lines.contains(String(line)), "\(line)")
            }
            #expect(lines.filter { $0 == "UID:choir@example.org" }.count == 2)
            // An exported file contains only objects that are known here.
            let own = lines.joined(separator: "\r\n")
            #expect(try await take(own, planner, in: world).imported == 0)
        }
    }

    @Test func `An export contains changes made here, and the rest as in the imported file`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(file(Self.choir), planner, in: world)
            _ = try await planner.edit("Chorprobe") { $0.title = "Choir" }
            let lines = try await exported(planner)
            #expect(lines.filter { $0 == "SUMMARY:Choir" }.count == 2)
            #expect(!lines.contains("SUMMARY;LANGUAGE=de:Chorprobe"))
            #expect(lines.contains("X-ROOM:7") && lines.contains("X-ROOM:8"))
            let added = "RDATE;TZID=Europe/Berlin:20261203T190000"
            #expect(lines.contains(added))
            var edit = MeetingEdit()
            edit.place = "Saal 2"
            edit.date = "2026-12-15"
            _ = try await planner.editMeeting("Choir", edit, saving: true)
            let moved = try await exported(planner)
            #expect(moved.contains(added))
            #expect(moved.filter { $0 == "LOCATION:Saal 2" }.count == 1)
            #expect(moved.filter { $0.hasPrefix("RECURRENCE-ID") }.count == 2)
        }
    }

    @Test func `A newer file changes the meeting, and an older one does not`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            func tea(_ sequence: Int, _ hour: Int) -> String {
                file(event("tea", "SEQUENCE:\(sequence)", "DTSTART:20261205T\(hour)0000Z"))
            }
            _ = try await take(tea(1, 12), planner, in: world)
            #expect(try await take(tea(2, 14), planner, in: world).updated == 1)
            let older = try await take(tea(1, 12), planner, in: world)
            #expect(
                older.skipped.map(\.reason) == [
                    "\"tea\" is older than the version that was imported before"
                ])
            #expect(try await planner.meeting("tea").start.text == "2026-12-05T15:00:00+01:00")
            let off = file(
                event("tea", "SEQUENCE:3", "DTSTART:20261205T140000Z"), head: "METHOD:CANCEL")
            #expect(try await take(off, planner, in: world).updated == 1)
            #expect(try await exported(planner).contains("STATUS:CANCELLED"))
        }
    }

    @Test func `A change from one date on becomes a separate meeting`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let weekly = [
                "BEGIN:VEVENT", "UID:choir\\,2", "SUMMARY:Choir", "SEQUENCE:1",
                "DTSTART;TZID=Europe/Berlin:20261201T190000", "RRULE:FREQ=WEEKLY", "END:VEVENT",
            ].joined(separator: "\n")
            let later = [
                "BEGIN:VEVENT", "UID:choir\\,2", "SUMMARY:Choir at eight", "X-ROOM:9",
                "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261222T190000",
                "DTSTART;TZID=Europe/Berlin:20261223T200000", "END:VEVENT",
            ].joined(separator: "\n")
            let first = try await take(file(weekly, later), planner, in: world)
            #expect(first.imported == 2 && first.kept.isEmpty)
            #expect(try await take(file(weekly, later), planner, in: world).unchanged == 2)
            let starts = try await planner.meetings(.coming).meetings.map {
                "\($0.title) \($0.start.text)"
            }
            #expect(
                starts == [
                    "Choir 2026-12-01T19:00:00+01:00", "Choir at eight 2026-12-23T20:00:00+01:00",
                ])
            let lines = try await exported(planner)
            #expect(lines.contains("X-ROOM:9"))
            #expect(lines.contains("UID:choir\\,2"))
            // A newer file no longer contains the change.
            let newer = weekly.replacingOccurrences(of: "SEQUENCE:1", with: "SEQUENCE:2")
            let second = try await take(file(newer), planner, in: world)
            #expect(second.updated == 2)
            #expect(try await exported(planner).filter { $0 == "STATUS:CANCELLED" }.count == 1)
        }
    }

    @Test func `An import does not change a meeting with other participants`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            try await planner.create(.lunch(with: "anna@example.org"))
            let lines = try await exported(planner)
            #expect(!lines.contains { $0.contains("anna@example.org") })
            let same = lines.joined(separator: "\r\n")
            #expect(try await take(same, planner, in: world).unchanged == 1)
            let other = same.replacingOccurrences(of: "SUMMARY:Lunch", with: "SUMMARY:Dinner")
            let report = try await take(other, planner, in: world)
            #expect(report.skipped.first?.reason.contains("is planned here") == true)
            #expect(try await planner.meeting("Lunch").title == "Lunch")
        }
    }

    @Test(arguments: [
        ("DTSTART:20261205T120000Z", "2026-12-05T13:00:00+01:00", "2026-12-05T13:01:00+01:00"),
        ("DTSTART:20261205T120000", "2026-12-05T12:00:00+01:00", "2026-12-05T12:01:00+01:00"),
        ("DTSTART;VALUE=DATE:20261205", "2026-12-05T00:00:00+01:00", "2026-12-06T00:00:00+01:00"),
        (
            "DTSTART;TZID=Romance Standard Time:20261205T120000\nDURATION:PT30M",
            "2026-12-05T12:00:00+01:00", "2026-12-05T12:30:00+01:00"
        ),
        (
            "DTSTART:20261205T120000Z\nDTEND:20261205T110000Z", "2026-12-05T13:00:00+01:00",
            "2026-12-05T13:01:00+01:00"
        ),
        // The second occurrence of the hour that occurs twice is kept in UTC.
        ("DTSTART:20271031T013000Z", "2027-10-31T01:30:00+00:00", "2027-10-31T01:31:00+00:00"),
    ])
    func `The start and end of a meeting follow the imported file`(
        _ lines: String, _ start: String, _ end: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let report = try await take(file(event("tea", lines)), planner, in: world)
            #expect(report.imported == 1)
            let meeting = try await planner.meeting("tea")
            #expect([meeting.start.text, meeting.end.text] == [start, end])
        }
    }

    @Test(arguments: [
        ("DTSTART:20261205T120000Z\nSTATUS:CANCELLED", "is cancelled"),
        ("DTSTART:20261205T120000Z\nDURATION:P40D", "takes longer than 31 days"),
        (
            "DTSTART:20261205T120000Z\nRRULE:FREQ=MINUTELY",
            "repeats in a way that meetings do not support"
        ),
        ("DTSTART:20261205T120000Z\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY", "EXRULE"),
        (
            "DTSTART:20261205T120000Z\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY",
            "several recurrence rules"
        ),
        ("DESCRIPTION:none", "has no start"),
    ])
    func `An event that cannot become a meeting is stored, and the report says why`(
        _ lines: String, _ reason: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let report = try await take(file(event("tea", lines)), planner, in: world)
            #expect(report.imported == 0)
            #expect(report.kept.first?.reason.contains(reason) == true)
            let written = try await exported(planner)
            for line in lines.split(separator: "\n") { #expect(written.contains(String(line))) }
        }
    }

    @Test func `A reply to an organizer is skipped, and a file without calendars is refused`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let reply = file(event("tea", "DTSTART:20261205T120000Z"), head: "METHOD:REPLY")
            let report = try await take(reply, planner, in: world)
            #expect(report.read == 0 && report.skipped.count == 1)
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await take("Dear all,\n", planner, in: world)
            }
            #expect(refusal?.code == "nothing_read")
        }
    }
}
