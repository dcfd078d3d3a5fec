import Agenda
import Calendars
import Planning
import TestKit
import Testing
import Timekeeping

/// Tests of newer versions of series that a file divides at other dates, and of what was changed
/// here in their parts.
@Suite struct DividedSeriesTests: TakesCalendarFiles {
    /// A weekly series on Tuesdays at ten, which from one date on takes place on Wednesdays at
    /// five.
    private func series(
        _ sequence: Int, count: Int = 8, from day: String? = nil
    ) -> String {
        let zone = "TZID=Europe/Berlin"
        let whole = event(
            "w", "DTSTART;\(zone):20261208T100000", "DURATION:PT1H",
            "RRULE:FREQ=WEEKLY;COUNT=\(count)", "SEQUENCE:\(sequence)")
        guard let day, let number = Int(day) else { return file(whole) }
        let later = [
            "BEGIN:VEVENT", "UID:w", "SUMMARY:late",
            "RECURRENCE-ID;RANGE=THISANDFUTURE;\(zone):202612\(day)T100000",
            "DTSTART;\(zone):202612\(number + 1)T170000", "DURATION:PT1H",
            "SEQUENCE:\(sequence)", "END:VEVENT",
        ]
        return file(whole, later.joined(separator: "\n"))
    }

    private func part(_ title: String, _ planner: Planner) async throws -> MeetingView {
        let lines = try await planner.meetings(.coming).meetings.filter {
            $0.title == title && $0.status == .confirmed
        }
        return try await planner.meeting(try #require(lines.first).id)
    }

    /// Sets a note and reminders, cancels one date, and moves another to the next day.
    private func change(
        _ title: String, off: String, moved: String, to start: String, _ planner: Planner
    ) async throws {
        var edit = MeetingEdit()
        edit.note = "Bring cake"
        edit.reminders = [TimeSpan(days: 0, seconds: 7200)]
        _ = try await planner.editMeeting(title, edit, saving: true)
        _ = try await planner.cancelMeeting(title, on: off, saving: true)
        var move = MeetingEdit()
        (move.date, move.start) = (moved, start)
        _ = try await planner.editMeeting(title, move, saving: true)
    }

    /// The dates as "2026-12-08T10:00", with a minus sign if they are cancelled.
    private func dates(_ meeting: MeetingView) -> [String] {
        meeting.dates.map {
            ($0.status == .cancelled ? "-" : "") + $0.start.text.prefix(16)
        }
    }

    private func lost(_ report: CalendarImportReport) -> [String] {
        report.warnings.map(\.reason).filter { $0.contains("not kept") }
    }

    @Test func `What was changed in a part stays when the part begins at another date`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1, from: "22"), planner, in: world)
            _ = try await planner.cancelMeeting("w", on: "2026-12-15", saving: true)
            try await change(
                "late", off: "2026-12-30", moved: "2027-01-06", to: "2027-01-07T18:00", planner)
            let report = try await take(series(2, from: "29"), planner, in: world)
            #expect(report.imported == 1 && lost(report).isEmpty)
            let late = try await part("late", planner)
            #expect(late.note == "Bring cake" && late.reminders == ["PT2H"])
            #expect(
                dates(late) == [
                    "-2026-12-30T17:00", "2027-01-07T18:00", "2027-01-13T17:00",
                    "2027-01-20T17:00", "2027-01-27T17:00",
                ])
            let first = try await part("w", planner)
            #expect(
                dates(first) == ["2026-12-08T10:00", "-2026-12-15T10:00", "2026-12-22T10:00"])
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A new part takes over what was changed in the series`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1), planner, in: world)
            try await change(
                "w", off: "2027-01-05", moved: "2027-01-12", to: "2027-01-13T18:00", planner)
            let report = try await take(series(2, from: "29"), planner, in: world)
            #expect(report.imported == 1 && lost(report).isEmpty)
            let late = try await part("late", planner)
            #expect(late.note == "Bring cake" && late.reminders == ["PT2H"])
            #expect(
                dates(late) == [
                    "2026-12-30T17:00", "-2027-01-06T17:00", "2027-01-13T18:00",
                    "2027-01-20T17:00", "2027-01-27T17:00",
                ])
            let first = try await part("w", planner)
            #expect(first.note == "Bring cake" && first.dates.count == 3)
        }
    }

    @Test func `A part that begins again takes over what was changed in the series since`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            for text in [series(1), series(2, from: "29"), series(3)] {
                _ = try await take(text, planner, in: world)
            }
            try await change(
                "w", off: "2027-01-05", moved: "2027-01-12", to: "2027-01-13T18:00", planner)
            let report = try await take(series(4, from: "29"), planner, in: world)
            #expect(lost(report).isEmpty)
            let late = try await part("late", planner)
            #expect(late.note == "Bring cake" && late.reminders == ["PT2H"])
            #expect(
                dates(late) == [
                    "2026-12-30T17:00", "-2027-01-06T17:00", "2027-01-13T18:00",
                    "2027-01-20T17:00", "2027-01-27T17:00",
                ])
            let again = try await take(series(5, from: "29"), planner, in: world)
            #expect(lost(again).isEmpty)
            #expect(try await part("late", planner).note == "Bring cake")
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `What a part that ended had is told, and its changed dates stay`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1, from: "22"), planner, in: world)
            try await change(
                "late", off: "2026-12-30", moved: "2027-01-06", to: "2027-01-07T18:00", planner)
            let report = try await take(series(2), planner, in: world)
            #expect(
                lost(report) == [
                    "\"w\" is no longer a separate series from 2026-12-22 on. "
                        + "Your changes to it were not kept: note, reminders."
                ])
            #expect(report.warnings.last?.line == 3)
            let first = try await part("w", planner)
            #expect(
                dates(first) == [
                    "2026-12-08T10:00", "2026-12-15T10:00", "2026-12-22T10:00",
                    "-2026-12-29T10:00", "2027-01-07T18:00", "2027-01-12T10:00",
                    "2027-01-19T10:00", "2027-01-26T10:00",
                ])
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `What a part that ended had is told, also if the first part is unchanged`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let zone = "TZID=Europe/Berlin"
            let whole = event(
                "w", "DTSTART;\(zone):20261208T100000", "DURATION:PT1H",
                "RRULE:FREQ=WEEKLY;COUNT=8")
            func later(_ day: Int, _ title: String) -> String {
                [
                    "BEGIN:VEVENT", "UID:w", "SUMMARY:\(title)",
                    "RECURRENCE-ID;RANGE=THISANDFUTURE;\(zone):202612\(day)T100000",
                    "DTSTART;\(zone):202612\(day + 1)T170000", "DURATION:PT1H", "END:VEVENT",
                ].joined(separator: "\n")
            }
            _ = try await take(
                file(whole, later(15, "late"), later(22, "final")), planner, in: world)
            _ = try await planner.edit("final") { $0.note = "Bring cake" }
            let report = try await take(file(whole, later(15, "late")), planner, in: world)
            #expect(
                lost(report) == [
                    "\"w\" is no longer a separate series from 2026-12-22 on. "
                        + "Your changes to it were not kept: note."
                ])
            let again = try await take(file(whole, later(15, "late")), planner, in: world)
            #expect(lost(again).isEmpty)
        }
    }

    @Test func `Changed dates that no part has any more are counted`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(1, from: "22"), planner, in: world)
            _ = try await planner.cancelMeeting("late", on: "2027-01-13", saving: true)
            _ = try await planner.cancelMeeting("late", on: "2027-01-20", saving: true)
            let report = try await take(series(2, count: 5, from: "29"), planner, in: world)
            #expect(
                lost(report) == [
                    "\"w\" no longer has 2 dates that you moved or cancelled here: such changes "
                        + "are not kept"
                ])
            let shorter = try await take(series(3, count: 8, from: "29"), planner, in: world)
            #expect(lost(shorter).isEmpty)
        }
    }

    @Test(arguments: [0, 250])
    func `An older file ends no part, however many events it has`(_ count: Int) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            // The part has a lower number than both versions of the series.
            let newer = series(2, from: "22").replacing(
                "SEQUENCE:2\nEND:VEVENT\nEND:V", with: "END:VEVENT\nEND:V")
            _ = try await take(newer, planner, in: world)
            let others = (0..<count).map { event("o\($0)", "DTSTART:20270104T100000Z") }
            let older = series(1).replacing(
                "END:VCALENDAR", with: (others + ["END:VCALENDAR"]).joined(separator: "\n"))
            let report = try await take(older, planner, in: world)
            #expect(report.imported == count && report.skipped.count == 2)
            #expect(try await part("late", planner).dates.count == 6)
        }
    }

    @Test func `An older file takes nothing over`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await take(series(2, from: "22"), planner, in: world)
            _ = try await planner.cancelMeeting("late", on: "2026-12-30", saving: true)
            let report = try await take(series(1, from: "29"), planner, in: world)
            #expect(report.imported == 0 && lost(report).isEmpty)
            let late = try await part("late", planner)
            #expect(dates(late).prefix(2) == ["2026-12-23T17:00", "-2026-12-30T17:00"])
        }
    }
}
