import Agenda
import Calendars
import Foundation
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// Compares the predicted deliveries of many series with those that a run through a whole year
/// sends.
@Suite(.timeLimit(.minutes(60))) struct YearAheadTests {
    /// The number of series. LETSMEET_SERIES=1000 sets another number.
    private static let seriesCount =
        ProcessInfo.processInfo.environment["LETSMEET_SERIES"].flatMap { Int($0) } ?? 24
    private static let zones = [
        "Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
    ]
    private static let rules = [
        "FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA", "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=DAILY;INTERVAL=9;COUNT=30", "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=WEEKLY;UNTIL=20270601T000000Z",
    ]

    /// A calendar file with series in four time zones, also at night, when clocks change.
    private func calendar(using random: inout SeededRandom) -> String {
        let events = (0..<Self.seriesCount).map { number in
            let day = String(Int.random(in: 102...128, using: &random)).dropFirst()
            let hour = String(Int.random(in: 100...123, using: &random)).dropFirst()
            return """
                BEGIN:VEVENT
                UID:\(number)@example.org
                DTSTAMP:20261101T000000Z
                DTSTART;TZID=\(Self.zones[number % 4]):202612\(day)T\(hour)1500
                DURATION:PT1H30M
                SUMMARY:Series \(number)
                RRULE:\(Self.rules.randomElement(using: &random) ?? "")
                BEGIN:VALARM
                ACTION:DISPLAY
                TRIGGER:\(["-PT1H", "-P1D", "-P40D"].randomElement(using: &random) ?? "")
                END:VALARM
                END:VEVENT

                """
        }
        return "BEGIN:VCALENDAR\nVERSION:2.0\n\(events.joined())END:VCALENDAR\n"
    }

    /// Creates series with guests, some of whom have quiet hours, and with exceptions.
    private func prepare(_ world: TestWorld) async throws {
        var random = SeededRandom(seed: 7)
        let planner = try await world.planner()
        let path = world.home.path + "/series.ics"
        try calendar(using: &random).write(toFile: path, atomically: true, encoding: .utf8)
        _ = try await planner.importCalendars([path])
        for (name, hours) in [("Anna", "22:00-07:00"), ("Ben", "sat-sun"), ("Cleo", nil)] {
            try await planner.add(name, "\(name.lowercased())@example.org")
            guard let hours else { continue }
            var edit = PolicyEdit()
            edit.quietHours = [try WeekSpan.parse(hours)]
            _ = try await planner.setPolicy(edit, of: name, saving: true)
        }
        for number in 0..<Self.seriesCount {
            try await change("Series \(number)", by: planner, using: &random)
        }
    }

    private func change(
        _ name: String, by planner: Planner, using random: inout SeededRandom
    ) async throws {
        let dates = try await planner.meeting(name).dates.map(\.occurrence)
        let date = try #require(dates.dropFirst().randomElement(using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = try await planner.invite(["Anna", "Ben"], to: name, saving: true)
        case 1: _ = try await planner.invite(["Cleo"], to: name, on: date, saving: true)
        case 2: _ = try await planner.cancelMeeting(name, on: date, saving: true)
        case 3:
            _ = try await planner.edit(name) {
                $0.date = date
                $0.start = "2027-04-0\(Int.random(in: 1...9, using: &random))T10:00"
            }
        case 4: _ = try await planner.cancelMeeting(name, from: date, saving: true)
        default: break
        }
    }

    @Test func `The predicted deliveries of a year are those that a run sends`() async throws {
        try await withTemporaryHome { world in
            try await prepare(world)
            _ = try await world.deliver()
            let end = try Moment.parse("2027-12-01T00:00:00Z")
            let planner = try await world.planner()
            let foreseen = try await planner.outbox(until: end, limit: 1_000_000).rows.map {
                Told($0.due.text, $0.key, $0.kind, $0.occurrence ?? "", $0.to.name, $0.title ?? "")
            }
            let sent = try await run(world, until: end)
            #expect(foreseen.count > Self.seriesCount * 20)
            #expect(Set(sent).subtracting(foreseen) == [])
            #expect(Set(foreseen).subtracting(sent) == [])
            #expect(sent.count == foreseen.count)
            print("\(foreseen.count) foreseen, \(sent.count) sent, of \(Self.seriesCount) series")
        }
    }

    private struct Told: Hashable {
        let words: [String]

        init(_ words: String...) { self.words = words }
    }

    /// The deliveries that an engine sends until a moment. Its clock jumps from one delivery to the
    /// next.
    private func run(_ world: TestWorld, until end: Moment) async throws -> [Told] {
        let planner = try await world.planner()
        let sink = ScriptedSink()
        let engine = try world.engine(planner, sinks: [sink])
        while world.clock.now < end {
            _ = try await planner.planSeriesOn()
            let farthest = min(world.clock.now.advanced(bySeconds: 5 * 86_400), end)
            let due = try await planner.store.nextDue() ?? farthest
            world.clock.set(max(world.clock.now, min(due, farthest)))
            _ = try await engine.runOnce()
        }
        return sink.messages.map {
            Told($0.due.utcText, $0.identity, $0.kind.rawValue, $0.occurrence, $0.name, $0.title)
        }
    }
}
