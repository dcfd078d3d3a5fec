import TestKit
import Testing

@testable import Timekeeping

@Suite struct ZoneObservanceTests {
    /// The offsets that a calendar program reads from observances (RFC 5545, 3.6.5): the start of
    /// each and the offset from then on, in order of time.
    private static func offsets(
        _ observances: [ZoneObservance], from first: Moment, through last: Moment
    ) -> [(second: Int64, offset: Int)] {
        let years = [first, last].map { WallTime(secondsSince1970: $0.seconds).date.year }
        return observances.flatMap { observance in
            onsets(of: observance, years[0] - 1...years[1] + 1).map { wall in
                (second: wall.secondsSince1970 - Int64(observance.before), offset: observance.after)
            }
        }.sorted { $0.second < $1.second }
    }

    /// The starts of an observance. For yearly ones, the years around the given ones are enough.
    private static func onsets(
        of observance: ZoneObservance, _ years: ClosedRange<Int>
    ) -> [WallTime] {
        guard let day = observance.anniversary else { return [observance.onset] }
        let own = max(years.lowerBound, observance.onset.date.year)
        return (own...max(years.upperBound, own)).compactMap {
            date(day, in: $0).map { WallTime(date: $0, time: observance.onset.time) }
        }
    }

    private static func date(_ day: ZoneObservance.Anniversary, in year: Int) -> CivilDate? {
        let days = (1...CivilDate.days(inMonth: day.month, ofYear: year)).compactMap {
            try? CivilDate(year: year, month: day.month, day: $0)
        }.filter { $0.weekday == day.weekday }
        return day.week == -1 ? days.last : days.dropFirst(day.week - 1).first
    }

    @Test func `The observances of every zone give its offsets in the years that they cover`()
        throws
    {
        let directory = ZoneDirectory()
        var faults: [String] = []
        for id in directory.identifiers {
            let zone = try directory.zone(id)
            for year in stride(from: 1969, through: 2069, by: 9) {
                let first = Moment(
                    seconds: Int64(CivilDate.dayNumber(year: year, month: 3, day: 9)) * 86_400)
                let last = first.advanced(bySeconds: 250 * 86_400)
                let observances = zone.observances(from: first, through: last)
                if observances.allSatisfy(\.isDaylight) {
                    faults.append("\(id) \(year): no winter")
                }
                let offsets = Self.offsets(observances, from: first, through: last)
                for day in stride(from: Int64(0), through: 250, by: 10) {
                    let moment = first.advanced(bySeconds: day * 86_400)
                    let current = offsets.last { $0.second <= moment.seconds }
                    if current?.offset != zone.offsetSeconds(at: moment) {
                        faults.append("\(id) \(moment)")
                    }
                }
            }
        }
        #expect(faults.prefix(10) == [])
    }

    @Test func `A rule that applies is written once`() throws {
        let zone = try ZoneDirectory().zone("Europe/Helsinki")
        let moment = try Moment.parse("2026-12-05T12:00:00Z")
        let observances = zone.observances(from: moment, through: moment)
        #expect(observances.map(\.abbreviation) == ["EEST", "EET"])
        #expect(
            observances.map(\.onset.description) == ["1996-03-31T03:00:00", "1996-10-27T04:00:00"])
        #expect(observances.map(\.anniversary?.week) == [-1, -1])
        #expect(observances.map(\.anniversary?.weekday) == [.sunday, .sunday])
        #expect(observances.map(\.anniversary?.month) == [3, 10])
        #expect(observances.map(\.isDaylight) == [true, false])
    }

    @Test func `Without a rule each observance is written separately`() throws {
        let directory = ZoneDirectory()
        let morocco = try directory.zone("Africa/Casablanca")
        let first = try Moment.parse("2027-01-01T00:00:00Z")
        let last = try Moment.parse("2027-12-31T00:00:00Z")
        let observances = morocco.observances(from: first, through: last)
        #expect(observances.count == 3)
        #expect(observances.allSatisfy { $0.anniversary == nil })
        let tokyo = try directory.zone("Asia/Tokyo").observances(from: first, through: last)
        #expect(tokyo.map(\.after) == [32_400])
        let fixed = Zone(fixedOffsetSeconds: 3600).observances(from: first, through: last)
        #expect(fixed.map(\.onset.description) == ["1601-01-01T00:00:00"])
    }
}
