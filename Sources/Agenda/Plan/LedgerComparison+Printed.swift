import Ledger
import Timekeeping

/// Words of the organizer that were only printed, because no way to their reader was enabled.
extension LedgerComparison {
    /// Sends what was only printed and is still of use, now that its reader can be reached. News,
    /// reminders and nudges before an answer-by time are planned again from the meeting's state.
    mutating func sendPrinted() {
        let printed = rows.filter(isOfUse)
        guard !printed.isEmpty else { return }
        let onTheirWay = Set(
            rows.filter { !$0.isOnlyPrinted && ($0.mayHaveArrived || $0.state.isOpen) }
                .map(\.key.notification))
        for row in printed where !onTheirWay.contains(row.key.notification) {
            let wanted = PlannedNotification(
                key: row.key.notification, due: now, deadline: end(of: row), isNew: true)
            for var heir in channels.rows(for: wanted, now: now) {
                heir.body = row.body
                add(heir)
            }
        }
    }

    /// True if a row was only printed, is not planned from the meeting's state, and is of use: the
    /// meeting or date is ahead and takes place. Who is invited only now is not asked for an answer
    /// at once.
    private func isOfUse(_ row: LedgerRow) -> Bool {
        let key = row.key.notification
        guard row.isOnlyPrinted, [.message, .nudge, .refusal].contains(key.kind) else {
            return false
        }
        let meeting = state.about(key).meeting
        guard meeting.status == .confirmed, meeting.endsAt > now, state.isKept(row) else {
            return false
        }
        return key.kind != .nudge || key.mark.answerBy == nil && !isInvitedNow(key.receiver)
    }

    private func isInvitedNow(_ receiver: Receiver) -> Bool {
        (result.added + result.unchanged + result.rescheduled).contains {
            $0.key.notification.kind == .invitation && $0.key.notification.receiver == receiver
        }
    }
}
