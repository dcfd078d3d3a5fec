import Foundation
import Testing
import Timekeeping

struct MomentTests {
    @Test func `Seconds are rounded down, even before 1970`() {
        #expect(Moment(milliseconds: 1999).seconds == 1)
        #expect(Moment(milliseconds: -1).seconds == -1)
        #expect(Moment(milliseconds: -1000).seconds == -1)
        #expect(Moment(seconds: -1) == Moment(milliseconds: -1000))
    }

    @Test func `Arithmetic stops at the ends of the range`() {
        let latest = Moment(milliseconds: .max)
        let earliest = Moment(milliseconds: .min)
        #expect(Moment(seconds: .max) == latest)
        #expect(Moment(seconds: .min) == earliest)
        #expect(latest.advanced(byMilliseconds: 1) == latest)
        #expect(earliest.advanced(bySeconds: -1) == earliest)
        #expect(Moment(seconds: 0).advanced(bySeconds: .min) == earliest)
        #expect(latest.milliseconds(since: earliest) == .max)
        #expect(earliest.milliseconds(since: latest) == .min)
        #expect(Moment(seconds: 90).milliseconds(since: Moment(seconds: 30)) == 60_000)
    }

    @Test func `A moment is encoded as its number of milliseconds`() throws {
        let moment = Moment(milliseconds: 1_796_140_800_123)
        let data = try JSONEncoder().encode([moment])
        #expect(String(decoding: data, as: UTF8.self) == "[1796140800123]")
        #expect(try JSONDecoder().decode([Moment].self, from: data) == [moment])
    }

    @Test(arguments: [
        (1_796_140_800_000, 7200, "2026-12-01T18:00:00+02:00", "2026-12-01T16:00:00.000Z"),
        (1_796_140_800_005, 0, "2026-12-01T16:00:00.005+00:00", "2026-12-01T16:00:00.005Z"),
        (-1, -12_600, "1969-12-31T20:29:59.999-03:30", "1969-12-31T23:59:59.999Z"),
        // The offset of Helsinki in 1920 has 49 seconds, which RFC 3339 cannot write.
        (0, 5989, "1970-01-01T01:39:00+01:39", "1970-01-01T00:00:00.000Z"),
        (0, -5989, "1969-12-31T22:21:00-01:39", "1970-01-01T00:00:00.000Z"),
        (0, .max, "1970-01-01T23:59:00+23:59", "1970-01-01T00:00:00.000Z"),
        (.max, .min, "9999-12-31T23:59:59.807-23:59", "9999-12-31T23:59:59.807Z"),
        (.min, 0, "0001-01-01T00:00:00.192+00:00", "0001-01-01T00:00:00.192Z"),
    ]) func `A moment is written in the form of RFC 3339`(
        milliseconds: Int64, offset: Int, expected: String, universal: String
    ) {
        let moment = Moment(milliseconds: milliseconds)
        #expect(moment.rfc3339(offsetSeconds: offset) == expected)
        #expect(moment.utcText == universal)
        #expect(moment.description == universal)
    }

    @Test func `A written moment is parsed as the same moment`() throws {
        var chance = SeededChance(seed: 3339)
        for _ in 0..<5000 {
            let moment = Moment(
                milliseconds: .random(in: -60_000_000_000_000...250_000_000_000_000, using: &chance)
            )
            let offset = Int.random(in: -100_000...100_000, using: &chance)
            #expect(try Moment.parse(moment.rfc3339(offsetSeconds: offset)) == moment)
            #expect(try Moment.parse(moment.utcText) == moment)
        }
    }

    @Test func `A text without an offset is refused as a moment`() {
        #expect(
            refusal { try Moment.parse("2026-12-01T18:00") }
                == "\"2026-12-01T18:00\" has no offset from UTC: write "
                + "2026-12-01T18:00:00+02:00 or 2026-12-01T16:00:00Z.")
    }
}
