import Foundation
import Testing
import Timekeeping

struct WallTimeTests {
    @Test func `A wall-clock time is written and parsed`() throws {
        let start = try wall("2026-12-01 18:00")
        #expect(start.description == "2026-12-01T18:00:00")
        #expect(start.time.description == "18:00:00")
        #expect(start.time.shortText == "18:00")
        #expect(try wall("2026-12-01T18:00:07").time.shortText == "18:00:07")
        #expect(try wall("2026-12-01T09:05:07").time.secondsSinceMidnight == 32_707)
        #expect(try wall(start.description) == start)
    }

    @Test func `A wall-clock time is encoded as its text`() throws {
        let start = try wall("2026-12-01T18:00")
        let data = try JSONEncoder().encode([start])
        #expect(String(decoding: data, as: UTF8.self) == "[\"2026-12-01T18:00:00\"]")
        #expect(try JSONDecoder().decode([WallTime].self, from: data) == [start])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([WallTime].self, from: Data("[\"2026-12-01\"]".utf8))
        }
    }

    @Test(arguments: ["2026-12-01", "2026-12-01T18:00Z"])
    func `A text with less or more than a wall-clock time is refused`(text: String) {
        #expect(
            refusal { try WallTime.parse(text) }
                == "\"\(text)\" is not a date and time without an offset: "
                + "write 2026-12-01T18:00.")
    }

    @Test(arguments: [
        ("2026-12-01T18:00", 3600, "2026-12-01T19:00:00"),
        ("2026-12-01T23:59:59", 1, "2026-12-02T00:00:00"),
        ("2026-03-01T00:00", -1, "2026-02-28T23:59:59"),
        ("9999-12-31T23:00", .max, "9999-12-31T23:59:59"),
        ("0001-01-01T01:00", .min, "0001-01-01T00:00:00"),
    ]) func `Seconds are added by the calendar`(
        text: String, seconds: Int, expected: String
    ) throws {
        #expect(try wall(text).adding(seconds: seconds).description == expected)
    }

    @Test func `Adding days keeps the time of day`() throws {
        #expect(
            try wall("2026-12-31T18:30").adding(days: 1).description == "2027-01-01T18:30:00")
    }

    @Test func `Wall-clock times and their seconds convert to each other`() {
        var chance = SeededChance(seed: 86_400)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &chance)
            #expect(WallTime(secondsSince1970: seconds).secondsSince1970 == seconds)
        }
    }

    @Test func `Wall-clock times are ordered by day, then by time`() throws {
        let texts = [
            "2026-11-30T23:00", "2026-12-01T00:00", "2026-12-01T18:00", "2027-01-01T00:00",
        ]
        #expect(try texts.reversed().map(wall).sorted() == texts.map(wall))
    }

    @Test(arguments: [
        (24, 0, 0, "There is no hour 24: write 00:00 of the next day."),
        (25, 0, 0, "There is no hour 25: write 0 to 23."),
        (-1, 0, 0, "There is no hour -1: write 0 to 23."),
        (18, 60, 0, "There is no minute 60: write 0 to 59."),
        (18, 0, 61, "There is no second 61: write 0 to 59."),
        (
            23, 59, 60,
            "Leap seconds are not supported: write 59 instead of 60."
        ),
    ]) func `A time of day that does not exist is refused`(
        hour: Int, minute: Int, second: Int, sentence: String
    ) {
        do throws(CivilError) {
            let time = try CivilTime(hour: hour, minute: minute, second: second)
            Issue.record("\(time)")
        } catch {
            #expect(error.description == sentence)
        }
    }

    @Test func `A time of day is created from its seconds`() {
        #expect(CivilTime(secondsSinceMidnight: 86_399)?.description == "23:59:59")
        #expect(CivilTime(secondsSinceMidnight: 86_400) == nil)
        #expect(CivilTime(secondsSinceMidnight: -1) == nil)
        #expect(CivilTime.midnight < .noon)
    }
}
