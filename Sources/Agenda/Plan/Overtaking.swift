import Ledger
public import Timekeeping

extension Meeting {
    /// When a reminder of this meeting is to be sent by itself; `nil` for what is no reminder, or
    /// one of another start.
    func wantedTime(of key: NotificationKey, in zone: Zone) -> Moment? {
        let parts = key.mark.split(separator: "@", maxSplits: 1).map(String.init)
        guard key.kind == .reminder, parts.count == 2,
            parts[1] == time.startsAt.rfc3339(offsetSeconds: 0)
        else { return nil }
        guard !key.isSnooze else {
            return try? Moment.parse(
                String(parts[0].dropFirst(NotificationKey.snoozeMark.count)))
        }
        return (try? TimeSpan.parse(parts[0]))?.before(time.start, in: zone)
    }
}

extension LedgerRow {
    /// The reminder in whose place this one is of no use any more: of several that are late, only
    /// the latest is sent, and none after a later one went out.
    ///
    /// What is wanted at the very same time is asked for twice, and sent twice.
    ///
    /// - Parameters:
    ///   - others: other reminders of the meeting to the same person by the same channel.
    ///   - meeting: the meeting.
    ///   - zone: the rules of its zone.
    ///   - now: the clock.
    /// - Returns: the latest of those whose time has come after this one's; `nil` where there is
    ///   none.
    public func overtaker(
        among others: [LedgerRow], of meeting: Meeting, in zone: Zone, now: Moment
    ) -> LedgerRow? {
        guard let own = meeting.wantedTime(of: key.notification, in: zone) else { return nil }
        let later = others.compactMap { other -> (wanted: Moment, row: LedgerRow)? in
            guard other.state == .accepted || other.state.isOpen,
                let wanted = meeting.wantedTime(of: other.key.notification, in: zone),
                wanted > own, wanted <= now
            else { return nil }
            return (wanted, other)
        }
        return later.max { $0.wanted < $1.wanted }?.row
    }

    /// Why a reminder is not sent in whose place a later one is.
    public func reasonFor(_ overtaker: LedgerRow) -> String {
        let verb = overtaker.state == .accepted ? "went" : "goes"
        return "its time passed before it could be sent: a later reminder "
            + "(\(overtaker.name.prefix(8))) \(verb) out in its place"
    }

    /// Why a row is not sent whose deadline has passed.
    public var lateness: String {
        let end =
            switch key.notification.kind {
            case .reminder: "the meeting had begun"
            case .invitation, .change, .cancellation, .nudge, .message, .answer, .proposal,
                .refusal, .link:
                "the meeting was over"
            case .digest: "the next digest was due"
            case .alarm: "it was old news"
            }
        let why = hold == nil ? end : reason
        return "its time passed before it could be sent: \(why)"
    }
}

extension LedgerDifference {
    /// Plans the reminders that waited, whose meeting moved without anybody's doing, and whose new
    /// time has passed: rather at once than never.
    ///
    /// - Parameters:
    ///   - channels: the ways that are on.
    ///   - now: the clock.
    public mutating func catchUp(through channels: ChannelDirectory, now: Moment) {
        let waited = superseded.filter { $0.state == .planned && !$0.mayHaveArrived }
            .map(\.key.notification)
        for missed in late where missed.deadline > now {
            guard waited.contains(where: { $0.isReminder(like: missed.key) }) else { continue }
            let notification = PlannedNotification(
                key: missed.key, due: now, deadline: missed.deadline, isNew: true)
            added += channels.rows(for: notification, now: now)
        }
    }
}

extension NotificationKey {
    /// Whether both remind the same person as long before a start, whichever start that is.
    fileprivate func isReminder(like other: NotificationKey) -> Bool {
        kind == .reminder && other.kind == .reminder && receiver == other.receiver
            && mark.prefix { $0 != "@" } == other.mark.prefix { $0 != "@" }
    }
}
