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
        change.rules = [try RecurrenceRule(rule)]
        return change
    }

    @Test func `A zone with changes in two ways at one moment is not understood`() throws {
        let yearly = "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1"
        let one = try Self.change(yearly, after: 3600)
        #expect(Zone(id: "Ours", changes: [one, try Self.change(yearly, after: 7200)]) == nil)
        let zone = try #require(Zone(id: "Ours", changes: [one, one]))
        let moment = try Moment.parse("2026-06-01T00:00:00Z")
        #expect(zone.offsetSeconds(at: moment) == 3600)
    }

    @Test func `A change does not begin on a day that its rule does not name`() throws {
        var summer = try Self.change("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", after: 7200)
        var winter = try Self.change("FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", after: 3600)
        (summer.before, winter.before) = (3600, 7200)
        for changes in [[summer, winter], [winter, summer]] {
            let zone = try #require(Zone(id: "Ours", changes: changes))
            let days = ["1990-02-01", "1990-07-01", "1990-12-01"]
            let offsets = try days.map {
                zone.offsetSeconds(at: try Moment.parse("\($0)T12:00:00Z"))
            }
            #expect(offsets == [3600, 7200, 3600])
        }
    }

    @Test func `A change with two rules occurs by both`() throws {
        var summer = try Self.change("FREQ=YEARLY;BYMONTH=5;BYDAY=1SU", after: 7200)
        var winter = try Self.change("FREQ=YEARLY;BYMONTH=3;BYDAY=1SU", after: 3600)
        winter.rules.append(try RecurrenceRule("FREQ=YEARLY;BYMONTH=9;BYDAY=1SU"))
        (summer.before, winter.before) = (3600, 7200)
        let zone = try #require(Zone(id: "Ours", changes: [summer, winter]))
        let days = ["2026-04-01", "2026-07-01", "2026-12-01"]
        let offsets = try days.map {
            zone.offsetSeconds(at: try Moment.parse("\($0)T12:00:00Z"))
        }
        #expect(offsets == [3600, 7200, 3600])
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
