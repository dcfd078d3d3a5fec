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
            #expect(report.imported == 3 && report.kept.count == 2)
            #expect(
                report.kept.first?.reason == "\"w3\" is not planned, because the series before it "
                    + "have more than 1000 dates")
            // All of them are known now.
            let again = try await planner.importCalendars([path], datesMax: 1000)
            #expect(again.imported == 0 && again.updated == 0)
        }
    }
}
