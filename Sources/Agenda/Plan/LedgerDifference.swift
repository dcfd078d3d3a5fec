public import Ledger
public import Timekeeping

/// How the ledger changes when a meeting does.
public struct LedgerDifference: Equatable, Sendable {
    /// Rows to insert, or to take up again where a row of the same key was superseded.
    public var added: [LedgerRow] = []
    /// Open rows that no longer hold.
    public var superseded: [LedgerRow] = []
    /// Open rows that hold as they are.
    public var unchanged: [LedgerRow] = []
    /// Open rows that hold at other times than before, as they shall be.
    public var rescheduled: [LedgerRow] = []
    /// Open rows to an address to which nothing is sent any more, as they shall be.
    public var suppressed: [LedgerRow] = []
    /// Reminders that are wanted from now on and come too late to be planned.
    public var late: [PlannedNotification] = []

    /// Whether every open row holds as it is, and no other is wanted.
    public var isEmpty: Bool {
        added.isEmpty && superseded.isEmpty && rescheduled.isEmpty && suppressed.isEmpty
    }

    /// An empty difference: nothing to add, nothing to supersede.
    public init() {}

    /// What was to tell of proposals that came to nothing, because the meeting changed, tells what
    /// their authors answered all the same.
    ///
    /// - Parameters:
    ///   - answers: what the authors of those proposals say.
    ///   - deadline: until when that is of use.
    public mutating func tellAnswers(of answers: [PersonID: Answer], until deadline: Moment) {
        for old in superseded where old.key.notification.kind == .proposal && old.state.isOpen {
            let key = old.key.notification
            guard let mark = AnswerMark(key.mark), answers[mark.guest] == mark.answer,
                mark.answer != .invited
            else { continue }
            let told = NotificationKey(
                meeting: key.meeting, occurrence: key.occurrence, receiver: key.receiver,
                kind: .answer, mark: key.mark)
            var row = LedgerRow(
                key: DeliveryKey(
                    notification: told, channel: old.key.channel, address: old.key.address),
                state: .planned, due: old.due, deadline: deadline)
            row.hold = old.hold
            row.reason = old.reason
            row.body = old.body
            added.append(row)
        }
    }

    /// What somebody wrote, and news that is superseded was to carry, goes along with the news in
    /// its place.
    fileprivate mutating func handOnTexts() {
        for old in superseded where old.body != nil && old.key.notification.kind.isNews {
            let heir = added.firstIndex { new in
                new.key.notification.receiver == old.key.notification.receiver
                    && new.key.channel == old.key.channel && new.key.notification.kind.isNews
            }
            if let heir { added[heir].body = old.body }
        }
    }
}

extension MeetingState {
    /// Compares what people ought to know with what the ledger holds open.
    ///
    /// - Parameters:
    ///   - rows: every row of this meeting.
    ///   - channels: the ways that are on, and the addresses that people have for them.
    ///   - now: the clock.
    /// - Returns: what to add and what to supersede.
    public func difference(
        from rows: [LedgerRow], channels: ChannelDirectory, now: Moment
    ) -> LedgerDifference {
        var comparison = LedgerComparison(self, with: rows, channels: channels, now: now)
        comparison.keepOpen()
        comparison.addNew()
        comparison.resumeListed()
        comparison.readdress()
        comparison.fallBack()
        comparison.result.handOnTexts()
        return comparison.result
    }

    /// The reminders that are wanted now and were not before, and whose time has passed.
    ///
    /// - Parameters:
    ///   - old: what it was before; `nil` for a meeting that is new.
    ///   - rows: every row of this meeting.
    ///   - now: the clock.
    /// - Returns: them; nobody will be reminded by them.
    public func lateReminders(
        since old: MeetingState?, from rows: [LedgerRow], now: Moment
    ) -> [PlannedNotification] {
        let wanted = old?.notifications(told: rows, now: now).map(\.key) ?? []
        let known = Set(wanted + rows.map(\.key.notification))
        return notifications(told: rows, now: now).filter {
            $0.key.kind == .reminder && $0.due <= now && !known.contains($0.key)
                && !$0.key.isSnooze && ($0.key.occurrence.isEmpty || $0.deadline > now)
        }
    }

    /// A row that is closed, as it would be kept were it open; `nil` where it would not be.
    public func reopened(
        _ row: LedgerRow, among rows: [LedgerRow], channels: ChannelDirectory, now: Moment
    ) -> LedgerRow? {
        var open = row
        open.state = .planned
        let others = rows.filter { $0.name != row.name }
        let difference = difference(from: others + [open], channels: channels, now: now)
        return (difference.unchanged + difference.rescheduled).first { $0.name == row.name }
    }

