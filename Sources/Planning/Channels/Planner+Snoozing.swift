public import Agenda
public import Ledger
import Storage
public import Timekeeping
import Wording

/// The time of a snoozed reminder.
public enum SnoozeTime: Sendable {
    /// A time span from now.
    case after(TimeSpan)
    /// A moment.
    case until(Moment)
}

extension Planner {
    /// Snoozes the reminder of a meeting: the person gets another one at this time. It replaces an
    /// earlier snoozed reminder that was not sent yet.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - time: the time of the reminder.
    ///   - person: the person. Only the organizer may name somebody else than the actor.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the meeting, and the changes in the ledger.
    /// - Throws: ``Refusal`` with `not_expected`, or ``RuleViolation`` with `snooze_too_late` or
    ///   `snooze_in_past`.
    public func snooze(
        _ id: MeetingID, _ time: SnoozeTime, of person: Person, saving: Bool
    ) async throws -> MeetingOutcome {
        let now = self.now
        let due =
            switch time {
            case .after(let span): span.after(now, in: zone)
            case .until(let moment): moment
            }
        let revision = try await store.reviseMeeting(id, saving: saving) { bundle in
            try drafting.checkIsAhead(bundle.meeting, verb: "snoozed")
            if person.id != actor.id { try drafting.checkMayChange(bundle.meeting) }
            let next = try next(of: bundle)
            try Self.checkIsExpected(person, in: next)
            let snooze = try Snooze(until: due, of: next.meeting.time.startsAt, now: now)
            var draft = MeetingDraft(bundle)
            draft.snoozes[person.id] = snooze
            var revision = try drafting.decided(draft, deed: nil, reason: "snoozed again", now: now)
            revision.snoozes = [person.id: snooze]
            return revision
        }
        guard let revision else { throw Refusal.unknownMeeting(id.text) }
        var outcome = try outcome(revision)
        outcome.snoozed = Timestamp(due, reader: zone)
        return outcome
    }

    /// The next date of a recurring meeting; the meeting itself if it does not repeat.
    private func next(of bundle: MeetingBundle) throws -> MeetingBundle {
        let own = try zone(named: bundle.meeting.time.zone)
        return bundle.meeting.nextDate(after: now, in: own).map { bundle.on($0, in: own) } ?? bundle
    }

    private static func checkIsExpected(
        _ person: Person, in bundle: MeetingBundle
    ) throws(Refusal) {
        let participant = bundle.participants.first { $0.person == person.id && !$0.isRemoved }
        guard let participant else {
            throw Refusal(
                .refused, code: "not_a_participant",
                "\(person.name) is not invited to \(bundle.meeting.title).",
                advice: [.meetings(.show(bundle.meeting.id.text))])
        }
        guard participant.answer.isReminded else {
            throw Refusal(
                .refused, code: "not_expected",
                "\(person.name) gets no reminders of \(bundle.meeting.title), because their answer "
                    + "is \"\(AnswerWords.word(participant.answer))\".")
        }
    }
}
