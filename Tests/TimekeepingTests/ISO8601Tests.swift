import Testing
import Timekeeping

struct ISO8601Tests {
    @Test(arguments: [
        ("2026-12-01T18:00:00+02:00", "2026-12-01T16:00:00.000Z", 7200),
        ("2026-12-01T18:00+0200", "2026-12-01T16:00:00.000Z", 7200),
        ("2026-12-01T18:00+02", "2026-12-01T16:00:00.000Z", 7200),
        ("2026-12-01t16:00:00z", "2026-12-01T16:00:00.000Z", 0),
        ("2026-12-01 16:00:00Z", "2026-12-01T16:00:00.000Z", 0),
        ("2026-12-01 18:00:00 +0200", "2026-12-01T16:00:00.000Z", 7200),
        ("20261201T160000Z", "2026-12-01T16:00:00.000Z", 0),
        ("20261201T1600-0330", "2026-12-01T19:30:00.000Z", -12_600),
        ("2026-12-01T16:00:00.5Z", "2026-12-01T16:00:00.500Z", 0),
        ("2026-12-01T16:00:00,123456789Z", "2026-12-01T16:00:00.123Z", 0),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z", 0),
        ("2026-12-01T16:00:00-00:00", "2026-12-01T16:00:00.000Z", 0),
        ("2026-12-01T23:59:00+23:59", "2026-12-01T00:00:00.000Z", 86_340),
    ]) func `A time with an offset is an instant`(
        text: String, universal: String, offset: Int
    ) throws {
        let value = try ISO8601.parse(text)
        #expect(value == .instant(try moment(universal), offsetSeconds: offset))
    }

    @Test(arguments: [
        ("2026-12-01T18:00", "2026-12-01T18:00:00"), ("2026-12-01 18:00:30", "2026-12-01T18:00:30"),
        ("20261201T180030", "2026-12-01T18:00:30"),
        ("2026-12-01T18:00:30.999", "2026-12-01T18:00:30"),
        ("0001-01-01T00:00", "0001-01-01T00:00:00"),
        ("9999-12-31T23:59:59", "9999-12-31T23:59:59"),
    ]) func `A time without an offset is a wall-clock time`(text: String, expected: String) throws {
        guard case .wall(let wall) = try ISO8601.parse(text) else {
            Issue.record("\(text) is not a wall-clock time")
            return
        }
        #expect(wall.description == expected)
    }

    @Test(arguments: ["2026-12-01", "20261201"])
    func `A date without a time is a date`(text: String) throws {
        #expect(try ISO8601.parse(text) == .date(try CivilDate(year: 2026, month: 12, day: 1)))
    }

    @Test(arguments: [
        "", "x", "2026", "2026-12", "2026-1-1", "2026-12-1", "2026-12-01T", "2026-12-01T18",
        "2026-12-01T1:00", "2026-12-01T18:0", "2026-12-01T18:00:", "2026-12-01T18:00:00.",
        "2026-12-01T18:00+2", "2026-12-01T18:00+02:", "2026-12-01T18:00+02:0", "2026-12-01Z",
        "2026-12-01T18:00ZZ", "2026-12-01  18:00", " 2026-12-01", "2026-12-01 ", "2026-W49-2",
        "2026-335", "2026/12/01", "02026-12-01", "-2026-12-01", "2026-1201", "２０２６-12-01",
        "2026-12-01T18:00:00+02:00[Europe/Helsinki]",
    ]) func `A text in another form is refused`(text: String) {
        let shown = text.count > 40 ? text.prefix(40) + "...\"" : text + "\""
        #expect(
            refusal { try ISO8601.parse(text) }
                == "\"\(shown) is not a date or a time: write 2026-12-01, 2026-12-01T18:00 or "
                + "2026-12-01T18:00:00+02:00.")
    }

    @Test(arguments: [
        ("0000-01-01", "The year 0 is out of range: write 1 to 9999."),
        ("2026-13-01", "There is no month 13: write 1 to 12."),
        ("2026-02-30T18:00", "There is no 30 February 2026: that month has 28 days."),
        ("2026-12-01T24:00", "There is no hour 24: write 00:00 of the next day."),
        ("2026-12-01T18:60", "There is no minute 60: write 0 to 59."),
        (
            "2016-12-31T23:59:60Z",
            "Leap seconds are not supported: write 59 instead of 60."
        ),
        ("2026-12-01T18:00+24:00", "The offset is out of range: write -23:59 to +23:59."),
        ("2026-12-01T18:00+02:60", "The offset is out of range: write -23:59 to +23:59."),
    ]) func `A time that does not exist is refused`(text: String, sentence: String) {
        #expect(refusal { try ISO8601.parse(text) } == sentence)
    }

    @Test func `A hostile text is refused without being shown in full`() {
        #expect(
            refusal { try ISO8601.parse(String(repeating: "1", count: 201)) }
                == "The time is 201 bytes long: write at most 200 bytes.")
        #expect(
            refusal { try ISO8601.parse("\u{1B}[31m\u{202E}\r\n") }
                == "\"?[31m???\" is not a date or a time: write 2026-12-01, 2026-12-01T18:00 or "
                + "2026-12-01T18:00:00+02:00.")
    }

    @Test func `Random texts never cause a trap`() {
        var chance = SeededChance(seed: 8601)
        let signs = Array("0123456789-:+TZtz., PWDHMS/apm")
        var taken = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...26, using: &chance)
            let text = String((0..<length).map { _ in signs.randomElement(using: &chance) ?? "0" })
            if (try? ISO8601.parse(text)) != nil { taken += 1 }
            if (try? TimeSpan.parse(text)) != nil { taken += 1 }
        }
        #expect(taken > 0)
    }
}
