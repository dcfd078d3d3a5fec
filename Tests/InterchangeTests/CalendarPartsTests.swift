import Interchange
import TestKit
import Testing
import Timekeeping

/// Series with a change to all later occurrences, split into the original part and its
/// continuation.
@Suite struct CalendarPartsTests {
    private static let zones = SystemZones.directory

    private func object(_ events: [String]...) throws -> CalendarObject {
        let components = events.flatMap { ["BEGIN:VEVENT", "UID:a"] + $0 + ["END:VEVENT"] }
        let text = (["BEGIN:VCALENDAR"] + components + ["END:VCALENDAR"]).joined(separator: "\r\n")
        let calendar = try #require(CalendarReader.read(Array(text.utf8)).calendars.first)
        return try #require(CalendarObject.all(in: calendar).first)
    }

    private func lines(_ object: CalendarObject) -> [[String]] {
        object.components.map { component in
            component.lines.map { line in
                let zone = line.parameter("TZID").map { ";\($0)" } ?? ""
                return "\(line.name)\(zone):\(line.value)"
            }
        }
    }

    /// The starts of an object's occurrences, without cancelled ones.
    private func starts(_ object: CalendarObject, first count: Int) throws -> [Moment] {
        let zones = CalendarZones(object.calendar)
        let entries = object.components.map { CalendarEntry($0, by: zones, Self.zones) }
        let whole = try #require(entries.filter { $0.recurrenceID == nil }.newest)
        guard !whole.isOff else { return [] }
        let start = try #require(whole.start)
        var recurrence = try Recurrence(
            start: start.stamp, in: start.zone,
            rule: try whole.component.line("RRULE").map { try RecurrenceRule($0.plainText) })
        recurrence.additions = whole.times("RDATE", by: zones, Self.zones).map(\.stamp)
        recurrence.exceptions = whole.times("EXDATE", by: zones, Self.zones).map(\.stamp)
        recurrence.overrides = entries.compactMap { entry in
            entry.recurrenceID.map {
                Recurrence.Override(
                    $0.stamp, start: entry.isOff ? nil : entry.start?.stamp,
                    isOfFollowing: entry.isOfFollowing)
            }
        }
        return recurrence.prefix(count).compactMap(\.moment)
    }

