import Foundation
import Testing
import Timekeeping

struct TimeSpanTests {
    @Test(arguments: [
        ("45s", "PT45S"), ("90m", "PT1H30M"), ("1h30m", "PT1H30M"), ("2d", "P2D"), ("1w", "P1W"),
        ("1d12h", "P1DT12H"), ("7d", "P1W"), ("8d", "P8D"), ("24h", "PT24H"), ("0m", "PT0S"),
        ("0d", "PT0S"), ("2 days", "P2D"), ("1 hour", "PT1H"), ("1h 30m", "PT1H30M"),
        ("1 hour and 30 minutes", "PT1H30M"), ("2 Weeks, 3 Days", "P17D"), ("an hour", "PT1H"),
        ("a day", "P1D"), ("half an hour", "PT30M"), ("1.5h", "PT1H30M"), ("1,25 hours", "PT1H15M"),
        ("two weeks", "P2W"), ("one hour and ten minutes", "PT1H10M"), ("Zwölf Tage", "P12D"),
        ("fünf Stunden", "PT5H"), ("zwoelf minuten", "PT12M"),
        ("elf Tage, acht Stunden", "P11DT8H"),
        ("2.5 min", "PT2M30S"), ("30m1h", "PT1H30M"), (" 90 MIN ", "PT1H30M"), ("0.25h", "PT15M"),
        ("PT1H", "PT1H"), ("P1D", "P1D"), ("P1W", "P1W"), ("P1DT2H", "P1DT2H"),
        ("pt90m", "PT1H30M"),
        ("P7D", "P1W"), ("PT1.5H", "PT1H30M"), ("PT0S", "PT0S"), ("P1W2DT3H4M5S", "P9DT3H4M5S"),
        ("100000 m", "PT1666H40M"), ("36525d", "P36525D"), ("876600h", "PT876600H"),
    ]) func `A length of time is parsed, and shown in ISO 8601`(text: String, iso: String) throws {
        let span = try TimeSpan.parse(text)
        #expect(span.iso == iso)
        #expect(span.description == iso)
    }

    @Test(arguments: [
        ("", "The length of time is empty: write for example 90m, 1h30m, 2d or PT1H."),
        ("  ", "The length of time is empty: write for example 90m, 1h30m, 2d or PT1H."),
        ("90", "90 has no unit: write 90m for minutes, 90h for hours or 90d for days."),
        ("1h30", "30 has no unit: write 30m for minutes, 30h for hours or 30d for days."),
        ("0x", "\"x\" is not a unit of time: write s, m, h, d or w, as in 1h30m."),
        ("5 apples", "\"apples\" is not a unit of time: write s, m, h, d or w, as in 1h30m."),
        ("two", "2 has no unit: write 2m for minutes, 2h for hours or 2d for days."),
        (
            "thirteen days",
            "\"thirteen days\" is not a length of time: write for example 90m, 1h30m, 2d or PT1H."
        ),
        ("soon", "\"soon\" is not a length of time: write for example 90m, 1h30m, 2d or PT1H."),
        (
            "1h soon",
            "\"1h soon\" is not a length of time: write for example 90m, 1h30m, 2d or PT1H."
        ),
        ("1h and", "\"1h and\" is not a length of time: write for example 90m, 1h30m, 2d or PT1H."),
        ("-1h", "\"-1h\" is negative: write the length without the minus sign."),
        ("-PT15M", "\"-PT15M\" is negative: write the length without the minus sign."),
        ("1h1h", "\"1h1h\" has the same unit twice: write each unit once, as in 1h30m."),
        ("1 month", "A month has no fixed length: write weeks or days, as in 4w or 30d."),
        ("P1M", "A month has no fixed length: write weeks or days, as in 4w or 30d."),
        ("2y", "A year has no fixed length: write weeks or days, as in 4w or 30d."),
        ("P1Y", "A year has no fixed length: write weeks or days, as in 4w or 30d."),
        ("1.5d", "A part of a day has no fixed length: write hours, as in 1d12h."),
        (
            "half a day",
            "\"half a day\" is not a length of time: write for example 90m, 1h30m, 2d or PT1H."
        ),
        (
            "1.333h",
            "\"1.333h\" is not a whole number of seconds: write for example 4m30s."
        ),
        (
            "1.3333h",
            "\"1.3333h\" is not a whole number of seconds: write for example 4m30s."
        ),
        ("36526d", "\"36526d\" is longer than 100 years: write a shorter time."),
        ("876601h", "\"876601h\" is longer than 100 years: write a shorter time."),
        (
            "99999999999999999999s",
            "\"99999999999999999999s\" is longer than 100 years: write a shorter time."
        ),
    ]) func `An invalid length of time is refused`(text: String, sentence: String) {
        #expect(refusal { try TimeSpan.parse(text) } == sentence)
    }

