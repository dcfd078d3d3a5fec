import Calendars
import Planning
import TestKit
import Testing

/// Imports of series whose rules have two ends or times of whole days, and of changed dates that
/// are named by midnight.
@Suite struct EndsAndMidnightsTests: TakesCalendarFiles {
    private func repetition(of lines: String...) async throws -> String? {
        let text = file(
            (["BEGIN:VEVENT", "UID:w", "SUMMARY:w"] + lines + ["END:VEVENT"])
                .joined(separator: "\n"))
        var found: String?
        try await withImport(of: text, in: "Europe/Berlin") { planner, _ in
            found = try await planner.meeting("w").repeat
        }
        return found
    }

    @Test(arguments: [
        ("COUNT=10;UNTIL=20270106T090000Z", "FREQ=DAILY;UNTIL=20270106T090000Z"),
        ("UNTIL=20270106T090000Z;COUNT=10", "FREQ=DAILY;UNTIL=20270106T090000Z"),
        ("COUNT=2;UNTIL=20270116T090000Z", "FREQ=DAILY;COUNT=2"),
        ("UNTIL=20270116T090000Z;COUNT=2", "FREQ=DAILY;COUNT=2"),
    ])
    func `A series with two ends has the earlier one`(
        _ ends: String, _ rule: String
    ) async throws {
        let found = try await repetition(
            of: "DTSTART;TZID=Europe/Berlin:20270104T100000", "RRULE:FREQ=DAILY;\(ends)")
        #expect(found == rule)
    }

    @Test func `Whole days repeat without times of day`() async throws {
        let found = try await repetition(
            of: "DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=DAILY;COUNT=5;BYHOUR=9,12;BYMINUTE=30")
        #expect(found == "FREQ=DAILY;COUNT=5")
    }

    @Test func `Whole days do not repeat within a day`() async throws {
        let found = try await repetition(
            of: "DTSTART;VALUE=DATE:20270104", "RRULE:FREQ=HOURLY;INTERVAL=24;COUNT=3")
        #expect(found == nil)
    }

    @Test func `A changed date that states midnight changes the date of that day`() async throws {
        let text = file(
            event("w", "DTSTART;TZID=Europe/Berlin:20270104T100000", "RRULE:FREQ=DAILY;COUNT=4"),
            event(
                "w", "RECURRENCE-ID;TZID=Europe/Berlin:20270105T000000",
                "DTSTART;TZID=Europe/Berlin:20270105T150000"))
        try await withImport(of: text, in: "Europe/Berlin") { planner, report in
            #expect(report.warnings.contains { "\($0)".contains("is at midnight") })
            let lines = try await exported(planner)
            #expect(lines.contains("RECURRENCE-ID;TZID=Europe/Berlin:20270105T100000"))
        }
    }
}