    @Test func `A change to all later occurrences becomes a series of its own`() throws {
        let whole = try object(
            [
                "DTSTART;TZID=Europe/Berlin:20261201T190000", "RRULE:FREQ=WEEKLY;COUNT=8",
                "EXDATE;TZID=Europe/Berlin:20261208T190000,20270105T190000", "X-ROOM:1",
            ],
            [
                "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261222T190000",
                "DTSTART;TZID=Europe/Berlin:20261223T200000", "X-ROOM:2",
            ],
            [
                "RECURRENCE-ID:20261229T180000Z", "DTSTART;TZID=Europe/Berlin:20261231T200000",
            ])
        let parts = whole.parts(by: Self.zones)
        #expect(parts.map(\.uid) == ["a", "a+from=20261222T190000"])
        #expect(CalendarObject.wholeUID(of: parts[1].uid) == "a")
        #expect(
            lines(parts[0]) == [
                [
                    "UID:a", "DTSTART;Europe/Berlin:20261201T190000",
                    "RRULE:FREQ=WEEKLY;UNTIL=20261222T175959Z",
                    "EXDATE;Europe/Berlin:20261208T190000", "X-ROOM:1",
                ]
            ])
        #expect(
            lines(parts[1]) == [
                [
                    "UID:a+from=20261222T190000", "DTSTART;Europe/Berlin:20261223T200000",
                    "X-ROOM:2", "RRULE:FREQ=WEEKLY;COUNT=5",
                    "EXDATE;Europe/Berlin:20270106T200000",
                ],
                [
                    "UID:a+from=20261222T190000", "RECURRENCE-ID:20261230T190000Z",
                    "DTSTART;Europe/Berlin:20261231T200000",
                ],
            ])
    }

    @Test func `A series is not split without such a change, or if no rule can express a part`()
        throws
    {
        let plain = try object(["DTSTART:20261201T190000Z", "RRULE:FREQ=DAILY"])
        #expect(plain.parts(by: Self.zones) == [plain])
        let monthly = try object(
            ["DTSTART:20261225T190000Z", "RRULE:FREQ=MONTHLY;BYDAY=-1FR"],
            ["RECURRENCE-ID;RANGE=THISANDFUTURE:20270129T190000Z", "DTSTART:20270128T190000Z"])
        #expect(monthly.parts(by: Self.zones) == [monthly])
        let never = try object(
            ["DTSTART:20261201T190000Z", "RRULE:FREQ=WEEKLY;COUNT=4"],
            ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261202T190000Z", "DTSTART:20261202T190000Z"])
        #expect(never.parts(by: Self.zones) == [never])
    }

    @Test func `A change from the first occurrence on leaves only one part`() throws {
        let days = try object(
            ["DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=WEEKLY;UNTIL=20270101"],
            ["RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261201", "STATUS:CANCELLED"])
        let parts = days.parts(by: Self.zones)
        #expect(parts.map(\.uid) == ["a"])
        #expect(lines(parts[0])[0].contains("DTSTART:20261201"))
        #expect(lines(parts[0])[0].contains("STATUS:CANCELLED"))
    }

    @Test(arguments: 0..<200) func `The parts keep the dates of the series`(seed: Int) throws {
        var chance = SeededRandom(seed: UInt64(seed))
        let zone =
            ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"]
            .randomElement(using: &chance) ?? ""
        let rule =
            [
                "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=TU,TH", "FREQ=WEEKLY;INTERVAL=2",
                "FREQ=DAILY;COUNT=40", "FREQ=DAILY;UNTIL=20270415T120000Z",
                "FREQ=MONTHLY;BYMONTHDAY=2,17",
            ].randomElement(using: &chance) ?? ""
        func stamp(_ wall: WallTime) -> String { CalendarStamp.wall(wall).description }
        let first = try WallTime.parse("2027-03-02T02:30:00")
        let dates = try Recurrence(
            start: .wall(first), in: SystemZones.directory.zone(zone), rule: RecurrenceRule(rule)
        ).prefix(12).map(\.original)
        var events = [["DTSTART;TZID=\(zone):\(stamp(first))", "RRULE:\(rule)"]]
        for (place, date) in dates.enumerated() where place > 0 && place % 4 != 3 {
            let kind = Int.random(in: 0..<6, using: &chance)
            guard kind < 3 else { continue }
            let hours = Int64.random(in: -20...20, using: &chance)
            let later = WallTime(secondsSince1970: date.secondsSince1970 + hours * 1800)
            let range = kind == 0 ? ";RANGE=THISANDFUTURE" : ""
            events.append([
                "RECURRENCE-ID\(range);TZID=\(zone):\(stamp(date))",
                "DTSTART;TZID=\(zone):\(stamp(later))",
            ])
        }
        events[0].append("EXDATE;TZID=\(zone):\(stamp(dates[3]))")
        let whole = try object(events[0]).with(try events.dropFirst().map { try object($0) })
        let parts = whole.parts(by: Self.zones)
        let expected = try starts(whole, first: 60)
        // A series is not split if no rule can express a part.
        let isMeantToPart = events.contains { $0[0].contains("RANGE") }
        guard parts.count > 1 || !isMeantToPart else { return }
        let found = try parts.flatMap { try starts($0, first: 60) }.sorted()
        #expect(Array(found.prefix(expected.count)) == expected.sorted(), "\(events)")
    }

    @Test func `A change near the start of an endless series costs little`() throws {
        let hourly = try object(
            ["DTSTART:20261201T000000Z", "RRULE:FREQ=HOURLY"],
            ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261201T010000Z", "DTSTART:20261201T010300Z"])
        var left = 200
        let parts = hourly.parts(by: Self.zones, datesLeft: &left)
        #expect(parts.count == 2 && left > 0)
    }

    @Test(arguments: [(2, 1), (60, 1), (1000, 2)])
    func `Dates are compared up to a limit for all series together`(
        _ limit: Int, _ count: Int
    ) throws {
        let daily = try object(
            ["DTSTART:20261201T190000Z", "RRULE:FREQ=DAILY"],
            ["RECURRENCE-ID;RANGE=THISANDFUTURE:20261203T190000Z", "DTSTART:20261203T203000Z"])
        var left = limit
        #expect(daily.parts(by: Self.zones, datesLeft: &left).count == count)
        #expect(left < limit)
    }
}

extension CalendarObject {
    /// The object with the components of others added.
    fileprivate func with(_ others: [CalendarObject]) throws -> CalendarObject {
        let events = ([self] + others).flatMap(\.components)
        let text =
            "BEGIN:VCALENDAR\r\n"
            + events.map { String(decoding: $0.octets, as: UTF8.self) }.joined()
            + "END:VCALENDAR\r\n"
        let calendar = try #require(CalendarReader.read(Array(text.utf8)).calendars.first)
        return try #require(CalendarObject.all(in: calendar).first)
    }
}
