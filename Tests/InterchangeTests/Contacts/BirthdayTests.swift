import Interchange
import Testing
import Timekeeping

/// Birthdays as they are typed, kept in cards, and celebrated.
@Suite struct BirthdayTests {
    @Test(arguments: [
        ("1990-04-12", "1990-04-12"), ("19900412", "1990-04-12"), ("1990/4/12", "1990-04-12"),
        ("12.4.1990", "1990-04-12"), ("12. 4. 1990", "1990-04-12"), ("12.04.", "--04-12"),
        ("04-12", "--04-12"), ("--04-12", "--04-12"), ("--0412", "--04-12"),
        ("02-29", "--02-29"), ("29.2.2000", "2000-02-29"),
        ("12.4", "--04-12"), ("12 apr 1990", "1990-04-12"), ("April 12, 1990", "1990-04-12"),
        ("12th of April", "--04-12"), ("12. Mai 1990", "1990-05-12"), ("29 feb", "--02-29"),
        ("3 dec 2000", "2000-12-03"), ("3 dec 2004", "2004-12-03"), ("1 jan", "--01-01"),
        ("today", nil), ("in 2 days", nil), ("12 apr 18:00", nil), ("30 feb 1990", nil),
        ("29.2.1999", nil), ("1990-04-31", nil), ("13-01", nil), ("april", nil), ("", nil),
        ("1.2.3.4", nil), ("12.4.90", nil), ("0000-01-01", nil),
    ])
    func `Typed birthdays are read in the usual forms`(text: String, birthday: String?) {
        #expect(Birthday.normalised(typed: text) == birthday)
    }

    @Test func `A birthday has a key, and an age if the year is known`() throws {
        let known = try #require(Birthday("1990-04-12"))
        let date = try CivilDate(year: 2027, month: 4, day: 12)
        #expect(known.key == "0412" && known.age(on: date) == 37)
        #expect(Birthday.keys(on: date) == ["0412"])
        let unknown = try #require(Birthday("--11-30"))
        #expect(unknown.key == "1130" && unknown.age(on: date) == nil)
        #expect(try #require(Birthday("2027-04-12")).age(on: date) == nil)
        #expect(Birthday("19900412") == nil && Birthday("1990-04") == nil && Birthday("") == nil)
    }

    @Test(arguments: [
        (2027, 2, 28, ["0228", "0229"]), (2028, 2, 28, ["0228"]), (2028, 2, 29, ["0229"]),
        (2100, 2, 28, ["0228", "0229"]),
    ])
    func `Who was born on 29 February celebrates on the last day of February`(
        year: Int, month: Int, day: Int, keys: [String]
    ) throws {
        let date = try CivilDate(year: year, month: month, day: day)
        #expect(Birthday.keys(on: date) == keys)
        #expect(
            try #require(Birthday("2000-02-29")).rule
                == RecurrenceRule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"))
        #expect(try #require(Birthday("2000-02-28")).rule == RecurrenceRule(.yearly))
    }
}
