import Settings
import Agenda
import Calendars
import Foundation
import Planning
import TestKit
import Testing
import Timekeeping

/// Tests of remarks on events that become meetings only in part.
@Suite struct ImportDoubtsTests: TakesCalendarFiles {
    private func report(
        _ text: String, check: (Planner) async throws -> Void = { _ in }
    ) async throws -> [String] {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let report = try await take(text, planner, in: world)
            #expect(report.imported == 1 && report.kept.isEmpty && report.skipped.isEmpty)
            try await check(planner)
            return report.warnings.map(\.reason)
        }
    }

    @Test func `Words of single dates are named`() async throws {
        let series = event("w", "DTSTART:20261201T090000Z\nRRULE:FREQ=WEEKLY;COUNT=4")
        let dates = ["08", "15"].map {
            event(
                "w",
                "RECURRENCE-ID:202612\($0)T090000Z\nDTSTART:202612\($0)T090000Z\n"
                    + "DESCRIPTION:Cake\nURL:https://example.org/\($0)")
        }
        let found = try await report(file(([series] + dates).joined(separator: "\n")))
        #expect(
            found.filter { $0.contains("their own") } == [
                "\"w\" has 2 dates with their own description: meetings have the same description "
                    + "for all dates",
                "\"w\" has 2 dates with their own link: meetings have the same link for all dates",
            ])
    }

    @Test func `Texts that are longer than those of a meeting are cut, and that is told`()
        async throws
    {
        let long = String(repeating: "x", count: 6000)
        let words = "\(long.prefix(4990)) https://example.org/tea"
        let lines = ["DTSTART:20261201T090000Z", "DESCRIPTION:\(long)", "LOCATION:\(long)"]
        let found = try await report(file(event("w", lines.joined(separator: "\n")))) { planner in
            let meeting = try await planner.meeting("w")
            #expect(meeting.note.count == 5000 && meeting.place?.text.count == 500)
        }
        #expect(
            found.filter { $0.contains("characters") } == [
                "\"w\" has a description of 6000 characters: the first 5000 are used",
                "\"w\" has a place of 6000 characters: the first 500 are used",
            ])
        // The link behind the description is no part of the note.
        let link = ["DTSTART:20261201T090000Z", "URL:https://example.org/tea"]
        let text = (link + ["DESCRIPTION:\(words)"]).joined(separator: "\n")
        let linked = try await report(file(event("w", text)))
        #expect(!linked.contains { $0.contains("characters") })
    }

    @Test func `Spaces that a meeting does not have make no text too long`() async throws {
        let gap = String(repeating: " ", count: 900)
        let text = event("w", "DTSTART:20261201T090000Z", "LOCATION:Room\(gap)2")
            .replacing("SUMMARY:w", with: "SUMMARY:w\(gap)w")
        let found = try await report(file(text)) { planner in
            let meeting = try await planner.meeting("w w")
            #expect(meeting.title == "w w" && meeting.place?.text == "Room 2")
        }
        #expect(!found.contains { $0.contains("characters") })
    }

    @Test func `Long texts of many events are told in one line a kind`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let events = (1...3).map {
                event(
                    "w\($0)", "DTSTART:20261201T090000Z",
                    "LOCATION:" + String(repeating: "x", count: 600 + $0))
            }
            let report = try await take(file(events.joined(separator: "\n")), planner, in: world)
            let kinds = report.warnings.filter { $0.reason.contains("characters") }.kinds
            #expect(kinds.map(\.count) == [3])
            #expect(kinds.first?.first.line == 3)
        }
    }

    @Test func `An alarm without a zone is read in the zone of the meeting, without a doubt`()
        async throws
    {
        let alarm = "BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:20261205T133000\nEND:VALARM"
        let text = file(
            event("w", "DTSTART:20261205T120000Z\n\(alarm)"), head: "X-WR-TIMEZONE:Europe/Helsinki")
        let found = try await report(text) { planner in
            let reminders = try await planner.meeting("w").reminders
            #expect(reminders == ["PT30M"])
        }
        #expect(!found.contains { $0.contains("becomes no reminder") })
    }

    @Test func `Of a rule that cannot be read, the first date is planned`() async throws {
        let text = file(event("w", "DTSTART:20261205T120000Z\nRRULE:FREQ=FORTNIGHTLY"))
        let found = try await report(text) { planner in
            let meeting = try await planner.meeting("w")
            #expect(meeting.dates.isEmpty && meeting.start.text == "2026-12-05T13:00:00+01:00")
        }
        #expect(found.contains { $0.hasSuffix("only its first date and added ones are planned") })
    }

    @Test(arguments: [
        "RRULE:FREQ=WEEKLY,COUNT=3", "RRULE:FREQ=WEEKLY;\nCOUNT=3", "RRULE:FREQ=WEEKLY\nCOUNT=3",
        "RECURRENCE-ID:\nRRULE:FREQ=WEEKLY;COUNT=3",
    ])
    func `A rule with a wrong separator or line break is read`(_ lines: String) async throws {
        let text = file(event("w", "DTSTART:20261205T120000Z\n\(lines)"))
        _ = try await report(text) { planner in
            let id = try await planner.meetingID(named: "w")
            #expect(try await planner.meeting(id).dates.count == 3)
        }
    }

    @Test(arguments: [("-0330", "-03:30"), ("+0217", "+02:17"), ("+1500", "+15:00")])
    func `A zone of its own that never changes is named by its offset`(
        _ offset: String, _ name: String
    ) async throws {
        let zone =
            "BEGIN:VTIMEZONE\nTZID:Odd\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
            + "TZOFFSETFROM:\(offset)\nTZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE"
        let text = file(
            event("w", "DTSTART;TZID=Odd:20261205T120000\nRRULE:FREQ=WEEKLY"), head: zone)
        _ = try await report(text) { planner in
            let zone = try await planner.meeting("w").tz
            #expect(zone == name)
        }
    }

    @Test func `A text in the charset that its line names is read`() async throws {
        let (head, tail) = (
            "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:a\n"
                + "DTSTART:20261205T120000Z\n",
            "\nEND:VEVENT\nEND:VCALENDAR\n"
        )
        let octets: [UInt8] = [0xC2, 0xF1, 0xF2, 0xF0, 0xE5, 0xF7, 0xE0]
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let path = "\(world.home.path)/charset.ics"
            let file =
                Array("\(head)SUMMARY;CHARSET=windows-1251:".utf8) + octets + Array(tail.utf8)
            try Data(file).write(to: URL(filePath: path))
            _ = try await planner.importCalendars([path])
            #expect(try await planner.meeting("встреча").title == "Встреча")
        }
    }
}
