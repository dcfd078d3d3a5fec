import Calendars
import Foundation
import Planning
import Testing
import Timekeeping

/// Tests of recurrence questions in lines of JSON, and of their answers.
@Suite struct RecurrenceCalculatorTests {
    private struct Answer: Decodable {
        struct Fault: Decodable {
            let code: String
            let message: String
        }

        let occurrences: [String]?
        let error: Fault?
    }

    private let calculator = RecurrenceCalculator(zones: ZoneDirectory())

    private func json(_ line: String) throws -> String {
        String(decoding: try JSONEncoder().encode(calculator.answer(toLine: line)), as: UTF8.self)
    }

    private func answer(_ line: String) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(try json(line).utf8))
    }

    /// An invalid line, and the id that its answer repeats.
    @Test(arguments: [
        (#"{"id":"a","dtstart":5}"#, #""id":"a""#), (#"{"id":7,"dtstart":5}"#, #""id":7"#),
        (#"{"id":"a"}"#, #""id":"a""#), (#"{"id":7,"dtstart":"20261201","count":"2"}"#, #""id":7"#),
        (#"{"id":"a","dtstart":"20261201","exdate":"20261202"}"#, #""id":"a""#),
        (#"{"id":true,"dtstart":"20261201"}"#, #""id":null"#),
        (#"{"dtstart":5}"#, #""id":null"#), ("5", #""id":null"#), ("{", #""id":null"#),
    ])
    func `An invalid line is answered with its id`(_ line: String, _ id: String) throws {
        #expect(try json(line).contains(id))
        #expect(try answer(line).error?.code == "bad_question")
    }

    @Test(arguments: [0, -1, 10_001, 1_000_000_000_000])
    func `A count that is out of range is refused`(_ count: Int) throws {
        let line = #"{"dtstart":"20261201","rrule":"FREQ=DAILY","count":\#(count)}"#
        let fault = try #require(try answer(line).error)
        #expect(fault.code == "bad_count")
        #expect(fault.message.contains("count must be from 1 to 10000, not \(count)"))
    }

    @Test(arguments: [
        ("20261201T100000", "20261210T100000"), ("20261201T090000Z", "20261210T090000"),
        ("20261201", "20261210"),
    ])
    func `An added day is at the time of day of the start`(
        _ start: String, _ added: String
    ) throws {
        let zone = start.hasSuffix("Z") ? "UTC" : "Europe/Berlin"
        let line = #"{"dtstart":"\#(start)","tzid":"\#(zone)","rdate":["20261210"]}"#
        #expect(try answer(line).occurrences?.last == added)
    }

    @Test func `An answer has as many occurrences as requested`() throws {
        let rule = #""dtstart":"20261201","rrule":"FREQ=DAILY""#
        #expect(try answer("{\(rule)}").occurrences?.count == 20)
        #expect(try answer(#"{\#(rule),"count":1}"#).occurrences == ["20261201"])
        #expect(try answer(#"{\#(rule),"count":10000}"#).occurrences?.count == 10_000)
    }
}