    @Test(arguments: [
        "P", "PT", "P1", "P1DT", "PT1H1D", "P1H", "PT1D", "P1D2W", "PTT1H", "P1D ", "PT1H30",
    ])
    func `A damaged ISO 8601 length is refused`(text: String) {
        #expect(
            refusal { try TimeSpan.parse(text) }
                == "\"\(text)\" is not a length of time: write for example 90m, 1h30m, 2d or PT1H.")
    }

    @Test func `A length of time is parsed from its own text`() throws {
        var chance = SeededChance(seed: 36_525)
        for _ in 0..<5000 {
            let span = TimeSpan(
                days: Bool.random(using: &chance) ? 0 : .random(in: 0...36_525, using: &chance),
                seconds: Bool.random(using: &chance)
                    ? 0 : .random(in: 0...4_000_000, using: &chance))
            #expect(try TimeSpan.parse(span.iso) == span)
        }
    }

    @Test func `A length of time is clamped to its range`() {
        #expect(TimeSpan(days: -1, seconds: -1) == .zero)
        #expect(TimeSpan(days: .max, seconds: .max).days == TimeSpan.daysMax)
        #expect(TimeSpan(days: .max, seconds: .max).seconds == TimeSpan.secondsMax)
    }

    @Test func `A length of time is encoded as its text`() throws {
        let span = TimeSpan(days: 1, seconds: 3600)
        let data = try JSONEncoder().encode([span])
        #expect(String(decoding: data, as: UTF8.self) == "[\"P1DT1H\"]")
        #expect(try JSONDecoder().decode([TimeSpan].self, from: data) == [span])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([TimeSpan].self, from: Data("[\"soon\"]".utf8))
        }
    }

    /// New York sets its clocks forward at 02:00 on 8 March 2026 and back on 1 November.
    @Test(arguments: [
        ("1d", "2026-03-08T18:00", "2026-03-07T23:00Z", "2026-03-09T22:00Z"),
        ("24h", "2026-03-08T18:00", "2026-03-07T22:00Z", "2026-03-09T22:00Z"),
        ("1d1h", "2026-03-08T18:00", "2026-03-07T22:00Z", "2026-03-09T23:00Z"),
        // The time one day before is in the gap, and so is the time one day after.
        ("1d", "2026-03-09T02:30", "2026-03-08T07:30Z", "2026-03-10T06:30Z"),
        ("1w", "2026-10-25T01:30", "2026-10-18T05:30Z", "2026-11-01T05:30Z"),
        ("0s", "2026-03-08T18:00", "2026-03-08T22:00Z", "2026-03-08T22:00Z"),
    ]) func `Days count on the wall clock, hours exactly`(
        text: String, start: String, before: String, after: String
    ) throws {
        let zone = try #require(Zone(posix: "EST5EDT,M3.2.0,M11.1.0"))
        let span = try TimeSpan.parse(text)
        #expect(span.before(try wall(start), in: zone) == (try moment(before)))
        #expect(span.after(try wall(start), in: zone) == (try moment(after)))
        let instant = zone.moment(of: try wall(start))
        #expect(span.after(instant, in: zone) == (try moment(after)))
    }

    @Test func `A span after the second of two equal wall-clock times starts from the second`()
        throws
    {
        let zone = try #require(Zone(posix: "EST5EDT,M3.2.0,M11.1.0"))
        let second = try moment("2026-11-01T06:30:00.250Z")
        #expect(
            TimeSpan(days: 0, seconds: 3600).after(second, in: zone)
                == (try moment("2026-11-01T07:30:00.250Z")))
        #expect(
            TimeSpan(days: 1, seconds: 0).after(second, in: zone)
                == (try moment("2026-11-02T06:30:00.250Z")))
    }
}
