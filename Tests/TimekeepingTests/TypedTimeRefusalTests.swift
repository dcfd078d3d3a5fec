import Testing
import Timekeeping

/// The error messages of times that are refused, typed on Wednesday, 25 November 2026, at 10:00.
struct TypedTimeRefusalTests {
    private static let example =
        "write for example \"2026-12-01 18:00\", \"tomorrow 18:30\" or \"in 2 hours\"."

    static let ambiguous: [(String, String)] = [
        (
            "12/01/2026",
            "\"12/01/2026\" could be 1 December 2026 or 12 January 2026: "
                + "write 2026-12-01 or 2026-01-12."
        ),
        (
            "1-12-2026 18:00",
            "\"1-12-2026\" could be 12 January 2026 or 1 December 2026: "
                + "write 2026-01-12 or 2026-12-01."
        ),
        (
            "12/1",
            "\"12/1\" could be 1 December 2026 or 12 January 2027: write 2026-12-01 or 2027-01-12."
        ),
        (
            "next friday 19:00",
            "\"next friday\" could be 27 November 2026 or 4 December 2026: "
                + "write 2026-11-27 or 2026-12-04."
        ),
        (
            "next sun",
            "\"next sun\" could be 29 November 2026 or 6 December 2026: "
                + "write 2026-11-29 or 2026-12-06."
        ),
        (
            "nächsten Freitag",
            "\"nächsten freitag\" could be 27 November 2026 or 4 December 2026: "
                + "write 2026-11-27 or 2026-12-04."
        ),
        ("at 7", "\"7\" could be in the morning or in the evening: write 07:00 or 19:00."),
        ("tomorrow 11", "\"11\" could be in the morning or in the evening: write 11:00 or 23:00."),
        ("12", "\"12\" could be noon or midnight: write 12:00 or 00:00."),
        ("18.12", "\"18.12\" could be a day or a time: write 2026-12-18 or 18:12."),
        ("fri 9.12", "\"9.12\" could be a day or a time: write 2026-12-09 or 09:12."),
        (
            "tomorrow midnight",
            "\"midnight\" could be the start or the end of 26 November 2026: "
                + "write 2026-11-26 00:00 or 2026-11-27 00:00."
        ),
    ]

    static let incomplete: [(String, String)] = [
        ("19", "\"19\" is not a complete time: write 19:00."),
        ("tomorrow 0", "\"0\" is not a complete time: write 00:00."),
        ("dec 18:00", "The day of December is missing: write for example 1 December."),
        ("may", "The day of May is missing: write for example 1 May."),
        ("1/12/26", "\"1/12/26\" has a two-digit year: write all four digits, as in 2026-12-01."),
        (
            "1.12.26 18:00",
            "\"1.12.26\" has a two-digit year: write all four digits, as in 2026-12-01."
        ),
        ("2h", "\"2h\" is a length of time: write \"in 2h\" for a time."),
        (
            "18h", "\"18h\" could be a time or a length of time: write 18:00 or \"in 18h\"."
        ),
        ("2 hours", "\"2 hours\" is a length of time: write \"in 2 hours\" for a time."),
        ("in 90", "90 has no unit: write 90m for minutes, 90h for hours or 90d for days."),
        ("in einem Monat", "A month has no fixed length: write weeks or days, as in 4w or 30d."),
        ("in a month", "A month has no fixed length: write weeks or days, as in 4w or 30d."),
    ]

    static let impossible: [(String, String)] = [
        ("13pm", "There is no \"13pm\": write 13:00, without am or pm."),
        ("13:30 am", "There is no \"13:30 am\": write 13:30, without am or pm."),
        ("0am", "There is no \"0am\": write 00:00, without am or pm."),
        ("25:00", "There is no hour 25: write 0 to 23."),
        ("tomorrow 24:00", "There is no hour 24: write 00:00 of the next day."),
        ("18:60", "There is no minute 60: write 0 to 59."),
        ("30 feb", "There is no 30 February 2027: that month has 28 days."),
        ("31.4.2027", "There is no 31 April 2027: that month has 30 days."),
        ("13/13/2026", "There is no month 13: write 1 to 12."),
        ("2026-02-30T18:00", "There is no 30 February 2026: that month has 28 days."),
        ("2026-02-30 18:00", "There is no 30 February 2026: that month has 28 days."),
        ("1 jan 0000", "The year 0 is out of range: write 1 to 9999."),
    ]

