import Agenda
import Calendars
import Planning
import TestKit
import Testing
import Timekeeping

/// Tests of newer versions of imported meetings that were changed here in the meantime.
@Suite struct ImportMergeTests: TakesCalendarFiles {
    private func series(_ sequence: Int, hour: Int = 10, _ more: String...) -> String {
        let zone = "TZID=Europe/Berlin"
        let lines =
            [
                "DTSTART;\(zone):20261208T\(hour)0000", "DURATION:PT1H",
                "RRULE:FREQ=WEEKLY;COUNT=4", "SEQUENCE:\(sequence)",
            ] + more
        return file(event("w", lines.joined(separator: "\n")))
    }

    private func edit(
        _ planner: Planner, _ change: (inout MeetingEdit) -> Void
    ) async throws {
        var edit = MeetingEdit()
        change(&edit)
        let id = try await planner.meetingID(named: "w")
        _ = try await planner.editMeeting(id, edit, saving: true)
    }

    private func meeting(_ planner: Planner) async throws -> MeetingView {
        try await planner.meeting(try await planner.meetingID(named: "w"))
    }

    private func replaced(_ report: CalendarImportReport) -> [String] {
        report.warnings.map(\.reason).filter { $0.contains("changed here") }
    }

    @Test func `Changes made here stay when the file changes something else`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            try await edit(planner) { edit in
                edit.note = "Bring cake"
                edit.reminders = [TimeSpan(days: 0, seconds: 7200)]
            }
            let id = try await planner.meetingID(named: "w")
            _ = try await planner.cancelMeeting(id, on: "2026-12-15", saving: true)
            let report = try await take(series(2, "LOCATION:Library"), planner, in: world)
            #expect(report.updated == 1 && replaced(report).isEmpty)
            let found = try await meeting(planner)
            #expect(found.note == "Bring cake" && found.place?.text == "Library")
            #expect(found.dates.map(\.status.rawValue)[1] == "cancelled")
            #expect(try await planner.outbox().rows.contains { $0.kind == "reminder" })
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A cancelled date and an answer move along with the series`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            _ = try await planner.cancelMeeting(id, on: "2026-12-15", saving: true)
            _ = try await planner.answer(
                "w", on: "2026-12-22", .declined, who: nil, plus: nil, note: nil, saving: true)
            _ = try await take(series(2, hour: 11), planner, in: world)
            let found = try await meeting(planner)
            #expect(found.start.text == "2026-12-08T11:00:00+01:00")
            #expect(found.dates.map(\.status.rawValue)[1] == "cancelled")
            let date = try await planner.meeting(id, on: "2026-12-22")
            #expect(date.participants.first?.answer == .declined)
        }
    }

    @Test func `If both changed the same, the file counts, and the report says so`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1, "LOCATION:Here"), planner, in: world)
            try await edit(planner) { $0.place = "There" }
            let report = try await take(series(2, "LOCATION:Library"), planner, in: world)
            #expect(report.updated == 1)
            #expect(
                replaced(report) == [
                    "\"w\" was changed here and in the file, which replaced your changes to: place"
                ])
            #expect(try await meeting(planner).place?.text == "Library")
        }
    }

    @Test func `A series moved here stays there while the file keeps its time`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            try await edit(planner) { $0.start = "2026-12-09T15:00" }
            _ = try await take(series(2, "LOCATION:Library"), planner, in: world)
            #expect(try await meeting(planner).start.text == "2026-12-09T15:00:00+01:00")
            let report = try await take(series(3, hour: 11), planner, in: world)
            #expect(try await meeting(planner).start.text == "2026-12-08T11:00:00+01:00")
            #expect(replaced(report).first?.hasSuffix("changes to: time") == true)
        }
    }

    @Test func `A file without news brings a meeting cancelled here not back`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            _ = try await planner.cancelMeeting(id, saving: true)
            _ = try await take(series(2, "LOCATION:Library"), planner, in: world)
            #expect(try await planner.meeting(id).status == .cancelled)
        }
    }

    @Test func `A meeting that is confirmed again is as its file says`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            _ = try await take(series(2, hour: 13, "STATUS:CANCELLED"), planner, in: world)
            let report = try await take(series(3, hour: 13), planner, in: world)
            let found = try await meeting(planner)
            #expect(found.status == .confirmed && replaced(report).isEmpty)
            #expect(found.start.text == "2026-12-08T13:00:00+01:00")
        }
    }

    @Test func `A change of the own zone is no change of the meeting`() async throws {
        try await withTemporaryHome { world in
            func day(_ sequence: Int) -> String {
                file(event("w", "DTSTART;VALUE=DATE:20261208\nSEQUENCE:\(sequence)"))
            }
            let berlin = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(day(1), berlin, in: world)
            let newYork = try await world.planner(tz: "America/New_York")
            let report = try await take(day(2) + "\n", newYork, in: world)
            #expect(replaced(report).isEmpty)
            #expect(try await meeting(newYork).start.text.hasPrefix("2026-12-08T00:00:00"))
        }
    }

    @Test func `A date that was moved here behind the others is still planned`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            var edit = MeetingEdit()
            (edit.date, edit.start) = ("2026-12-29", "2027-01-12T10:00")
            _ = try await planner.editMeeting(id, edit, saving: true)
            _ = try await take(series(2, "LOCATION:Library"), planner, in: world)
            let dates = try await meeting(planner).dates
            #expect(dates.last?.start.text == "2027-01-12T10:00:00+01:00")
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `Changes of dates that were moved out of the series here are named`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            var edit = MeetingEdit()
            (edit.from, edit.start) = ("2026-12-22", "2026-12-22T15:00")
            _ = try await planner.editMeeting(id, edit, saving: true)
            func newer(_ sequence: Int, _ day: String) -> String {
                let zone = "TZID=Europe/Berlin"
                let date = event(
                    "w", "RECURRENCE-ID;\(zone):202612\(day)T100000",
                    "DTSTART;\(zone):202612\(day)T113000", "SEQUENCE:\(sequence)")
                let lines = series(sequence).split(separator: "\n").dropLast()
                return lines.joined(separator: "\n") + "\n" + date + "\nEND:VCALENDAR\n"
            }
            let late = try await take(newer(2, "29"), planner, in: world)
            #expect(
                late.warnings.last?.reason == "\"w\" is changed in the file on one date that you "
                    + "moved out of the series here: such changes are not taken")
            let early = try await take(newer(3, "15"), planner, in: world)
            #expect(!early.warnings.contains { $0.reason.contains("moved out") })
            #expect(early.updated == 1)
            let dates = try await planner.meeting(id).dates
            #expect(dates.map(\.start.text).last == "2026-12-15T11:30:00+01:00")
        }
    }
}
