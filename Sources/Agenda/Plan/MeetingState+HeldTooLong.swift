import Ledger
public import Timekeeping

extension MeetingState {
    /// The rows that wait longer than the policy that holds them back can justify. Planning never
    /// creates such rows.
    ///
    /// - Parameters:
    ///   - rows: all rows of this meeting.
    ///   - now: the current time, or the latest moment at which anything happened to the meeting.
    /// - Returns: the rows that wait too long.
    public func heldTooLong(among rows: [LedgerRow], now: Moment) -> [LedgerRow] {
        let clocks = ReaderClocks(self, told: rows, now: now)
        return rows.filter { row in
            guard row.state.isOpen, let hold = row.hold, row.due > max(now, hold.wanted) else {
                return false
            }
            switch hold.kind {
            case .hours:
                let retimed = clocks.timed(row)
                guard retimed.hold != nil else { return true }
                // A row that would not wait at all any more had a reason to wait when it was
                // planned.
                return retimed.due > hold.wanted && retimed.due < row.due
            case .flood:
                // The due time may date from when the row could still wait for the next morning.
                let reader = row.key.notification.receiver.person
                let hasHours = reader.map { hours[PersonID(text: $0)] != nil } ?? false
                let days: Int64 = hasHours ? 8 : 0
                let spare = FloodGuard.spanMilliseconds + days * 86_400_000
                return row.due > now.advanced(byMilliseconds: spare)
            case .list:
                return false
            }
        }
    }
}
