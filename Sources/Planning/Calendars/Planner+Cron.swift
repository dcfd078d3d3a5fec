import Foundation
public import Timekeeping

/// When a cron line comes next.
public struct CronAnswer: Encodable, Sendable {
    /// The moments in the zone that was asked for, the next first.
    public let next: [Timestamp]
    /// When the line comes, in words.
    public let explanation: String
}

extension Planner {
    /// The most moments that are told at once.
    public static let cronCountMax = 10_000

    /// When a cron line comes next.
    ///
    /// - Parameters:
    ///   - line: the five fields, or a word such as `@daily`, by the clocks of the actor's zone.
    ///   - moment: the one after which is looked; `nil` for the clock's.
    ///   - count: how many moments.
    /// - Returns: the moments, and the line in words.
    /// - Throws: ``Refusal`` with `bad_cron_line`, which names the field, or `never_fires`.
    public func cronTimes(
        _ line: String, after moment: Moment? = nil, count: Int
    ) throws(Refusal) -> CronAnswer {
        let expression = try Self.cronExpression(line)
        var next: [Timestamp] = []
        var last = moment ?? now
        while next.count < count, let moment = expression.next(after: last, in: zone) {
            next.append(Timestamp(moment, in: zone, reader: zone))
            last = moment
        }
        return CronAnswer(next: next, explanation: expression.description)
    }

    private static func cronExpression(_ line: String) throws(Refusal) -> CronExpression {
        do throws(CronFault) {
            return try CronExpression(line)
        } catch {
            let code =
                switch error.kind {
                case .malformed: "bad_cron_line"
                case .neverFires: "never_fires"
                }
            throw Refusal(.invalid, code: code, "\(line) cannot be used: \(error).")
        }
    }
}

/// The answer to one of many questions, each a line of JSON.
public struct CronBatchAnswer: Encodable, Sendable {
    /// What the question calls itself, as it came; `null` where it cannot be read.
    @Null var id: QuestionID?
    /// The moments; absent where the question cannot be answered.
    public let next: [Timestamp]?
    /// Why not; absent where it can.
    let error: RefusalAnswer.Body?
}

extension Planner {
    private struct CronQuestion: Decodable {
        let id: QuestionID?
        let expr: String
        let tz: String?
        let after: String?
        let count: Int?
    }

    /// Answers a question written as a JSON object, `{"id","expr","tz","after"}`.
    public func cronTimes(toQuestion text: String) -> CronBatchAnswer {
        var id: QuestionID?
        do {
            let question = try Self.cronQuestion(text)
            id = question.id
            let zone = try question.tz.map { try self.zone(named: $0) } ?? self.zone
            let planner = reading(in: zone)
            let answer = try planner.cronTimes(
                question.expr,
                after: try question.after.map { try planner.moment($0, dayMeans: .start) },
                count: min(max(question.count ?? 5, 0), Self.cronCountMax))
            return CronBatchAnswer(id: id, next: answer.next, error: nil)
        } catch {
            return CronBatchAnswer(id: id, next: nil, error: Refusal(error).answer.error)
        }
    }

    private static func cronQuestion(_ text: String) throws(Refusal) -> CronQuestion {
        do {
            return try JSONDecoder().decode(CronQuestion.self, from: Data(text.utf8))
        } catch {
            throw Refusal(
                .invalid, code: "bad_question",
                "This is no question such as {\"id\":\"1\",\"expr\":\"5 2 * * *\"}.")
        }
    }
}
