import Foundation
import TestKit
import Testing
import Timekeeping

/// Comparison with the answers of independent programs, if they exist beside the checkout.
@Suite(.enabled(if: Truth.isThere, "shared/truth is not beside this checkout"))
struct RecurrenceTruthTests {
    private struct Answer: Decodable {
        let id: String
        let dtstart: String
        let tzid: String?
        let rrule: String?
        let exdate: [String]
        let rdate: [String]
        let occurrences: [String]
        let utc: [String]?
        let complete: Bool
    }

    @Test func `Every rule has the occurrences that other programs give`() throws {
        let answers = try Truth.lines("rrule_open", as: Answer.self)
        #expect(answers.count > 400)
        for answer in answers {
            let recurrence = try recurrence(answer)
            let found = Array(
                recurrence.prefix(answer.occurrences.count + (answer.complete ? 1 : 0)))
            let isOfDays = recurrence.isOfWholeDays
            let walls = found.map {
                (isOfDays ? CalendarStamp.day($0.wall.date) : .wall($0.wall)).description
            }
            #expect(walls == answer.occurrences, "\(answer)")
            let moments = found.compactMap { $0.moment.map { CalendarStamp.utc($0).description } }
            guard try hasRulesOfToday(answer) else { continue }
            #expect(moments == answer.utc ?? [], "\(answer)")
        }
    }

    /// True if the installed time zone rules are those with which the answer was computed.
    private func hasRulesOfToday(_ answer: Answer) throws -> Bool {
        guard let zone = try answer.tzid.map(SystemZones.directory.zone) else { return true }
        return try zip(answer.occurrences, answer.utc ?? []).allSatisfy { wall, utc in
            guard case .utc(let moment) = try stamp(utc) else { return false }
            return CalendarStamp.wall(zone.wallTime(at: moment)).description == wall
        }
    }

    private func recurrence(_ answer: Answer) throws -> Recurrence {
        var recurrence = try Recurrence(
            start: stamp(answer.dtstart), in: answer.tzid.map(SystemZones.directory.zone),
            rule: answer.rrule.map { try RecurrenceRule($0) })
        recurrence.exceptions = try answer.exdate.map(stamp)
        recurrence.additions = try answer.rdate.map(stamp)
        return recurrence
    }

    private func stamp(_ text: String) throws -> CalendarStamp {
        try #require(CalendarStamp(text))
    }
}
