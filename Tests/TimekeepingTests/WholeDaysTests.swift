import Testing
import Timekeeping

@Suite struct WholeDaysTests {
    @Test(arguments: [
        ("2026-12-12T00:00", "2026-12-13T00:00", "2026-12-12 2026-12-12"),
        ("2026-12-12T00:00", "2026-12-15T00:00", "2026-12-12 2026-12-14"),
        // A day of 23 hours and one of 25 hours.
        ("2026-03-29T00:00", "2026-03-30T00:00", "2026-03-29 2026-03-29"),
        ("2026-10-25T00:00", "2026-10-26T00:00", "2026-10-25 2026-10-25"),
        ("2026-12-12T00:00", "2026-12-12T00:00", nil),
        ("2026-12-12T00:00", "2026-12-12T12:00", nil),
        ("2026-12-12T00:01", "2026-12-13T00:00", nil),
    ])
    func `A period from midnight to midnight fills days`(
        _ start: String, _ end: String, _ days: String?
    ) throws {
        let zone = try ZoneDirectory().zone("Europe/Helsinki")
        let found = WholeDays(
            from: zone.moment(of: try WallTime.parse(start)),
            to: zone.moment(of: try WallTime.parse(end)), in: zone)
        #expect(found.map { "\($0.first) \($0.last)" } == days)
    }

    /// The clocks in Beirut skip the hour after midnight on 28 March 2027.
    @Test func `A day whose midnight is skipped begins later`() throws {
        let zone = try ZoneDirectory().zone("Asia/Beirut")
        let start = zone.moment(of: try WallTime.parse("2027-03-28T01:00"))
        #expect(zone.startOfDay(try CivilDate(year: 2027, month: 3, day: 28)) == start)
        let end = zone.moment(of: try WallTime.parse("2027-03-29T00:00"))
        #expect(end.milliseconds(since: start) == 23 * 3_600_000)
        let days = WholeDays(from: start, to: end, in: zone)
        #expect(days?.last.description == "2027-03-28")
    }
}