    /// Whether what a row tells of an answer is what its guest says. One who became somebody else
    /// is not found any more: then it is told.
    private func isStillSaid(_ row: LedgerRow) -> Bool {
        guard let mark = AnswerMark(row.key.notification.mark),
            let guest = participants.first(where: { $0.person == mark.guest })
        else { return true }
        return !guest.isRemoved && guest.answer == mark.answer && guest.plus == mark.plus
    }

    /// Whether what a row tells is proposed still. One who became somebody else is not found any
    /// more: then it is told.
    private func isStillProposed(_ row: LedgerRow) -> Bool {
        guard let mark = AnswerMark(row.key.notification.mark),
            let guest = participants.first(where: { $0.person == mark.guest })
        else { return true }
        return !guest.isRemoved && guest.proposal?.name == mark.number
    }

    private func isThere(_ receiver: Receiver) -> Bool {
        audiences.contains { $0.receiver == receiver && isAsked($0) }
            || participants.contains { .person($0.person.text) == receiver && !$0.isRemoved }
    }

    /// What was said by hand stands by itself: a message, or a link that was asked for, as long as
    /// its person is in the meeting; that a proposal was refused, as long as the time is the one
    /// that was kept; a nudge as long as they are silent; and what somebody answered or proposed
    /// until they say otherwise.
    func isKept(_ row: LedgerRow) -> Bool {
        let state = about(row.key.notification)
        return state.isKeptHere(row)
    }

    private func isKeptHere(_ row: LedgerRow) -> Bool {
        switch row.key.notification.kind {
        case .message: isThere(row.key.notification.receiver)
        case .answer: meeting.status == .confirmed && isStillSaid(row)
        case .proposal: meeting.status == .confirmed && isStillProposed(row)
        case .refusal:
            meeting.status == .confirmed && isThere(row.key.notification.receiver)
                && RefusalMark(row.key.notification.mark)?.startsAt == meeting.time.startsAt
        case .link:
            meeting.status == .confirmed && participants.contains { $0.isPresent(as: row) }
        case .nudge:
            meeting.status == .confirmed
                && participants.contains { $0.isPresent(as: row) && $0.answer == .invited }
        case .invitation, .change, .cancellation, .reminder, .digest, .alarm: false
        }
    }
}

extension Participant {
    /// Whether they are the one in the meeting whom a row is for.
    fileprivate func isPresent(as row: LedgerRow) -> Bool {
        .person(person.text) == row.key.notification.receiver && !isRemoved
    }
}

extension NotificationKind {
    /// Whether it tells how the meeting stands, so that a later one says it better.
    public var isNews: Bool {
        switch self {
        case .invitation, .change, .cancellation: true
        case .reminder, .nudge, .message, .answer, .proposal, .refusal, .link, .digest, .alarm:
            false
        }
    }
}

/// Gives rows of a meeting the times that their people's hours leave them.
public struct ReaderClocks {
    private let state: MeetingState
    private let told: [Receiver: Told]
    private let now: Moment

    /// - Parameters:
    ///   - state: the meeting.
    ///   - rows: every row of it.
    ///   - now: the clock.
    public init(_ state: MeetingState, told rows: [LedgerRow], now: Moment) {
        self.state = state
        // Most people have no hours of their own.
        told = state.hours.isEmpty ? [:] : Told.read(rows)
        self.now = now
    }

    /// The row at its time; one that is not to be sent stays as it is.
    public func timed(_ row: LedgerRow) -> LedgerRow {
        guard row.state.isOpen else { return row }
        let receiver = row.key.notification.receiver
        let hours = receiver.person.flatMap { state.hours[PersonID(text: $0)] }
        return row.timed(
            by: hours, starts: hours.map { _ in starts(of: row.key.notification) }, now: now)
    }

    /// Of a whole series, the next date counts.
    private func starts(of key: NotificationKey) -> UrgentStarts {
        let state = state.about(key)
        guard state.meeting.series == nil else {
            let next = state.meeting.nextTime(after: now, in: state.zone)
            return UrgentStarts((next ?? state.meeting.time).startsAt)
        }
        return UrgentStarts(
            state.meeting.time.startsAt,
            told: state.scope == nil
                ? told[key.receiver]?.revision.flatMap { state.toldStarts[$0] } : nil)
    }
}
