public import Ledger
public import Timekeeping

/// The changes to the ledger that follow from a change of a meeting.
public struct LedgerDifference: Equatable, Sendable {
    /// Rows to insert, or to plan again if a row with the same key was superseded.
    public var added: [LedgerRow] = []
    /// Open rows that are no longer valid.
    public var superseded: [LedgerRow] = []
    /// Open rows that stay as they are.
    public var unchanged: [LedgerRow] = []
    /// Open rows that stay valid but change their times, with the new times.
    public var rescheduled: [LedgerRow] = []
    /// Open rows whose address is now suppressed, as they become.
    public var suppressed: [LedgerRow] = []
    /// Reminders that are newly wanted but too late to be planned.
    public var late: [PlannedNotification] = []

    /// True if every open row stays as it is and no other is needed.
    public var isEmpty: Bool {
        added.isEmpty && superseded.isEmpty && rescheduled.isEmpty && suppressed.isEmpty
    }

    /// An empty difference.
    public init() {}

    /// Turns superseded proposals into answers: if a proposal is void because the meeting changed,
    /// the organizer still gets the answer that came with it.
    ///
    /// - Parameters:
    ///   - answers: the current answers of the people who made those proposals.
    ///   - deadline: the moment until which the answers are useful.
    public mutating func tellAnswers(of answers: [PersonID: Answer], until deadline: Moment) {
        for old in superseded where old.key.notification.kind == .proposal && old.state.isOpen {
            let key = old.key.notification
            guard let mark = key.mark.answer, answers[mark.guest] == mark.answer,
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

    /// Passes the texts that people wrote for news on to the rows that are added: to those of the
    /// same notification, whatever their route, or else to the next news by the same route.
    ///
    /// - Parameters:
    ///   - rows: all rows of the meeting, as they were.
    ///   - kinds: the kinds of news to which other words are being written.
    mutating func handOnTexts(of rows: [LedgerRow], butNotTo kinds: Set<NotificationKind>) {
        let written = rows.filter {
            $0.body != nil && $0.state.isOpen && $0.key.notification.kind.isNews
        }
        guard !written.isEmpty else { return }
        for place in added.indices {
            let new = added[place]
            let kind = new.key.notification.kind
            guard new.body == nil, kind.isNews, !kinds.contains(kind) else { continue }
            let old =
                written.last { $0.key.notification == new.key.notification }
                ?? superseded.last { $0.body != nil && new.covers($0) }
            added[place].body = old?.body
        }
    }

    /// The added row that replaces a superseded news row; `nil` if there is none.
    func heir(of old: LedgerRow) -> LedgerRow? {
        added.first { $0.key.notification == old.key.notification }
            ?? added.first { $0.covers(old) }
    }
}

extension MeetingState {
    /// Compares the notifications that people need with the open rows of the ledger.
    ///
    /// - Parameters:
    ///   - rows: all rows of this meeting.
    ///   - channels: the enabled sinks, and the channels and addresses of people.
    ///   - now: the current time.
    /// - Returns: the rows to add, to supersede and to change.
    public func difference(
        from rows: [LedgerRow], channels: ChannelDirectory, now: Moment
    ) -> LedgerDifference {
        var comparison = LedgerComparison(
            self, with: channels.known(rows, answered: answered), channels: channels, now: now)
        comparison.keepOpen()
        comparison.addNew()
        comparison.resumeListed()
        comparison.readdress()
        comparison.fallBack()
        comparison.sendPrinted()
        comparison.result.handOnTexts(of: rows, butNotTo: wordedKinds)
        comparison.separate()
        return comparison.result
    }

    /// The people who have answered, for the meeting or for one of its dates, each with the time of
    /// the last answer.
    private var answered: [PersonID: Moment] {
        let all = ([participants] + dateParticipants.values).joined()
        return Dictionary(
            all.filter { $0.answer != .invited }.map { ($0.person, $0.notedAt ?? Series.endless) },
            uniquingKeysWith: max)
    }

    /// The reminders that are newly wanted and whose time has passed. They are not planned.
    ///
    /// - Parameters:
    ///   - old: the previous state; `nil` for a new meeting.
    ///   - rows: all rows of this meeting.
    ///   - now: the current time.
    /// - Returns: the late reminders.
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

    /// A closed row as it would be kept if it were open; `nil` if it would not be kept.
    public func reopened(
        _ row: LedgerRow, among rows: [LedgerRow], channels: ChannelDirectory, now: Moment
    ) -> LedgerRow? {
        let others = rows.filter { $0.name != row.name }
        let difference = difference(from: others + [row.reopened], channels: channels, now: now)
        return (difference.unchanged + difference.rescheduled).first { $0.name == row.name }
    }

    /// The answers that were not told because the meeting was cancelled first, to be told after
    /// all if they are still those of their guests.
    ///
    /// - Parameters:
    ///   - rows: all rows of this meeting.
    ///   - reason: the reason of the rows that the cancellation superseded.
    ///   - channels: the enabled sinks, and the channels and addresses of people.
    ///   - now: the current time.
    /// - Returns: the rows, to be planned again.
    public func untoldAnswers(
        among rows: [LedgerRow], supersededBecause reason: String, channels: ChannelDirectory,
        now: Moment
    ) -> [LedgerRow] {
        rows.filter {
            $0.key.notification.kind == .answer && $0.state == .superseded && $0.reason == reason
        }.compactMap { reopened($0, among: rows, channels: channels, now: now) }
    }

    /// True if the answer that a row reports is still the guest's answer. If the guest is not found
    /// because they were merged into another person, the row stays.
    private func isStillSaid(_ row: LedgerRow) -> Bool {
        guard let mark = row.key.notification.mark.answer,
            let guest = participants.first(where: { $0.person == mark.guest })
        else { return true }
        return !guest.isRemoved && guest.answer == mark.answer && guest.plus == mark.plus
    }

    /// True if the proposal that a row reports is still open. If the guest is not found because
    /// they were merged into another person, the row stays.
    private func isStillProposed(_ row: LedgerRow) -> Bool {
        guard let mark = row.key.notification.mark.answer,
            let guest = participants.first(where: { $0.person == mark.guest })
        else { return true }
        return !guest.isRemoved && guest.proposal?.name == mark.number
    }

    private func isThere(_ receiver: Receiver) -> Bool {
        audiences.contains { $0.receiver == receiver && isAsked($0) }
            || participants.contains { .person($0.person.text) == receiver && !$0.isRemoved }
    }

    /// True if a row that is not planned from the meeting's state stays valid. A message or a
    /// requested link stays while its person is in the meeting, the refusal of a proposal while the
    /// meeting keeps its time, a nudge while the person has not answered, and an answer or a
    /// proposal until the person changes it.
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
                && row.key.notification.mark.refusal?.startsAt == meeting.time.startsAt
        case .join, .leave, .request, .admission: meeting.status == .confirmed
        case .promotion:
            meeting.status == .confirmed
                && participants.contains { $0.isPresent(as: row) && $0.answer == .going }
        case .decision: isThere(row.key.notification.receiver)
        case .link:
            meeting.status == .confirmed && participants.contains { $0.isPresent(as: row) }
        case .nudge:
            meeting.status == .confirmed && isWanted(nudge: row)
                && participants.contains { $0.isPresent(as: row) && $0.presentAnswer == .invited }
        case .invitation, .change, .cancellation, .reminder, .digest, .alarm, .signIn, .follow:
            false
        }
    }
}

