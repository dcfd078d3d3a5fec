import Agenda
import Planning
import Settings
import TestKit
import Testing
import Timekeeping

/// Tests that versions of a series and of its dates have the same result in any order of import.
@Suite struct ImportOrderTests: TakesCalendarFiles {
    /// A series on two Mondays, and changes to its second date.
    private enum Part {
        static let series = [
            "DTSTART;TZID=Europe/Berlin:20261207T100000", "RRULE:FREQ=WEEKLY;COUNT=2",
        ]
        static let date = "RECURRENCE-ID:20261214T090000Z"
        static let moved = [date, "DTSTART:20261215T090000Z"]
        static let off = [date, "STATUS:CANCELLED"]
    }

    private func event(_ lines: [String], _ sequence: Int, day: Int = 1) -> String {
        let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM"]
        let version = ["SEQUENCE:\(sequence)", "DTSTAMP:2026010\(day)T000000Z"]
        return event("w", (version + lines + alarm).joined(separator: "\n"))
    }

    /// The starts of all dates, in Berlin, after an import of the files one after the other.
    private func starts(of files: [String]) async throws -> [String] {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            for text in files { _ = try await take(text, planner, in: world) }
            let berlin = try ZoneDirectory().zone("Europe/Berlin")
            #expect(try await planner.verifyLedger().faults.isEmpty)
            let exported = try await exported(planner)
            #expect(!exported.contains { $0.hasPrefix("X-LETSMEET") })
            return try await planner.outbox().rows.filter { $0.kind == "reminder" }.map { row in
                let start = try Moment.parse(row.due.text).advanced(bySeconds: 3600)
                return CalendarStamp.wall(berlin.wallTime(at: start)).description
            }.sorted()
        }
    }

    private func expect(_ files: [String], _ starts: [String]) async throws {
        for order in files.permutations {
            let places = order.map { files.firstIndex(of: $0) ?? -1 }
            #expect(try await self.starts(of: order) == starts, "order \(places)")
            // Importing a file again changes nothing.
            #expect(
                try await self.starts(of: order + [order[0]]) == starts,
                "twice the first of \(places)")
        }
    }

    private let first = "20261207T100000"

    @Test func `A moved date stays moved, also beside a newer version of its series`() async throws
    {
        let moved = file(event(Part.moved, 0))
        try await expect([moved, file(event(Part.series, 0, day: 5))], [first, "20261215T100000"])
        try await expect([moved, file(event(Part.series, 3, day: 5))], [first, "20261215T100000"])
    }

    @Test func `A cancelled date stays cancelled`() async throws {
        let off = file(event(Part.off, 2), head: "METHOD:CANCEL")
        let moved = file(event(Part.moved, 1))
        try await expect([off, moved, file(event(Part.series, 3))], [first])
        try await expect([off, moved, file(event(Part.series, 0))], [first])
    }

    @Test func `The same date is recognized in UTC, in a zone, and as a day`() async throws {
        for name in ["TZID=Europe/Berlin:20261214T100000", "VALUE=DATE:20261214"] {
            let old = ["RECURRENCE-ID;\(name)", "DTSTART:20261216T090000Z"]
            try await expect(
                [
                    file(event(Part.series, 0)), file(event(Part.moved, 2)), file(event(old, 1)),
                ], [first, "20261215T100000"])
        }
    }

    @Test func `A cancelled series is not brought back by an older version`() async throws {
        let off = event(["DTSTART;TZID=Europe/Berlin:20261207T100000"], 3)
        try await expect(
            [file(off, head: "METHOD:CANCEL"), file(event(Part.series, 0))], [])
        try await expect(
            [
                file(off, head: "METHOD:CANCEL"), file(event(Part.series, 0)),
                file(event(Part.series, 4)),
            ], [first, "20261214T100000"])
    }

    @Test func `Of equal versions in one file the one that was changed last counts`() async throws {
        let older = ["RECURRENCE-ID:20261214T090000Z", "DTSTART:20261216T090000Z"]
        let versions = [event(Part.moved, 0, day: 5), event(older, 0)]
        for order in versions.permutations {
            #expect(
                try await starts(of: [file(event(Part.series, 0), order[0], order[1])])
                    == [first, "20261215T100000"])
        }
    }

    @Test func `A newer description of a series ends changes that the older one made`()
        async throws
    {
        let before = file(event(Part.series, 0), event(Part.moved, 0))
        let after = file(event(Part.series, 0, day: 5))
        try await expect([before, after], [first, "20261214T100000"])
        // A file about the date alone stays valid.
        try await expect(
            [file(event(Part.moved, 0)), before, after], [first, "20261215T100000"])
    }

    @Test func `A moved date ends with the rule that made it`() async throws {
        let other = ["DTSTART;TZID=Europe/Berlin:20261207T200000", "RRULE:FREQ=WEEKLY;COUNT=2"]
        try await expect(
            [file(event(Part.moved, 0)), file(event(other, 1, day: 5))],
            ["20261207T200000", "20261214T200000"])
        let without = Part.series + ["EXDATE:20261214T090000Z"]
        try await expect([file(event(Part.moved, 0)), file(event(without, 1, day: 5))], [first])
    }
}
