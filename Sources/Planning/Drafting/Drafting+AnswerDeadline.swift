import Agenda
import Timekeeping
import Wording

extension Drafting {
    /// The word that removes the time until which people are asked to answer.
    private static let noDeadline = "none"

    /// Reads the time until which people are asked to answer.
    ///
    /// - Parameters:
    ///   - text: the time as the user typed it. A day alone means its end.
    ///   - zone: the time zone of the meeting.
    /// - Returns: the moment; `nil` if there is none.
    /// - Throws: ``Refusal`` with `bad_time` and others.
    private func answerBy(_ text: String?, in zone: Zone) throws -> Moment? {
        guard let text, !text.isEmpty, text.lowercased() != Self.noDeadline else { return nil }
        switch Result(catching: { try TypedTime.parse(text, now: zone.wallTime(at: now)) }) {
        case .success(.date(let day)):
            return zone.moment(of: WallTime(date: day, time: .lastMinute))
        case .failure(let error as TimeTextError) where error.isRange:
            throw Refusal(
                .invalid, code: "bad_time",
                "The time to answer by is one time, not a range of hours.")
        default:
            return zone.moment(of: try wallTime(text, in: zone, now: now))
        }
    }

    /// Gives a meeting another time until which people are asked to answer.
    ///
    /// - Parameters:
    ///   - draft: the meeting, with its new time.
    ///   - text: the time as the user typed it; `nil` to keep it.
    ///   - isDate: true if the draft is one date of a series, which has no such time of its own.
    /// - Throws: ``Refusal``, or ``RuleViolation``.
    func setAnswerBy(_ draft: inout MeetingDraft, to text: String?, isDate: Bool) throws {
        guard let text else { return }
        guard !isDate else {
            throw Refusal.conflictingArguments(
                "A single date has no time to answer by. Set it for all dates.",
                advice: [.leaveOut([.date])])
        }
        draft.meeting = try with(answerBy: text, draft.meeting)
    }

    /// A meeting with a time until which people are asked to answer.
    ///
    /// - Parameters:
    ///   - text: the time as the user typed it; `nil` for none.
    ///   - meeting: the meeting.
    /// - Returns: the meeting with this time.
    /// - Throws: ``Refusal``, or ``RuleViolation``.
    func with(answerBy text: String?, _ meeting: Meeting) throws -> Meeting {
        var meeting = meeting
        meeting.answerBy = try answerBy(text, in: try zone(named: meeting.time.zone))
        guard let deadline = meeting.answerBy else { return meeting }
        try MeetingRules.check(answerBy: deadline, of: meeting, now: now)
        return meeting
    }
}

extension MeetingDraft {
    /// Notes that the time to answer by is no longer before the start, after a move. Nobody is
    /// asked to answer by then, unless the meeting moves back.
    mutating func noteLateAnswerBy() {
        guard meeting.answerBy == before.meeting.answerBy, meeting.presentAnswerBy == nil,
            before.meeting.presentAnswerBy != nil
        else { return }
        remarks.append(
            Remark(
                Phrase("The time to answer by does not count: it is not before the new start.")))
    }
}
