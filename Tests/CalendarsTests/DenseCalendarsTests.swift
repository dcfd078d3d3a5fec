import Agenda
import Calendars
import FoundationEssentials
import Planning
import Settings
import TestKit
import Testing

/// Imports of calendars whose series have very many dates.
@Suite struct DenseCalendarsTests: TakesCalendarFiles {
    private static let hours = (0..<24).map(String.init).joined(separator: ",")
    private static let minutes = (0..<60).map(String.init).joined(separator: ",")

    @Test(.timeLimit(.minutes(1)))
    func `Many rules that choose one of all seconds are imported soon`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let times = "BYHOUR=\(Self.hours);BYMINUTE=\(Self.minutes)"
            let rules = [
                "FREQ=DAILY;\(times);BYSETPOS=-1",
                "FREQ=YEARLY;\(times);BYSECOND=\(Self.minutes);BYSETPOS=1",
            ]
            let events = (0..<1000).map {
                event("w\($0)", "DTSTART:20270104T100000Z", "RRULE:" + rules[$0 % 2])
            }
            let report = try await take(file(events.joined(separator: "\n")), planner, in: world)
            #expect(report.imported == 1000)
        }
    }

    @Test func `Series are planned until they have too many dates together`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let events = (0..<5).map {
                event("w\($0)", "DTSTART:20270104T100000Z", "RRULE:FREQ=DAILY;COUNT=400")
            }
            let path = world.home.path + "/calendar.ics"
            try file(events.joined(separator: "\n")).write(
                toFile: path, atomically: true, encoding: .utf8)
            let report = try await planner.importCalendars([path], datesMax: 1000)
            #expect(report.imported == 3 && report.skipped.count == 2 && report.kept.isEmpty)
            #expect(
                report.skipped.first?.reason == "\"w3\" is not planned yet, because the series "
                    + "before it have more than 1000 dates: import the file again")
            // Those that are known do not count again.
            let again = try await planner.importCalendars([path], datesMax: 1000)
            #expect(again.imported == 2 && again.updated == 0 && again.skipped.isEmpty)
            let third = try await planner.importCalendars([path], datesMax: 1000)
            #expect(third.unchanged == 5)
        }
    }

    @Test(arguments: [
        // Dates that are added and left out are searched for among all before them.
        "RRULE:FREQ=DAILY\nRDATE:20280301T100000Z", "RRULE:FREQ=DAILY\nEXDATE:20280301T100000Z",
        "RRULE:FREQ=HOURLY\nEXDATE:20270119T100000Z",
    ])
    func `Dates that are laid out to find others count, too`(_ lines: String) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let events = (0..<4).map { event("w\($0)", "DTSTART:20270104T100000Z", lines) }
            let path = world.home.path + "/calendar.ics"
            try file(events.joined(separator: "\n")).write(
                toFile: path, atomically: true, encoding: .utf8)
            let report = try await planner.importCalendars([path], datesMax: 1000)
            #expect(report.imported > 0 && report.imported < 4)
            #expect(report.imported + report.skipped.count == 4)
        }
    }

    @Test func `A member who has imported very many entries imports no new ones`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(tz: "Europe/Berlin", actingAs: "Anna")
            let texts = [
                file(series(0), event("x", "DTSTART:20270105T100000Z")),
                file(event("y", "DTSTART:20270106T100000Z")),
            ]
            let paths = texts.indices.map { world.home.path + "/\($0).ics" }
            for (path, text) in zip(paths, texts) {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let report = try await anna.importCalendars(paths, entriesMax: 2)
            #expect(report.imported == 2 && report.read == 3)
            #expect(report.skipped.map(\.file) == [paths[1]])
            let reason = report.skipped.first?.reason ?? ""
            #expect(reason.hasPrefix("\"y\" is new and was not imported. Anna has imported 2 entr"))
            let again = try await anna.importCalendars(paths, entriesMax: 2)
            #expect(again.unchanged == 2 && again.skipped.count == 1)
            let all = try await planner.importCalendars(paths, entriesMax: 2)
            #expect(all.imported == 3 && all.skipped.isEmpty)
        }
    }

    @Test func `A member who imports no new entries gets the changes of the known ones`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            _ = try await planner.add("Anna", "anna@example.org")
            let anna = try await world.planner(tz: "Europe/Berlin", actingAs: "Anna")
            let first = file(series(0), event("x", "DTSTART:20270105T100000Z"))
            _ = try await take(first, anna, in: world)
            let second = file(
                series(1),
                event(
                    "w", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270118T100000",
                    "DTSTART;TZID=Europe/Berlin:20270119T170000", "DURATION:PT1H", "SEQUENCE:1"),
                event("x", "DTSTART:20270105T100000Z", "STATUS:CANCELLED", "SEQUENCE:1"))
            let path = world.home.path + "/second.ics"
            try second.write(toFile: path, atomically: true, encoding: .utf8)
            let report = try await anna.importCalendars([path], entriesMax: 2)
            #expect(report.imported == 1 && report.updated == 2 && report.skipped.isEmpty)
        }
    }

    private func series(_ sequence: Int) -> String {
        event(
            "w", "DTSTART;TZID=Europe/Berlin:20270104T100000", "DURATION:PT1H",
            "RRULE:FREQ=WEEKLY;COUNT=8", "SEQUENCE:\(sequence)")
    }

    @Test func `Several files are imported one after the other, or none if one is too large`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let zones = (0..<201).map { "BEGIN:VTIMEZONE\nTZID:z\($0)\nEND:VTIMEZONE" }
            let texts = [
                file(event("w", "DTSTART:20270104T100000Z", "RRULE:FREQ=DAILY;COUNT=3")),
                file(event("w", "RECURRENCE-ID:20270105T100000Z", "STATUS:CANCELLED")),
                file(event("x", "DTSTART:20270104T100000Z"), head: zones.joined(separator: "\n")),
            ]
            let paths = texts.indices.map { world.home.path + "/\($0).ics" }
            for (path, text) in zip(paths, texts) {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
            for paths in [paths, [paths[0], "gone.ics"]] {
                let refused = await refusal { _ = try await planner.importCalendars(paths) }
                #expect(refused?.category == .invalid)
            }
            let unknown = await refusal { _ = try await planner.meetingID(named: "w") }
            #expect(unknown != nil)
            var steps: [[Int]] = []
            let report = try await planner.importCalendars(Array(paths.prefix(2))) {
                steps.append([$0, $1])
            }
            #expect(report.imported == 1 && report.updated == 1 && report.read == 2)
            #expect(steps == [[1, 1], [2, 2]])
        }
    }
}
