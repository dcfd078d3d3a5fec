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

    /// Writes some series that repeat by a rule, and imports them.
    private func importSeries(
        _ uids: [String], _ rule: String, by planner: Planner, in world: TestWorld,
        series: Int = 5000, perDay: Int = 1000
    ) async throws -> CalendarImportReport {
        let path = world.home.path + "/series.ics"
        let events = uids.map { event($0, "DTSTART:20270104T100000Z", "RRULE:" + rule) }
        try file(events.joined(separator: "\n")).write(
            toFile: path, atomically: true, encoding: .utf8)
        return try await planner.importCalendars(
            [path], seriesMax: series, datesOfDayMax: perDay)
    }

    @Test(arguments: [
        ("FREQ=DAILY", 10, 10), ("FREQ=DAILY;BYHOUR=1,2,3", 10, 3), ("FREQ=HOURLY", 10, 0),
        ("FREQ=WEEKLY", 10, 30), ("FREQ=DAILY;COUNT=1000", 10, 10),
    ])
    func `Series without an end count by their dates a day`(
        _ rule: String, _ perDay: Int, _ count: Int
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "UTC")
            let report = try await importSeries(
                (0..<30).map { "w\($0)" }, rule, by: planner, in: world, perDay: perDay)
            #expect(report.imported == count && report.skipped.count == 30 - count)
            #expect(report.kept.isEmpty)
            #expect(
                report.skipped.allSatisfy {
                    $0.reason.hasSuffix(
                        "is not planned, because your meetings that repeat would take place more "
                            + "than \(perDay) times a day")
                })
        }
    }

    @Test func `The series of all imports count together, and known ones are still updated`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "UTC")
            let first = try await importSeries(
                ["a", "b"], "FREQ=WEEKLY", by: planner, in: world, series: 3)
            #expect(first.imported == 2 && first.skipped.isEmpty)
            let second = try await importSeries(
                ["c", "d", "e"], "FREQ=WEEKLY", by: planner, in: world, series: 3)
            #expect(second.imported == 1)
            let words =
                "is not planned, because you would have more than 3 meetings that repeat and have "
                + "not ended"
            #expect(second.skipped.map(\.reason) == ["\"d\" \(words)", "\"e\" \(words)"])
            let changed = try await importSeries(
                ["a", "b", "f"], "FREQ=WEEKLY;INTERVAL=2", by: planner, in: world, series: 3)
            #expect(changed.updated == 2 && changed.skipped.count == 1)
            // Series that have ended make room.
            let ended = try await importSeries(
                ["a", "b"], "FREQ=WEEKLY;UNTIL=20270110T000000Z", by: planner, in: world,
                series: 3)
            #expect(ended.updated == 2)
            world.clock.advance(bySeconds: 60 * 86_400)
            let later = try await world.planner(tz: "UTC")
            let third = try await importSeries(
                ["d", "e", "f"], "FREQ=WEEKLY", by: later, in: world, series: 3)
            #expect(third.imported == 2 && third.skipped.count == 1)
        }
    }

    @Test func `A version with more dates a day than there is room for is not taken`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "UTC")
            _ = try await importSeries(
                ["a", "b"], "FREQ=DAILY", by: planner, in: world, perDay: 2)
            let denser = try await importSeries(
                ["a"], "FREQ=DAILY;BYHOUR=1,2", by: planner, in: world, perDay: 2)
            #expect(denser.updated == 0 && denser.skipped.count == 1)
            // Over a lower limit, a version with no more dates is taken.
            let other = try await importSeries(
                ["b"], "FREQ=DAILY;COUNT=900", by: planner, in: world, perDay: 1)
            #expect(other.updated == 1 && other.skipped.isEmpty)
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

    /// Looking for each of them among all dates before it would take minutes.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=60000", "2160"), ("FREQ=HOURLY", "2040"),
        ])
    func `Exceptions behind very many dates are imported soon`(
        _ rule: String, _ year: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let days = (10..<13).flatMap { month in
                (10..<29).flatMap { day in
                    (10..<24).map { hour in "\(year)\(month)\(day)T\(hour)0000Z" }
                }
            }
            let text = event(
                "w", "DTSTART:20270104T100000Z", "RRULE:\(rule)",
                "EXDATE:" + days.joined(separator: ","))
            let report = try await take(file(text), planner, in: world)
            #expect(report.imported == 1)
        }
    }

    @Test func `A time zone that would be stored very often makes a file too large`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            let dates = [String](repeating: "20261201T100000", count: 20_000)
            let part =
                [
                    "BEGIN:STANDARD", "DTSTART:20200101T000000",
                    "RDATE:" + dates.joined(separator: ","),
                ]
                + ["TZOFFSETFROM:+0100", "TZOFFSETTO:+0117", "END:STANDARD"]
            let zone = ["BEGIN:VTIMEZONE", "TZID:Q"] + part + part + ["END:VTIMEZONE"]
            let events = (0..<500).map { event("\($0)", "DTSTART;TZID=Q:20270104T100000") }
            let text = file(events.joined(separator: "\n"), head: zone.joined(separator: "\n"))
            let refused = await refusal { _ = try await take(text, planner, in: world) }
            #expect(refused?.code == "nothing_read")
            let message = refused?.message ?? ""
            #expect(message.contains("each of its 500 entries") && message.contains("256 MiB"))
        }
    }

    @Test func `A series with very many changed dates is kept without reading them`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(tz: "Europe/Berlin")
            func two(_ number: Int) -> String { String("\(100 + number)".dropFirst()) }
            let dates = (0..<4000).map { number in
                let time = "\(10 + number / 3600)\(two(number / 60 % 60))\(two(number % 60))"
                return event("w", "RECURRENCE-ID:20270104T\(time)Z")
            }
            let series = event("w", "DTSTART:20270104T100000Z", "RRULE:FREQ=SECONDLY")
            let text = file(series, dates.joined(separator: "\n"))
            let report = try await take(text, planner, in: world)
            #expect(report.imported == 0)
            let reason = report.kept.first?.reason
            #expect(reason == "\"w\" has more than 4000 changed dates")
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
