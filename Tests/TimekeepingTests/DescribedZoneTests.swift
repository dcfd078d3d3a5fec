import TestKit
import Testing
import Timekeeping

/// Zones that calendar objects describe, within limits.
@Suite(.timeLimit(.minutes(1))) struct DescribedZoneTests {
    /// A change that occurs by a rule, from 1990 on.
    private static func change(_ rule: String, after: Int) throws -> DescribedObservance {
        let onset = WallTime(date: try CivilDate(year: 1990, month: 1, day: 1), time: .midnight)
        var change = DescribedObservance(
            onset: onset, before: 0, after: after, isDaylight: false)
        change.rule = try RecurrenceRule(rule)
        return change
    }

    @Test func `A zone with changes in two ways at one moment has one of them`() throws {
        let yearly = "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"
        let changes = [try Self.change(yearly, after: 3600), try Self.change(yearly, after: 7200)]
        let zone = try #require(Zone(id: "Ours", changes: changes))
        let moment = try Moment.parse("2026-06-01T00:00:00Z")
        #expect(zone.offsetSeconds(at: moment) == 3600)
    }

    @Test func `The clock changes of all zones of a calendar have a limit`() throws {
        let monthly = try Self.change("FREQ=MONTHLY", after: 3600)
        var left = 6000
        // From 1990 to 2200, there are 2,532 months.
        #expect(Zone(id: "One", changes: [monthly], changesLeft: &left) != nil)
        #expect(left == 6000 - 2532)
        #expect(Zone(id: "Two", changes: [monthly, monthly], changesLeft: &left) == nil)
        #expect(left < 0)
    }
}