extension Participant {
    /// True if this participant is the receiver of a row and still invited.
    fileprivate func isPresent(as row: LedgerRow) -> Bool {
        .person(person.text) == row.key.notification.receiver && !isRemoved
    }
}

extension NotificationKind {
    /// True for kinds that report the state of the meeting, so that a later one replaces an earlier
    /// one.
    public var isNews: Bool {
        switch self {
        case .invitation, .change, .cancellation: true
        case .reminder, .nudge, .message, .answer, .proposal, .refusal, .join, .leave, .request,
            .promotion, .admission, .decision, .link, .digest, .alarm, .signIn, .follow:
            false
        }
    }
}

/// Computes the times of rows from the sending hours of their people.
public struct ReaderClocks {
    private let state: MeetingState
    private let told: [Receiver: Told]
    private let now: Moment

    /// Creates clocks for the rows of a meeting.
    ///
    /// - Parameters:
    ///   - state: the meeting.
    ///   - rows: all rows of the meeting.
    ///   - now: the current time.
    public init(_ state: MeetingState, told rows: [LedgerRow], now: Moment) {
        self.state = state
        // Most people have no sending hours.
        told = state.hours.isEmpty ? [:] : Told.read(rows)
        self.now = now
    }

    /// The row with its time. A closed row is returned unchanged.
    public func timed(_ row: LedgerRow) -> LedgerRow {
        guard row.state.isOpen else { return row }
        let receiver = row.key.notification.receiver
        let hours = receiver.person.flatMap { state.hours[PersonID(text: $0)] }
        return row.timed(
            by: hours, starts: hours.map { _ in starts(of: row.key.notification) }, now: now)
    }

    /// For a whole series, the next date counts.
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
