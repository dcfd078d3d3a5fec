import Foundation
public import Planning
public import Timekeeping

/// The occurrences of something that recurs.
public struct RecurrenceAnswer: Encodable, Sendable {
    /// The wall-clock times in the zone, in the form of calendar objects.
    public let occurrences: [String]
    /// The same moments in UTC; `null` for floating times.
    @Null public var utc: [String]?
    /// The rule in words; empty without one.
    public let explanation: String
}

/// A question about the occurrences of something that recurs.
public struct RecurrenceQuestion: Sendable {
    /// The first start: `19970902T090000`, or `19970902` for whole days.
    public var start = ""
    /// The name of a time zone, `UTC`, or `floating` for the reader's own time zone.
    public var zone = RecurrenceQuestion.floating
    /// The recurrence rule; `nil` for none.
    public var rule: String?
    /// The times that are added.
    public var additions: [String] = []
    /// The times that are left out.
    public var exceptions: [String] = []
    /// The maximum number of occurrences to return: from 1 to ``countMax``.
    public var count = RecurrenceQuestion.countDefault

    /// The name that stands for no fixed time zone.
    public static let floating = "floating"
    /// The number of occurrences to return by default.
    public static let countDefault = 20
    /// The maximum number of occurrences in one answer.
    public static let countMax = 10_000

    /// Creates an empty question.
    public init() {}
}

/// Computes the occurrences of something that recurs.
public struct RecurrenceCalculator: Sendable {
    private let zones: ZoneDirectory

    /// Creates a calculator with the zone rules of the system.
    public init(zones: ZoneDirectory) {
        self.zones = zones
    }

    /// The first occurrences.
    ///
    /// - Throws: ``Refusal`` with `bad_rule`, which names the invalid part of the rule, `bad_time`,
    ///   `unknown_zone` or `bad_count`.
    public func answer(_ question: RecurrenceQuestion) throws(Refusal) -> RecurrenceAnswer {
        guard (1...RecurrenceQuestion.countMax).contains(question.count) else {
            throw Refusal(
                .invalid, code: "bad_count",
                "count must be from 1 to \(RecurrenceQuestion.countMax), not \(question.count).")
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
        for text in question.additions {
            recurrence.additions.append(try addition(text, besides: start))
        }
        for text in question.exceptions { recurrence.exceptions.append(try stamp(text)) }
        return recurrence
    }

    /// Parses an added time. A day beside a start with a time means that time of day.
    private func addition(
        _ text: String, besides start: CalendarStamp
    ) throws(Refusal) -> CalendarStamp {
        let added = try stamp(text)
        guard case .day(let day) = added else { return added }
        switch start {
        case .day: return added
        case .wall(let wall): return .wall(WallTime(date: day, time: wall.time))
        case .utc(let moment):
            let time = WallTime(secondsSince1970: moment.seconds).time
            return .utc(Zone.utc.moment(of: WallTime(date: day, time: time)))
        }
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

    /// Parses a time; for a period, its start.
    private func stamp(_ text: String) throws(Refusal) -> CalendarStamp {
        let start = text.split(separator: "/", maxSplits: 1).first ?? ""
        guard let stamp = CalendarStamp(start) else {
            throw Refusal(
                .invalid, code: "bad_time",
                "\"\(text)\" is not a time such as 19970902T090000, 19970902T130000Z or 19970902.")
        }
        return stamp
    }
}

/// The answer to one question of a batch, in which each question is a line of JSON.
public struct RecurrenceBatchAnswer: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case id, occurrences, utc, error
    }

    /// The id of the question, unchanged; `nil` if it cannot be read.
    let id: QuestionID?
    let outcome: Result<RecurrenceAnswer, Refusal>

    /// Encodes the occurrences, or the error.
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
    /// The id of a line, which is read even if the rest of the line is invalid.
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
            // The start of a whole day may be written with a time, which is dropped.
            question.start = value == "DATE" ? String(dtstart.prefix(8)) : dtstart
            question.zone = tzid ?? RecurrenceQuestion.floating
            question.rule = rrule
            question.additions = rdate ?? []
            question.exceptions = exdate ?? []
            question.count = count ?? countDefault
            return question
        }
    }

    /// Answers a question in the form of a JSON object,
    /// `{"id","dtstart","tzid","value","rrule","exdate","rdate","count"}`. Without `tzid` it is in
    /// the reader's own time zone.
    ///
    /// - Parameters:
    ///   - text: the question.
    ///   - count: the number of occurrences to return if the question does not state it.
    /// - Returns: the occurrences, or the error.
    public func answer(
        toLine text: String, count: Int = RecurrenceQuestion.countDefault
    ) -> RecurrenceBatchAnswer {
        let json = Data(text.utf8)
        let id = (try? JSONDecoder().decode(Label.self, from: json))?.id
        guard let line = try? JSONDecoder().decode(Line.self, from: json) else {
            let example = "{\"id\":\"1\",\"dtstart\":\"19970902T090000\",\"rrule\":\"FREQ=DAILY\"}"
            let refusal = Refusal(
                .invalid, code: "bad_question", "The line is not a question such as \(example).")
            return RecurrenceBatchAnswer(id: id, outcome: .failure(refusal))
        }
        return RecurrenceBatchAnswer(
            id: id,
            outcome: Result { () throws(Refusal) in try answer(line.question(countDefault: count)) }
        )
    }
}

/// The id of a question: a text or an integer.
enum QuestionID: Codable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
            try (try? value.decode(Int.self)).map(Self.number) ?? .text(value.decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        }
    }
}
