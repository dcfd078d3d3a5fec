import Testing
import Timekeeping

struct CivilDateTests {
    @Test func `Each day of 1200 years follows the one before it`() throws {
        var day = try CivilDate(year: 1199, month: 12, day: 31)
        for year in 1200..<2400 {
            for month in 1...12 {
                for number in 1...CivilDate.days(inMonth: month, ofYear: year) {
                    let next = day.adding(days: 1)
                    guard (next.year, next.month, next.day) == (year, month, number),
                        next.daysSince1970 == day.daysSince1970 + 1,
                        next.weekday.rawValue == day.weekday.rawValue % 7 + 1
                    else {
                        Issue.record("\(next) follows \(day)")
                        return
                    }
                    day = next
                }
            }
        }
    }

    @Test func `Dates and day numbers convert to each other in all years`() throws {
        var chance = SeededChance(seed: 719_468)
        let ends = [CivilDate.earliest.daysSince1970, CivilDate.latest.daysSince1970]
        #expect(ends == [-719_162, 2_932_896])
        for _ in 0..<20_000 {
            let days = Int.random(in: ends[0]...ends[1], using: &chance)
            let date = try #require(CivilDate(daysSince1970: days))
            #expect(date.daysSince1970 == days)
            #expect(try CivilDate(year: date.year, month: date.month, day: date.day) == date)
        }
        #expect(CivilDate(daysSince1970: ends[0] - 1) == nil)
        #expect(CivilDate(daysSince1970: ends[1] + 1) == nil)
        #expect(CivilDate(daysSince1970: 0)?.description == "1970-01-01")
    }

    @Test(arguments: [
        ("1970-01-01", Weekday.thursday), ("2026-12-01", .tuesday), ("2000-02-29", .tuesday),
        ("2024-12-31", .tuesday), ("0001-01-01", .monday), ("9999-12-31", .friday),
    ]) func `A date has the right weekday`(text: String, weekday: Weekday) throws {
        let date = try date(text)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
    }

    @Test func `Arithmetic stops at the ends of the calendar`() throws {
        #expect(CivilDate.latest.adding(days: 1) == .latest)
        #expect(CivilDate.earliest.adding(days: -1) == .earliest)
        #expect(try date("2026-12-01").adding(days: .max) == .latest)
        #expect(try date("0001-01-05").adding(days: .min) == .earliest)
    }

    @Test(arguments: [
        (0, 1, 1, "The year 0 is out of range: write 1 to 9999."),
        (10_000, 1, 1, "The year 10000 is out of range: write 1 to 9999."),
        (2026, 13, 1, "There is no month 13: write 1 to 12."),
        (2026, 2, 30, "There is no 30 February 2026: that month has 28 days."),
        (1900, 2, 29, "There is no 29 February 1900: that month has 28 days."),
        (2026, 4, 0, "There is no 0 April 2026: that month has 30 days."),
        (.max, .min, .max, "The year 9223372036854775807 is out of range: write 1 to 9999."),
    ]) func `A date that does not exist is refused`(
        year: Int, month: Int, day: Int, sentence: String
    ) {
        do throws(CivilError) {
            let date = try CivilDate(year: year, month: month, day: day)
            Issue.record("\(date)")
        } catch {
            #expect(error.description == sentence)
        }
    }

    @Test func `Leap years follow the Gregorian calendar`() {
        #expect([1600, 2000, 2024, 2400].allSatisfy(CivilDate.isLeap))
        #expect(![1700, 1900, 2026, 2100].contains(where: CivilDate.isLeap))
        #expect(CivilDate.days(inMonth: 13, ofYear: 2026) == 0)
    }

    private func date(_ text: String) throws -> CivilDate {
        try wall(text + "T00:00").date
    }
}
