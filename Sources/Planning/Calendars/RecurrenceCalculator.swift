import Foundation
public import Timekeeping

/// When something recurs.
public struct RecurrenceAnswer: Encodable, Sendable {
    /// What a clock in the zone shows, as calendar objects write it.
    public let occurrences: [String]
    /// The same moments in UTC; `null` where they depend on whose clocks are asked.
    @Null public var utc: [String]?
    /// The rule in words; empty without one.
    public let explanation: String
}

/// Something that recurs, as somebody asks about it.
public struct RecurrenceQuestion: Sendable {
    /// The first start: `19970902T090000`, or `19970902` for whole days.
    public var start = ""
    /// A zone's name, `UTC`, or `floating` for the clocks of whoever reads it.
    public var zone = RecurrenceQuestion.floating
    /// The rule; `nil` where there is none.
    public var rule: String?
    /// What is added.
    public var additions: [String] = []
    /// What is left out.
    public var exceptions: [String] = []
    /// How many are asked for, at most: from 1 to ``countMax``.
    public var count = RecurrenceQuestion.countDefault

    /// By nobody's clocks.
    public static let floating = "floating"
    /// So many occurrences are told where nobody says how many.
    public static let countDefault = 20
    /// The most occurrences that are told at once.
    public static let countMax = 10_000

    /// Asks nothing yet.
    public init() {}
}

/// Says when something recurs.
public struct RecurrenceCalculator: Sendable {
    private let zones: ZoneDirectory

    /// Reads the rules of zones from there.
    public init(zones: ZoneDirectory) {
        self.zones = zones
    }

    /// The first occurrences.
    ///
    /// - Throws: ``Refusal`` with `bad_rule`, which names the part, `bad_time`, `unknown_zone` or
    ///   `bad_count`.
    public func answer(_ question: RecurrenceQuestion) throws(Refusal) -> RecurrenceAnswer {
        guard (1...RecurrenceQuestion.countMax).contains(question.count) else {
            throw Refusal(
                .invalid, code: "bad_count",
                "count is from 1 to \(RecurrenceQuestion.countMax), not \(question.count).")
        }
        let recurrence = try recurrence(question)
        let found = Array(recurrence.prefix(question.count))
        let isOfDays = recurrence.isOfWholeDays
        return RecurrenceAnswer(
            occurrences: found.map {
                (isOfDays ? CalendarStamp.day($0.wall.date) : .wall($0.wall)).description
            },
            utc: recurrence.zone == nil
                ? nil
                : found.compactMap { $0.moment.map { CalendarStamp.utc($0).description } },
            explanation: recurrence.rule?.words ?? "")
    }

    private func recurrence(_ question: RecurrenceQuestion) throws(Refusal) -> Recurrence {
        let (start, zone) = (try stamp(question.start), try zone(question.zone))
        var recurrence: Recurrence
        do throws(RecurrenceFault) {
            recurrence = try Recurrence(
                start: start, in: zone,
                rule: try question.rule.map { text throws(RecurrenceFault) in
                    try RecurrenceRule(text)
                })
        } catch {
            throw Refusal(.invalid, code: "bad_rule", "The rule cannot be used: \(error).")
        }
        for text in question.additions { recurrence.additions.append(try stamp(text)) }
        for text in question.exceptions { recurrence.exceptions.append(try stamp(text)) }
        return recurrence
    }

    private func zone(_ name: String) throws(Refusal) -> Zone? {
        guard name != RecurrenceQuestion.floating else { return nil }
        guard name != "UTC", name != "Z" else { return .utc }
        do throws(ZoneError) {
            return try zones.zone(name)
        } catch {
            throw Refusal(.invalid, code: "unknown_zone", error.description)
        }
    }

    /// Of a period, its start.
    private func stamp(_ text: String) throws(Refusal) -> CalendarStamp {
        let start = text.split(separator: "/", maxSplits: 1).first ?? ""
        guard let stamp = CalendarStamp(start) else {
            throw Refusal(
                .invalid, code: "bad_time",
                "\(text) is no time such as 19970902T090000, 19970902T130000Z or 19970902.")
        }
        return stamp
    }
}

/// The answer to one of many questions, each a line of JSON.
public struct RecurrenceBatchAnswer: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case id, occurrences, utc, error
    }

    /// What the question calls itself, as it came; `nil` where it cannot be read.
    let id: QuestionID?
    let outcome: Result<RecurrenceAnswer, Refusal>

    /// The times, or why there are none.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        switch outcome {
        case .success(let answer):
            try fields.encode(answer.occurrences, forKey: .occurrences)
            try fields.encode(answer.utc, forKey: .utc)
        case .failure(let refusal): try fields.encode(refusal.answer.error, forKey: .error)
        }
    }
}

extension RecurrenceCalculator {
    /// What a line is called, whatever else is wrong with it.
    private struct Label: Decodable {
        let id: QuestionID?
    }

    private struct Line: Decodable {
        let id: QuestionID?
        let dtstart: String
        let tzid: String?
        let value: String?
        let rrule: String?
        let exdate: [String]?
        let rdate: [String]?
        let count: Int?

        func question(countDefault: Int) -> RecurrenceQuestion {
            var question = RecurrenceQuestion()
            // What stands for a whole day may be written with a time.
            question.start = value == "DATE" ? String(dtstart.prefix(8)) : dtstart
            question.zone = tzid ?? RecurrenceQuestion.floating
            question.rule = rrule
            question.additions = rdate ?? []
            question.exceptions = exdate ?? []
            question.count = count ?? countDefault
            return question
        }
    }

    /// Answers a question written as a JSON object,
    /// `{"id","dtstart","tzid","value","rrule","exdate","rdate","count"}`; without a zone it is one
    /// of the clocks of whoever reads it.
    ///
    /// - Parameters:
    ///   - text: the question.
    ///   - count: how many are told where the question does not say.
    /// - Returns: the times, or why there are none.
    public func answer(
        toLine text: String, count: Int = RecurrenceQuestion.countDefault
    ) -> RecurrenceBatchAnswer {
        let json = Data(text.utf8)
        let id = (try? JSONDecoder().decode(Label.self, from: json))?.id
        guard let line = try? JSONDecoder().decode(Line.self, from: json) else {
            let example = "{\"id\":\"1\",\"dtstart\":\"19970902T090000\",\"rrule\":\"FREQ=DAILY\"}"
            let refusal = Refusal(
                .invalid, code: "bad_question", "This is no question such as \(example).")
            return RecurrenceBatchAnswer(id: id, outcome: .failure(refusal))
        }
        return RecurrenceBatchAnswer(
            id: id,
            outcome: Result { () throws(Refusal) in try answer(line.question(countDefault: count)) }
        )
    }
}
