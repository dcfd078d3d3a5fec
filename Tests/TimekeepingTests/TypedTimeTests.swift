import Testing
import Timekeeping

/// Typed on Wednesday, 25 November 2026, at 10:00.
struct TypedTimeTests {
    @Test(arguments: [
        ("18:30", "2026-12-04T18:30:00"), ("09:59", "2026-12-04T09:59:00"),
        ("6 pm", "2026-12-04T18:00:00"), ("19.30", "2026-12-04T19:30:00"),
        ("today 18:30", "2026-11-25T18:30:00"), ("tonight 20:00", "2026-11-25T20:00:00"),
        ("fri 19:00", "2026-12-04T19:00:00"), ("1 dec 18:00", "2026-12-01T18:00:00"),
    ]) func `A time without a day is on the current day of the meeting to change`(
        text: String, expected: String
    ) throws {
        let now = try wall("2026-11-25T10:00:00")
        let day = OwnDay(try wall("2026-12-04T12:00:00").date)
        let value = try TypedTime.parse(text, now: now, ownDay: day)
        #expect(value == .wall(try wall(expected)))
        #expect(throws: TimeTextError.self) {
            try TypedTime.parse("midnight", now: now, ownDay: day)
        }
    }

    @Test(arguments: [
        ("wed 20:00", "2026-12-23T20:00:00"), ("mon 20:00", "2026-12-21T20:00:00"),
        ("tue 20:00", "2026-12-22T20:00:00"), ("sat 9:00", "2026-12-26T09:00:00"),
        ("fri 9:00", "2026-12-25T09:00:00"), ("20:00", "2026-12-22T20:00:00"),
        ("wed 2 dec 20:00", "2026-12-02T20:00:00"), ("tomorrow 9:00", "2026-11-26T09:00:00"),
    ]) func `A weekday is the one in the week of what is moved`(
        text: String, expected: String
    ) throws {
        let now = try wall("2026-11-25T10:00:00")
        let tuesday = OwnDay(try wall("2026-12-22T12:00:00").date)
        #expect(
            try TypedTime.parse(text, now: now, ownDay: tuesday) == .wall(try wall(expected)))
        // A weekday that is over is not meant.
        let soon = OwnDay(now.date)
        #expect(
            try TypedTime.parse("mon 9:00", now: now, ownDay: soon)
                == .wall(try wall("2026-11-30T09:00:00")))
        #expect(
            try TypedTime.parse("wed 9:00", now: now, ownDay: soon)
                == .wall(try wall("2026-12-02T09:00:00")))
    }

    @Test(arguments: [
        // A time without a day is the next such time.
        ("18:30", "2026-11-25T18:30:00"), ("10:00", "2026-11-26T10:00:00"),
        ("09:59", "2026-11-26T09:59:00"), ("9:30", "2026-11-26T09:30:00"),
        ("18:30:15", "2026-11-25T18:30:15"), ("6pm", "2026-11-25T18:00:00"),
        ("6 PM", "2026-11-25T18:00:00"), ("6:30 pm", "2026-11-25T18:30:00"),
        ("6.30pm", "2026-11-25T18:30:00"), ("6 p.m.", "2026-11-25T18:00:00"),
        ("9 am", "2026-11-26T09:00:00"), ("12am", "2026-11-26T00:00:00"),
        ("12:30 pm", "2026-11-25T12:30:00"), ("19.30", "2026-11-25T19:30:00"),
        ("at 19.00", "2026-11-25T19:00:00"), ("noon", "2026-11-25T12:00:00"),
        ("midnight", "2026-11-26T00:00:00"), ("0:05", "2026-11-26T00:05:00"),
        // Days by name.
        ("tomorrow 18:30", "2026-11-26T18:30:00"), ("18:30 tomorrow", "2026-11-26T18:30:00"),
        ("today 9am", "2026-11-25T09:00:00"), ("Today, at 9:00", "2026-11-25T09:00:00"),
        ("tonight 20:00", "2026-11-25T20:00:00"), ("tonight at 8pm", "2026-11-25T20:00:00"),
        ("tonight midnight", "2026-11-26T00:00:00"), ("tomorrow noon", "2026-11-26T12:00:00"),
        ("yesterday 18:00", "2026-11-24T18:00:00"), ("tomorrow 12 noon", "2026-11-26T12:00:00"),
        ("the day after tomorrow at 9:30", "2026-11-27T09:30:00"),
        ("tomorrow 19.30", "2026-11-26T19:30:00"),
        ("tomorrow 9.12", "2026-11-26T09:12:00"),
        // Weekdays, including today's if its time is not past.
        ("fri 19:00", "2026-11-27T19:00:00"), ("Friday, 7 pm", "2026-11-27T19:00:00"),
        ("on fri. at 19.30", "2026-11-27T19:30:00"), ("19:00 friday", "2026-11-27T19:00:00"),
        ("wed 10:00", "2026-11-25T10:00:00"), ("wednesday 09:00", "2026-12-02T09:00:00"),
        ("tue 09:00", "2026-12-01T09:00:00"), ("thurs 09:00", "2026-11-26T09:00:00"),
        ("this friday 19:00", "2026-11-27T19:00:00"),
        ("next wednesday 19:00", "2026-12-02T19:00:00"),
        ("next tuesday 9:00", "2026-12-01T09:00:00"),
        // Dates.
        ("1 dec 18:00", "2026-12-01T18:00:00"), ("dec 1 2026 18:00", "2026-12-01T18:00:00"),
        ("1 December 18:00", "2026-12-01T18:00:00"), ("18:00 1 Dec 2027", "2027-12-01T18:00:00"),
        ("the 1st of December at 18:00", "2026-12-01T18:00:00"),
        ("December 2nd, 2026, 6 p.m.", "2026-12-02T18:00:00"),
        ("1. dec 18:00", "2026-12-01T18:00:00"),
        ("24 nov 18:00", "2027-11-24T18:00:00"), ("25 nov 09:00", "2026-11-25T09:00:00"),
        ("1.12.2026 18:00", "2026-12-01T18:00:00"), ("1.12. 18:00", "2026-12-01T18:00:00"),
        ("1.12 18:00", "2026-12-01T18:00:00"), ("18:00 24.12", "2026-12-24T18:00:00"),
        ("25/12/2026 18:00", "2026-12-25T18:00:00"), ("12/25/2026 6pm", "2026-12-25T18:00:00"),
        ("5/5/2027 18:00", "2027-05-05T18:00:00"), ("25-12-2026 18:00", "2026-12-25T18:00:00"),
        ("fri 12-18 18:00", "2026-12-18T18:00:00"), ("18:00 fri 12-18", "2026-12-18T18:00:00"),
        ("25/12 18:00", "2026-12-25T18:00:00"), ("2026/12/01 18:00", "2026-12-01T18:00:00"),
        ("2026-12-01 18:00", "2026-12-01T18:00:00"), ("2026-12-01, 18:00", "2026-12-01T18:00:00"),
        ("2026-12-01 at 6pm", "2026-12-01T18:00:00"), ("2026-12-01t18:00", "2026-12-01T18:00:00"),
        ("20261201T180000", "2026-12-01T18:00:00"), ("2026-12-1 9:00", "2026-12-01T09:00:00"),
        ("tue 1 dec 2026 18:00", "2026-12-01T18:00:00"),
        ("Tuesday, December 1, 18:00", "2026-12-01T18:00:00"),
        // Days from now keep the wall-clock time.
        ("in 2 days", "2026-11-27T10:00:00"), ("in a week", "2026-12-02T10:00:00"),
        ("+1w", "2026-12-02T10:00:00"), ("in 2 days at 18:00", "2026-11-27T18:00:00"),
        ("in two days 18:00", "2026-11-27T18:00:00"),
        ("in zwei Tagen um 18 Uhr", "2026-11-27T18:00:00"),
        ("in fünf Tagen 18:00", "2026-11-30T18:00:00"),
        ("in 2 days 18:00", "2026-11-27T18:00:00"), ("in a week 6pm", "2026-12-02T18:00:00"),
        ("in a week at 6 pm", "2026-12-02T18:00:00"), ("  18:30  ", "2026-11-25T18:30:00"),
        ("6:30\u{202F}PM", "2026-11-25T18:30:00"),
    ]) func `A typed time is parsed`(text: String, expected: String) throws {
        #expect(try parse(text) == .wall(try wall(expected)))
    }

    @Test(arguments: [
        ("morgen 19 Uhr", "2026-11-26T19:00:00"), ("heute 18:30", "2026-11-25T18:30:00"),
        ("übermorgen 9 Uhr", "2026-11-27T09:00:00"), ("fr 19 Uhr", "2026-11-27T19:00:00"),
        ("Freitag, 19:00", "2026-11-27T19:00:00"), ("fr. 19uhr", "2026-11-27T19:00:00"),
        ("am Freitag um 19.30 Uhr", "2026-11-27T19:30:00"),
        ("um 20 Uhr am Montag", "2026-11-30T20:00:00"),
        ("heute Abend 20 Uhr", "2026-11-25T20:00:00"), ("Mitternacht", "2026-11-26T00:00:00"),
        ("25. Dezember 20 Uhr", "2026-12-25T20:00:00"), ("3. März 18 Uhr", "2027-03-03T18:00:00"),
        ("Freitag, den 25. Dezember 2026, 20 Uhr", "2026-12-25T20:00:00"),
        ("nächsten Mittwoch 19 Uhr", "2026-12-02T19:00:00"),
        ("kommenden Freitag 19 Uhr", "2026-11-27T19:00:00"),
        ("in 2 Wochen um 18 Uhr", "2026-12-09T18:00:00"),
        ("in einer Woche", "2026-12-02T10:00:00"), ("so 19 Uhr", "2026-11-29T19:00:00"),
        ("in 3 Tagen 18 Uhr", "2026-11-28T18:00:00"), ("fr 18h", "2026-11-27T18:00:00"),
        ("fr 18h30", "2026-11-27T18:30:00"), ("morgen 8 h", "2026-11-26T08:00:00"),
        ("am So. um 11 Uhr", "2026-11-29T11:00:00"),
    ]) func `A time in German is parsed`(text: String, expected: String) throws {
        #expect(try parse(text) == .wall(try wall(expected)))
    }

    @Test(arguments: [
        ("sun 12:00", "2026-12-13T12:00:00"), ("mon 12:00", "2026-12-07T12:00:00"),
        ("thu 12:00", "2026-12-10T12:00:00"), ("1 dec 12:00", "2027-12-01T12:00:00"),
        ("7.12. 12:00", "2026-12-07T12:00:00"), ("12:00 6.12.", "2027-12-06T12:00:00"),
        ("1.12.2026 12:00", "2026-12-01T12:00:00"), ("12:00", "2026-12-07T12:00:00"),
        ("tomorrow 12:00", "2026-11-26T12:00:00"),
    ]) func `The day of an end counts from the day of the start`(text: String, expected: String)
        throws
    {
        let now = try wall("2026-11-25T10:00:00")
        let start = OwnDay(ofStart: try wall("2026-12-07T18:00:00").date)
        #expect(
            try TypedTime.parse(text, now: now, ownDay: start) == .wall(try wall(expected)))
    }

    @Test(arguments: [
        ("sat", "2026-11-28"), ("12 dec", "2026-12-12"), ("in 2 weeks", "2026-12-09"),
        ("in einer Woche", "2026-12-02"), ("+2d", "2026-11-27"), ("tomorrow", "2026-11-26"),
        ("sat 18:00", nil), ("in 2 hours", nil), ("in 2 days at 18:00", nil), ("now", nil),
        ("18:00", nil), ("soonish", nil), ("", nil),
    ]) func `A day is told from a time`(text: String, expected: String?) throws {
        let day = TypedTime.day(text, now: try wall("2026-11-25T10:00"))
        #expect(day?.description == expected)
    }

    @Test(arguments: [
        ("morgen", "2026-11-26"), ("übermorgen", "2026-11-27"), ("Mo", "2026-11-30"),
        ("di", "2026-12-01"), ("mi", "2026-11-25"), ("do", "2026-11-26"), ("fr", "2026-11-27"),
        ("sa", "2026-11-28"), ("so", "2026-11-29"),
        ("25. dez", "2026-12-25"), ("1. Mai", "2027-05-01"), ("nächsten Mittwoch", "2026-12-02"),
        ("today", "2026-11-25"), ("tomorrow", "2026-11-26"), ("tonight", "2026-11-25"),
        ("wed", "2026-11-25"), ("friday", "2026-11-27"), ("next wednesday", "2026-12-02"),
        ("1 dec", "2026-12-01"), ("december 1st", "2026-12-01"), ("1.12.2026", "2026-12-01"),
        ("1.12.", "2026-12-01"), ("25.12", "2026-12-25"), ("2026-12-01", "2026-12-01"),
        ("20261201", "2026-12-01"), ("25 nov", "2026-11-25"), ("24 nov", "2027-11-24"),
        ("29 feb 2028", "2028-02-29"),
    ]) func `A day without a time is a day`(text: String, expected: String) throws {
        #expect(try parse(text) == .date(try wall(expected + "T00:00").date))
    }

    @Test(arguments: [
        ("2026-12-01T18:00+02:00", "2026-12-01T16:00Z", 7200),
        ("2026-12-01 18:00 +0200", "2026-12-01T16:00Z", 7200),
        ("20261201T160000Z", "2026-12-01T16:00Z", 0),
        ("at 2026-12-01t16:00z", "2026-12-01T16:00Z", 0),
    ]) func `A time with an offset is an instant`(text: String, expected: String, offset: Int)
        throws
    {
        #expect(try parse(text) == .instant(try moment(expected), offsetSeconds: offset))
    }

    @Test(arguments: [
        ("now", "PT0S"), ("Now", "PT0S"), ("in 90m", "PT1H30M"), ("in 3 hours", "PT3H"),
        ("in half an hour", "PT30M"), ("+2h", "PT2H"), ("+90m", "PT1H30M"), ("+ 2 hours", "PT2H"),
        ("in 1 day 3 hours", "P1DT3H"), ("in 0m", "PT0S"), ("in PT1H", "PT1H"),
    ]) func `Hours and smaller units from now are exact`(text: String, span: String) throws {
        #expect(try parse(text) == .fromNow(try TimeSpan.parse(span)))
    }

    /// "Next" is accepted only if it cannot mean this week.
    @Test(arguments: [
        ("2026-11-27T10:00", "next friday", "2026-12-04"),
        ("2026-11-28T10:00", "next fri", "2026-12-04"),
        ("2026-11-28T10:00", "next saturday", "2026-12-05"),
        ("2026-11-22T10:00", "next sunday", "2026-11-29"),
        ("2026-11-28T10:00", "next monday", "2026-11-30"),
        ("2026-11-29T10:00", "fri", "2026-12-04"),
        ("2026-12-31T10:00", "1 jan", "2027-01-01"), ("2026-12-31T10:00", "fri", "2027-01-01"),
        ("2028-02-01T10:00", "29 feb", "2028-02-29"),
    ]) func `A day is found relative to the day of typing`(
        now: String, text: String, expected: String
    ) throws {
        let value = try TypedTime.parse(text, now: try wall(now))
        #expect(value == .date(try wall(expected + "T00:00").date))
    }

    @Test func `Random words never cause a trap`() throws {
        var chance = SeededChance(seed: 1830)
        let words = [
            "tomorrow", "fri", "next", "this", "in", "2", "18:30", "6", "pm", "dec", "1st", "1.12",
            "1.12.", "2026", "noon", "midnight", "+", "2h", "days", "at", ",", "12/01/2026",
            "99.99",
            "9999-12-31", "31", "99:99", "0", "tonight", "1.", ":", "-", "/", "2026-12-01t18:00z",
        ]
        var taken = 0
        for _ in 0..<5000 {
            let count = Int.random(in: 1...5, using: &chance)
            let text = (0..<count).compactMap { _ in words.randomElement(using: &chance) }
                .joined(separator: " ")
            if (try? parse(text)) != nil { taken += 1 }
        }
        #expect(taken > 100)
    }

    private func parse(_ text: String) throws -> TypedTime.Value {
        try TypedTime.parse(text, now: try wall("2026-11-25T10:00"))
    }
}
