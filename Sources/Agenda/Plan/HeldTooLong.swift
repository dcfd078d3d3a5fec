import Ledger
public import Timekeeping

extension MeetingState {
    /// The rows that wait for a later time than what holds them back can ask for.
    ///
    /// - Parameters:
    ///   - rows: every row of this meeting.
    ///   - now: the clock, or the latest moment at which anything of the meeting was done.
    /// - Returns: them; nothing that planning does makes one.
    public func heldTooLong(among rows: [LedgerRow], now: Moment) -> [LedgerRow] {
        let clocks = ReaderClocks(self, told: rows, now: now)
        return rows.filter { row in
            guard row.state.isOpen, let hold = row.hold, row.due > max(now, hold.wanted) else {
                return false
            }
            switch hold.kind {
            case .hours:
                let anew = clocks.timed(row)
                guard anew.hold != nil else { return true }
                // One that would not wait at all by now had a reason to when it was planned.
                return anew.due > hold.wanted && anew.due < row.due
            case .flood:
                // It may have been given its time when it could wait for the next morning.
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
