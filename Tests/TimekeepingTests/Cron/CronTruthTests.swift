import TestKit
import Testing
import Timekeeping

/// Comparison with the answers of independent programs, if they exist beside the checkout.
@Suite(.enabled(if: Truth.isThere, "shared/truth is not beside this checkout"))
struct CronTruthTests {
    @Test func `Every line runs when Debian's cron and similar programs say`() throws {
        let cases = try Truth.lines("cron_open", as: CronTruth.Answer.self)
        #expect(cases.count > 500)
        for answer in cases {
            let zone = try SystemZones.directory.zone(answer.tz)
            let expression = try CronExpression(answer.expr)
            var last = try moment(answer.after)
            for text in answer.next {
                // Rules may have changed since the answers were made.
                guard try wall(String(text.prefix(19))) == zone.wallTime(at: moment(text)) else {
                    break
                }
                let next = try #require(expression.next(after: last, in: zone))
                #expect(next == (try moment(text)), "\(answer.id) \(answer.expr) \(answer.tz)")
                last = next
            }
        }
    }

    @Test func `Every invalid line is refused`() throws {
        let cases = try Truth.lines("cron_invalid_open", as: CronTruth.Invalid.self)
        #expect(cases.count > 20)
        for line in cases {
            #expect(throws: CronFault.self, "\(line.expr)") { try CronExpression(line.expr) }
        }
    }
}

enum CronTruth {
    struct Answer: Decodable {
        let id: String
        let expr: String
        let tz: String
        let after: String
        let next: [String]
    }

    struct Invalid: Decodable {
        let expr: String
    }
}
