import Foundation
public import Planning
public import Timekeeping

/// The next times of a cron line.
public struct CronAnswer: Encodable, Sendable {
    /// The times in the requested zone, earliest first.
    public let next: [Timestamp]
    /// The schedule of the line, in words.
    public let explanation: String
}

extension Planner {
    /// The maximum number of times in one answer.
    public static let cronCountMax = 10_000

    /// The next times of a cron line.
    ///
    /// - Parameters:
    ///   - line: the five fields, or a word such as `@daily`, in the actor's time zone.
    ///   - moment: the times are after this moment; `nil` for the current time.
    ///   - count: the number of times.
    /// - Returns: the times, and the schedule of the line in words.
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
            throw Refusal(
                .invalid, code: code, "The cron line \"\(line)\" cannot be used: \(error).")
        }
    }
}

/// The answer to one question of a batch, in which each question is a line of JSON.
public struct CronBatchAnswer: Encodable, Sendable {
    /// The id of the question, unchanged; `null` if it cannot be read.
    @Null var id: QuestionID?
    /// The times; absent if there is an error.
    public let next: [Timestamp]?
    /// The error; absent if the question was answered.
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

    /// Answers a question in the form of a JSON object, `{"id","expr","tz","after","count"}`.
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
                "The line is not a question such as {\"id\":\"1\",\"expr\":\"5 2 * * *\"}.")
        }
    }
}
