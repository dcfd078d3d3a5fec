import Ledger
import Timekeeping

extension MeetingState {
    /// Plans the nudges before the moment until which people are asked to answer: one for each
    /// person who has not answered for the present time, and none within a day after another.
    ///
    /// - Parameters:
    ///   - rows: all rows of this meeting.
    ///   - told: the knowledge of each receiver about the meeting.
    ///   - now: the current time.
    /// - Returns: the notifications; none without such a moment, or after it.
    func nudges(
        after rows: [LedgerRow], told: [Receiver: Told], now: Moment
    ) -> [PlannedNotification] {
        guard let deadline = meeting.answerBy, deadline > now, deadline < meeting.endsAt,
            meeting.status == .confirmed
        else { return [] }
        let usual = nudgeTime(before: deadline, now: now)
        let nudged = Dictionary(
            rows.filter { $0.key.notification.kind == .nudge && $0.mayHaveArrived }
                .map { ($0.key.notification.receiver, $0.due) }, uniquingKeysWith: max)
        return participants.filter(isSilent).map { participant in
            let receiver = Receiver.person(participant.person.text)
            let key = NotificationKey(
                meeting: meeting.id.text, occurrence: "", receiver: receiver, kind: .nudge,
                mark: NotificationMark(answerBy: deadline))
            let isKnown = told[receiver]?.notifications.contains(key) ?? false
            let due = max(usual, nudged[receiver]?.advanced(bySeconds: 86_400) ?? usual)
            return PlannedNotification(
                key: key, due: due, deadline: deadline, isNew: !isKnown && due < deadline)
        }
    }

    /// The day before the deadline, between 9:00 and 18:00 or, if less than two days are left, half
    /// of the time that is left: who was invited an hour ago is not asked again.
    private func nudgeTime(before deadline: Moment, now: Moment) -> Moment {
        let dayBefore = zone.wallTime(at: deadline).adding(days: -1)
        let seconds = dayBefore.time.secondsSinceMidnight
        let shift = min(max(seconds, 9 * 3600), 18 * 3600) - seconds
        let half = deadline.milliseconds(since: now) / 2
        return max(
            zone.moment(of: dayBefore.adding(seconds: shift)),
            now.advanced(byMilliseconds: half))
    }

    private func isSilent(_ participant: Participant) -> Bool {
        !participant.isRemoved && participant.person != meeting.organizer
            && participant.presentAnswer == .invited
    }

    /// True if a nudge is still asked for: it was sent by hand, or before the present moment until
    /// which people are asked to answer.
    func isWanted(nudge row: LedgerRow) -> Bool {
        guard let deadline = row.key.notification.mark.answerBy else { return true }
        return deadline == meeting.answerBy
    }
}
