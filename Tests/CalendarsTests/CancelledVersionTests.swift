import Agenda
import Calendars
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// Tests of imported meetings that one version of their file cancels, or that one version shows as
/// declined.
@Suite struct CancelledVersionTests: TakesCalendarFiles {
    private static let refusal = "ATTENDEE;PARTSTAT=DECLINED:mailto:olga@example.org"

    private func series(_ sequence: Int, _ more: String...) -> String {
        let zone = "TZID=Europe/Berlin"
        let lines =
            [
                "DTSTART;\(zone):20261208T100000", "DURATION:PT1H",
                "RRULE:FREQ=WEEKLY;COUNT=4", "SEQUENCE:\(sequence)",
            ] + more
        return file(event("w", lines.joined(separator: "\n")))
    }

    private func replaced(_ report: CalendarImportReport) -> [String] {
        report.warnings.map(\.reason).filter { $0.contains("changed here") }
    }

    @Test(arguments: ["STATUS:CANCELLED", refusal])
    func `What was changed here stays when a cancelled meeting is confirmed again`(
        _ line: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [
                .ownerZone: "Europe/Berlin", .ownerAddress: "olga@example.org",
            ])
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            var edit = MeetingEdit()
            edit.note = "Bring cake"
            edit.reminders = [TimeSpan(days: 0, seconds: 7200)]
            _ = try await planner.editMeeting(id, edit, saving: true)
            _ = try await planner.cancelMeeting(id, on: "2026-12-15", saving: true)
            let cancelled = try await take(series(2, line), planner, in: world)
            #expect(cancelled.updated == 1)
            #expect(try await planner.meeting(id).status == .cancelled)
            let report = try await take(series(3, "LOCATION:Library"), planner, in: world)
            #expect(report.updated == 1 && replaced(report).isEmpty)
            let found = try await planner.meeting(id)
            #expect(found.status == .confirmed && found.place?.text == "Library")
            #expect(found.note == "Bring cake" && found.reminders == ["PT2H"])
            #expect(found.dates.map(\.status.rawValue)[1] == "cancelled")
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A meeting that takes place here again is not cancelled by the same cancellation`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            func off(_ stamp: String, _ more: String = "X-A:1") -> String {
                series(2, "STATUS:CANCELLED", "DTSTAMP:\(stamp)", more)
            }
            _ = try await take(off("20261101T100000Z"), planner, in: world)
            _ = try await planner.uncancelMeeting(id, saving: true)
            for text in [off("20261102T100000Z"), off("20261103T100000Z", "LOCATION:Library")] {
                _ = try await take(text, planner, in: world)
                #expect(try await planner.meeting(id).status == .confirmed)
            }
            #expect(try await planner.meeting(id).place?.text == "Library")
            let back = try await take(series(3), planner, in: world)
            #expect(back.updated == 1 && replaced(back).isEmpty)
            _ = try await take(series(4, "STATUS:CANCELLED"), planner, in: world)
            #expect(try await planner.meeting(id).status == .cancelled)
        }
    }

    @Test func `A cancellation without a start cancels the meeting as it is`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            let bare = file(event("w", "SEQUENCE:2", "STATUS:CANCELLED"))
            #expect(try await take(bare, planner, in: world).updated == 1)
            let found = try await planner.meeting(id)
            #expect(found.status == .cancelled && found.start.text == "2026-12-08T10:00:00+01:00")
        }
    }

    @Test func `What was changed here stays after a cancellation without a start`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            let id = try await planner.meetingID(named: "w")
            var edit = MeetingEdit()
            edit.note = "Bring cake"
            _ = try await planner.editMeeting(id, edit, saving: true)
            _ = try await planner.cancelMeeting(id, on: "2026-12-15", saving: true)
            let bare = file(event("w", "SEQUENCE:2", "STATUS:CANCELLED"))
            _ = try await take(bare, planner, in: world)
            #expect(try await take(bare, planner, in: world).unchanged == 1)
            #expect(try await planner.meeting(id).status == .cancelled)
            let report = try await take(series(3, "LOCATION:Library"), planner, in: world)
            #expect(report.updated == 1 && replaced(report).isEmpty)
            let found = try await planner.meeting(id)
            #expect(found.status == .confirmed && found.place?.text == "Library")
            #expect(found.note == "Bring cake")
            #expect(found.dates.map(\.status.rawValue)[1] == "cancelled")
            #expect(try await take(bare, planner, in: world).skipped.count == 1)
            #expect(try await planner.meeting(id).status == .confirmed)
        }
    }

    private func date(_ sequence: Int) -> String {
        let zone = "TZID=Europe/Berlin"
        let lines = [
            "RECURRENCE-ID;\(zone):20261215T100000", "DTSTART;\(zone):20261217T150000",
            "DURATION:PT1H", "SEQUENCE:\(sequence)",
        ]
        return event("w", lines.joined(separator: "\n"))
    }

    /// Each date is a component of its own (RFC 5546, 2.1.5).
    @Test(arguments: [false, true], [false, true])
    func `A date that is newer than the cancellation of its series takes place`(
        isMessage: Bool, isDateLast: Bool
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let off =
                isMessage
                ? file(event("w", "SEQUENCE:2\nSTATUS:CANCELLED"), head: "METHOD:CANCEL")
                : series(2, "STATUS:CANCELLED")
            let files = isDateLast ? [off, file(date(3))] : [file(date(3)), off]
            for text in [series(1)] + files { _ = try await take(text, planner, in: world) }
            let found = try await planner.meeting(try await planner.meetingID(named: "w"))
            #expect(found.status == .confirmed)
            #expect(found.start.text == "2026-12-17T15:00:00+01:00" && found.dates.isEmpty)
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A date that is older than the cancellation of its series is cancelled`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            for text in [series(1), file(date(1)), series(2, "STATUS:CANCELLED")] {
                _ = try await take(text, planner, in: world)
            }
            let found = try await planner.meeting(try await planner.meetingID(named: "w"))
            #expect(found.status == .cancelled)
        }
    }
}
