public import Agenda
public import Ledger
import Storage
import Timekeeping

extension Planner {
    /// Asks people who have not answered once more, each of them at most once in 24 hours.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: a date of a series; `nil` for all dates.
    ///   - people: the people to ask; `nil` for all who have not answered.
    ///   - note: a note to add; may be empty.
    ///   - saving: true to save it; false for a preview.
    ///   - check: looks at the meeting as it is when this is saved; `nil` not to.
    /// - Returns: the meeting, and the planned deliveries.
    /// - Throws: ``Refusal`` with `nobody_silent` or `nudged_today`, or the error of `check`.
    public func nudge(
        _ id: MeetingID, on date: String? = nil, people: [Person]? = nil, note: String,
        saving: Bool, checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        let now = self.now
        return try await say(
            .nudge, in: id, on: date, mark: NotificationMark(plannedAt: now),
            text: note.isEmpty ? nil : note, saving: saving, checking: check
        ) { bundle in
            guard bundle.meeting.status == .confirmed else {
                throw Refusal(
                    .refused, code: "meeting_cancelled",
                    "\(bundle.meeting.title) was cancelled, so nobody was nudged.",
                    advice: [.meetings(.write)])
            }
            let asked = try bundle.silent(among: people).filter {
                !bundle.wasNudged($0, after: now.advanced(bySeconds: -Self.nudgeSecondsMin))
            }
            guard !asked.isEmpty else {
                throw Refusal(
                    .refused, code: "nudged_today",
                    "Everybody without an answer was already nudged in the last 24 hours.")
            }
            return asked.map { .person($0.text) }
        }
    }

    /// The minimum time between two nudges of one person, in seconds.
    private static let nudgeSecondsMin: Int64 = 86_400
}

extension MeetingBundle {
    /// The nudges to these receivers that are planned before a moment because of the time to answer
    /// by.
    func nudgesAhead(for receivers: [Receiver], until moment: Moment) -> [LedgerRow] {
        rows.filter { row in
            let key = row.key.notification
            return key.kind == .nudge && key.mark.answerBy != nil && row.state == .planned
                && row.due < moment && receivers.contains(key.receiver)
        }
    }

    /// The participants who have not answered, or not for the present time, among the named people
    /// or among all.
    ///
    /// - Throws: ``Refusal`` with `nobody_silent`.
    fileprivate func silent(among named: [Person]?) throws(Refusal) -> [PersonID] {
        let silent = participants.filter { !$0.isRemoved && $0.presentAnswer == .invited }
            .map(\.person)
        let asked = silent.filter { id in named?.contains { $0.id == id } ?? true }
        if let other = named?.first(where: { isInDates($0.id) }) {
            throw Drafting.isInDatesOnly(other, of: meeting)
        }
        guard asked.isEmpty else { return asked }
        throw Refusal(
            .refused, code: "nobody_silent", "\(Self.answered(named)). Nobody was nudged.")
    }

    /// True if a person was nudged after this moment, or will be. The mark of a nudge is the time
    /// at which it was planned. One before the answer-by time counts once it may have arrived.
    fileprivate func wasNudged(_ person: PersonID, after moment: Moment) -> Bool {
        rows.contains { row in
            let key = row.key.notification
            guard key.kind == .nudge, key.receiver == .person(person.text),
                row.state.isOpen || row.mayHaveArrived || row.hold?.kind == .list,
                let at = key.mark.plannedAt ?? (row.mayHaveArrived ? row.due : nil)
            else { return false }
            return at > moment
        }
    }

    private static func answered(_ people: [Person]?) -> String {
        guard let people, let last = people.last else { return "Everybody has answered" }
        let others = people.dropLast().map(\.name).joined(separator: ", ")
        guard !others.isEmpty else { return "\(last.name) has answered already" }
        return "\(others) and \(last.name) have answered already"
    }
}