    static let contradictory: [(String, String)] = [
        (
            "mon 1 dec 2026",
            "1 December 2026 is a Tuesday, not a Monday: "
                + "correct one of them, or write the date alone."
        ),
        (
            "tomorrow friday",
            "26 November 2026 is a Thursday, not a Friday: "
                + "correct one of them, or write the date alone."
        ),
        (
            "tonight 8:00",
            "\"tonight\" begins at 17:00: write \"today 08:00\" or \"tomorrow 08:00\"."
        ),
        ("heute morgen", "\"heute\" and \"morgen\" are two days: write one of them."),
        ("tomorrow 1 dec", "\"tomorrow\" and \"1 dec\" are two days: write one of them."),
        ("mon fri 18:00", "\"mon\" and \"fri\" are two days: write one of them."),
        (
            "1.12.2026 24.12 18:00",
            "\"1.12.2026\" and \"24.12\" are two days: write one of them."
        ),
        ("18:00 19.30", "\"18:00\" and \"19.30\" are two times: write one of them."),
        ("18:30 7 pm", "\"18:30\" and \"7 pm\" are two times: write one of them."),
    ]

    /// Texts with ranges of hours, the ranges, the starts to write instead, and the lengths.
    static let ranges: [(String, String, String, String)] = [
        ("fri 19-21", "19-21", "fri 19:00", "2h"), ("fri 10-12", "10-12", "fri 10:00", "2h"),
        ("Friday, 9-17", "9-17", "friday 09:00", "8h"), ("19-21", "19-21", "19:00", "2h"),
        ("fri 19:00-20:30", "19:00-20:30", "fri 19:00", "1h30m"),
        ("tomorrow at 9–11", "9–11", "tomorrow 09:00", "2h"),
        ("1 dec 23:15-24", "23:15-24", "1 dec 23:15", "45m"),
        ("fri 18:00 19-21", "19-21", "fri 19:00", "2h"),
        ("2026-12-04 18:00-20:00", "18:00-20:00", "2026-12-04 18:00", "2h"),
    ]

    static let unknown: [(String, String)] = [
        ("", "The time is empty: \(example)"), ("   ", "The time is empty: \(example)"),
        ("at", "The time is empty: \(example)"),
        ("tomorrow 18:30 sharp", "\"sharp\" was not understood: \(example)"),
        ("fri am", "\"am\" was not understood: \(example)"),
        ("soonish", "\"soonish\" was not understood: \(example)"),
        ("mañana", "\"mañana\" was not understood: \(example)"),
        ("next month", "\"next\" was not understood: \(example)"),
        ("tomorrow 18:3", "\"18:3\" was not understood: \(example)"),
        ("31", "\"31\" was not understood: \(example)"),
        ("tomorrow 1830", "\"1830\" was not understood: \(example)"),
        ("2026-12-01T18:00 sharp", "\"sharp\" was not understood: \(example)"),
        ("in 3 hours at 18:00", "\"in\" was not understood: \(example)"),
        ("18:30\t", "The time contains an invisible character: remove it."),
        ("18:\u{200B}30", "The time contains an invisible character: remove it."),
        ("\u{1B}[2J", "The time contains an invisible character: remove it."),
        (
            String(repeating: "tomorrow ", count: 23),
            "The time is 207 bytes long: write at most 200 bytes."
        ),
    ]

    @Test(arguments: ambiguous) func `A time with two meanings is refused with both`(
        text: String, sentence: String
    ) {
        check(text, sentence)
    }

    @Test(arguments: incomplete) func `An incomplete time is refused`(
        text: String, sentence: String
    ) {
        check(text, sentence)
    }

    @Test(arguments: impossible) func `A time that does not exist is refused`(
        text: String, sentence: String
    ) {
        check(text, sentence)
    }

    @Test(arguments: contradictory) func `Contradictory words are refused`(
        text: String, sentence: String
    ) {
        check(text, sentence)
    }

    @Test(arguments: ranges) func `A range of hours is refused with its start and its length`(
        text: String, range: String, start: String, length: String
    ) {
        check(
            text,
            "\"\(range)\" is a range of hours: write only the start, such as \"\(start)\", "
                + "and \(length) as the duration.")
    }

    @Test(arguments: unknown) func `A text that is not a time is refused with an example`(
        text: String, sentence: String
    ) {
        check(text, sentence)
    }

    @Test func `On a Sunday the next Friday is ambiguous, because weeks begin on different days`() {
        #expect(
            refusal { try TypedTime.parse("next friday", now: try wall("2026-11-22T10:00")) }
                == "\"next friday\" could be 27 November 2026 or 4 December 2026: "
                + "write 2026-11-27 or 2026-12-04.")
    }

    private func check(_ text: String, _ sentence: String) {
        #expect(
            refusal { try TypedTime.parse(text, now: try wall("2026-11-25T10:00")) } == sentence)
    }
}
