import Ledger
public import Timekeeping

extension Meeting {
    /// The time at which a reminder of this meeting is to be sent without a hold; `nil` for
    /// anything else, and for a reminder of another start.
    func wantedTime(of key: NotificationKey, in zone: Zone) -> Moment? {
        guard key.kind == .reminder, key.mark.isReminder(of: time.startsAt) else { return nil }
        return key.mark.snoozeDue ?? key.mark.offset.map { time.reminder($0, in: zone) }
    }
}

extension LedgerRow {
    /// The later reminder that makes this one obsolete. If several reminders are late, only the
    /// latest is sent, and none is sent after a later one went out. Two reminders for the same
    /// moment are both sent.
    ///
    /// - Parameters:
    ///   - others: other reminders of the meeting to the same person on the same channel.
    ///   - meeting: the meeting.
    ///   - zone: the rules of its time zone.
    ///   - now: the current time.
    /// - Returns: of the reminders that are due and were wanted later than this one, the latest;
    ///   `nil` if there is none.
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

    /// The reason why a reminder is not sent when a later one replaces it.
    public func reasonFor(_ overtaker: LedgerRow) -> String {
        let verb = overtaker.state == .accepted ? "went" : "goes"
        return "its time passed before it could be sent: a later reminder "
            + "(\(overtaker.name.prefix(8))) \(verb) out in its place"
    }

    /// The reason why a row is not sent after its deadline.
    public var lateness: String {
        let end =
            switch key.notification.kind {
            case .reminder: "the meeting had begun"
            case .nudge where key.notification.mark.answerBy != nil:
                "the answer-by time had passed"
            case .invitation, .change, .cancellation, .nudge, .message, .answer, .proposal,
                .refusal, .join, .leave, .request, .promotion, .admission, .decision, .link:
                "the meeting was over"
            case .digest: "the next digest was due"
            case .alarm, .follow: "it was out of date"
            case .signIn: "the link had expired"
            }
        let why = hold == nil ? end : reason
        return "its time passed before it could be sent: \(why)"
    }
}

extension LedgerDifference {
    /// Plans reminders whose meeting moved without anybody's action and whose new time has already
    /// passed, if they were still waiting. It is better to send them at once than never.
    ///
    /// - Parameters:
    ///   - channels: the enabled sinks and channels.
    ///   - now: the current time.
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
    /// True if both keys are reminders for the same person with the same offset, even for different
    /// starts.
    fileprivate func isReminder(like other: NotificationKey) -> Bool {
        kind == .reminder && other.kind == .reminder && receiver == other.receiver
            && mark.offsetText == other.mark.offsetText
    }
}
