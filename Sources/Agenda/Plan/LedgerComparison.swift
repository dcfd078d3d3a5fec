import Ledger
import Timekeeping

/// Compares the notifications planned for a meeting with the open rows of the ledger, step by step.
struct LedgerComparison {
    let state: MeetingState
    let rows: [LedgerRow]
    let channels: ChannelDirectory
    let now: Moment
    private let planned: [PlannedNotification]
    private let standing: [NotificationKey: PlannedNotification]
    /// The state of each row by the name derived from its current key. Added rows have that name;
    /// rows of people who were merged or erased are stored under another.
    private var known: [String: DeliveryState]
    /// The notifications that failed on a route that is not retried.
    private let failed: Set<NotificationKey>
    private let clocks: ReaderClocks
    private var taken: [DeliverySlot: String]
    var result = LedgerDifference()

    init(
        _ state: MeetingState, with rows: [LedgerRow], channels: ChannelDirectory, now: Moment
    ) {
        self.state = state
        self.rows = rows
        self.channels = channels
        self.now = now
        planned = state.notifications(told: rows, now: now)
        standing = Self.standing(planned, among: rows, channels)
        known = Dictionary(
            rows.map { ($0.key.name, $0.state) },
            uniquingKeysWith: { $0 == .superseded ? $1 : $0 })
        // For a series planned a year ahead, most of the planned notifications are new.
        known.reserveCapacity(rows.count + planned.count)
        failed =
            channels.isPlain
            ? []
            : Set(
                rows.filter {
                    $0.isLost || $0.state == .suppressed && channels.isBounced($0, at: now)
                }.map(\.key.notification))
        clocks = ReaderClocks(state, told: rows, now: now)
        taken = DeliverySlot.taken(by: rows)
    }

    /// The planned notifications by key, as far as they are looked up: all of them if a route may
    /// be replaced by another, otherwise only those of dates that have rows, which most dates of a
    /// series do not.
    private static func standing(
        _ planned: [PlannedNotification], among rows: [LedgerRow], _ channels: ChannelDirectory
    ) -> [NotificationKey: PlannedNotification] {
        let dates = Set(rows.map(\.key.notification.occurrence))
        let wanted = planned.lazy
            .filter { !channels.isPlain || dates.contains($0.key.occurrence) }
            .map { ($0.key, $0) }
        return Dictionary(wanted, uniquingKeysWith: { first, _ in first })
    }

    /// Keeps the open rows that are still valid, with their current times, and supersedes the
    /// others.
    mutating func keepOpen() {
        for row in rows where row.state.isOpen && row.state != .claimed {
            let notification = standing[row.key.notification]
            guard isWanted(row, notification), leads(row), taken.take(row) else {
                result.superseded.append(row)
                continue
            }
            if let shut = row.suppressed(by: channels.suppressions(of: row), now: now) {
                result.suppressed.append(shut)
                continue
            }
            let current = clocks.timed(row.following(notification, end: end(of: row)))
            if current == row {
                result.unchanged.append(row)
            } else {
                result.rescheduled.append(current)
            }
        }
    }

    /// True if the notification of a row is planned, or stays although it is not planned.
    private func isWanted(_ row: LedgerRow, _ notification: PlannedNotification?) -> Bool {
        notification != nil || state.isKept(row)
    }

    /// Adds rows for notifications that have no row yet.
    mutating func addNew() {
        for notification in planned where notification.isNew {
            for row in channels.rows(for: notification, now: now) { add(row) }
        }
    }

    /// Plans rows again that were suppressed by the list and no longer are.
    mutating func resumeListed() {
        for row in rows where row.hold?.kind == .list {
            let notification = standing[row.key.notification]
            let isWanted = notification?.isNew ?? state.isKept(row)
            let current = row.following(notification, end: end(of: row))
            guard isWanted, leads(row), let resumed = current.resumed(now: now),
                resumed.suppressed(by: channels.suppressions(of: row), now: now) == nil,
                taken.take(row)
            else { continue }
            result.added.append(clocks.timed(resumed))
        }
    }

    /// Re-routes superseded rows to the routes by which their receivers are reached now: rows that
    /// a person sent by hand and whose route is gone, rows that wait for a disabled sink, and rows
    /// that may have arrived by it. The last may arrive twice, but a duplicate is visible and a
    /// loss is not.
    mutating func readdress() {
        for row in result.superseded where !leads(row) {
            let notification = standing[row.key.notification]
            let isMeant =
                notification != nil && (row.state == .ambiguous || channels.isDisabled(row))
            guard isMeant || state.isKept(row) else { continue }
            let wanted = PlannedNotification(
                key: row.key.notification, due: row.hold?.wanted ?? row.due,
                deadline: notification?.deadline ?? row.deadline, isNew: true)
            for var heir in channels.rows(for: wanted, now: now) {
                heir.body = row.body
                add(heir)
            }
        }
    }

    /// Tries the next route if one failed permanently and no other has delivered the notification
    /// or is about to. The inbox reaches only those who look, so it does not count.
    mutating func fallBack() {
        guard !channels.isPlain else { return }
        let lost = lostRows
        guard !lost.isEmpty else { return }
        let onTheirWay = Set(
            (rows.filter { $0.mayHaveArrived || $0.state == .claimed }
                + (result.unchanged + result.rescheduled + result.added).filter(\.state.isOpen))
                .filter { $0.key.channel != SinkKind.page.name }.map(\.key.notification))
        for (key, row) in lost where !onTheirWay.contains(key) {
            guard standing[key] != nil || state.isKept(row) else { continue }
            let deadline = standing[key]?.deadline ?? end(of: row)
            let due = max(now, row.hold?.wanted ?? (row.state == .failed ? now : row.due))
            guard due < deadline else { continue }
            let wanted = PlannedNotification(key: key, due: due, deadline: deadline, isNew: true)
            let next = channels.rows(around: wanted, now: now).first {
                $0.state == .planned && known[$0.name] ?? .superseded == .superseded
            }
            if var next {
                next.body = row.body
                add(next)
            }
        }
    }

    /// Plans rows again that were to be sent together with a change or a cancellation that is
    /// superseded before it was sent, if no other row brings what they say: because it was taken
    /// back, or because other words are written to its successor.
    mutating func separate() {
        let unsent = result.superseded.filter(\.isUnsentNews)
            .map { (news: $0, heir: result.heir(of: $0)) }
            .filter { $0.heir == nil || $0.heir?.body != $0.news.body }
        guard !unsent.isEmpty else { return }
        let carriers = carriers(besides: unsent.map { $0.news })
        for row in rows where row.state == .superseded && row.deadline > now {
            guard let carrier = carriers[row.reason],
                let last = unsent.first(where: { isReplaced(carrier, by: $0.news) }),
                last.heir == nil || row.body != nil
            else { continue }
            let notification = standing[row.key.notification]
            guard isWanted(row, notification), leads(row), taken.take(row) else { continue }
            var again = row.following(notification, end: end(of: row))
            (again.state, again.reason) = (.planned, "")
            add(again)
        }
    }

    /// True if news is the last one, or was replaced by it, at once or one after the other, and
    /// nothing arrived since by its route.
    private func isReplaced(_ news: LedgerRow, by last: LedgerRow) -> Bool {
        guard news.name != last.name else { return true }
        return known[news.key.name] == .superseded && last.covers(news)
            && !rows.contains { $0.mayHaveArrived && $0.covers(news) }
    }

    /// The superseded changes and cancellations that were not sent, by the reason of the rows that
    /// were to be sent together with them.
    private func carriers(besides others: [LedgerRow]) -> [String: LedgerRow] {
        let all = rows.filter { $0.state == .superseded && $0.isUnsentNews } + others
        return Dictionary(
            all.filter { $0.key.notification.kind != .invitation }
                .map { ($0.reasonOfCompanions, $0) },
            uniquingKeysWith: { $1 })
    }

    /// The rows that did not and will not reach their receiver, as things stand now.
    private var lostRows: [NotificationKey: LedgerRow] {
        let all = rows + result.added + result.suppressed
        return Dictionary(
            all.filter { isLost($0) }.map { ($0.key.notification, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    private func isLost(_ row: LedgerRow) -> Bool {
        row.isLost || row.state == .suppressed && channels.isBounced(row, at: now)
    }

    /// True if a row uses one of its receiver's routes or, after a failure, one of the fallback
    /// routes.
    private func leads(_ row: LedgerRow) -> Bool {
        channels.leadTo(row)
            || failed.contains(row.key.notification) && channels.leadAround(row)
    }

    /// The moment until which a row is useful that does not follow from the meeting's state: the
    /// end of the meeting or date that it is about. A message that is still useful after that end
    /// keeps its own deadline, but is sent no later than one that is written then.
    func end(of row: LedgerRow) -> Moment {
        let key = row.key.notification
        let end = state.about(key).meeting.endsAt
        guard key.kind == .message, end <= now else { return end }
        let last = end.advanced(bySeconds: Int64(MeetingRules.lateMessageDays) * 86_400)
        return min(max(end, row.deadline), last)
    }

    mutating func add(_ row: LedgerRow) {
        // A superseded row is planned again only if it can be sent, now or when its address is no
        // longer suppressed.
        if let old = known[row.name] {
            // The text that a person wrote is passed on to the row that was just added.
            if let body = row.body,
                let place = result.added.firstIndex(where: { $0.key == row.key && $0.body == nil })
            {
                result.added[place].body = body
            }
            guard old == .superseded, row.state == .planned || row.hold?.kind == .list else {
                return
            }
        }
        let row = clocks.timed(row)
        known[row.name] = row.state
        result.added.append(row)
    }
}

/// One notification on one channel, regardless of the mail address. After people were merged, a
/// slot may have two rows, of which only one may still be sent.
struct DeliverySlot: Hashable {
    let notification: NotificationKey
    let channel: String
    /// The name of the channel if there may be several of its kind.
    let name: String

    init(_ row: LedgerRow) {
        notification = row.key.notification
        channel = row.key.channel
        name = channel == SinkKind.mail.name ? "" : row.key.address
    }

    /// The row that occupies each slot. If several rows share a slot, an accepted row comes before
    /// one that is being sent, and this before one that may have arrived. Waiting rows are not
    /// included.
    static func taken(by rows: [LedgerRow]) -> [DeliverySlot: String] {
        var slots: [DeliverySlot: String] = [:]
        for state in [DeliveryState.accepted, .claimed, .ambiguous] {
            for row in rows where row.state == state {
                let slot = DeliverySlot(row)
                if slots[slot] == nil { slots[slot] = row.name }
            }
        }
        return slots
    }
}

extension [DeliverySlot: String] {
    /// Assigns the slot to the row unless another row has it. Returns true if the row has it now.
    mutating func take(_ row: LedgerRow) -> Bool {
        let slot = DeliverySlot(row)
        let owner = self[slot] ?? row.name
        self[slot] = owner
        return owner == row.name
    }
}

extension LedgerRow {
    /// True if it did not reach its receiver by this route and never will.
    fileprivate var isLost: Bool {
        state == .failed
            || state == .suppressed && key.channel == SinkKind.mail.name && key.address.isEmpty
    }

    /// True if it is news that has not reached its receiver.
    fileprivate var isUnsentNews: Bool { key.notification.kind.isNews && !mayHaveArrived }

    /// The row with the current times of its notification. A reminder that is already due and an
    /// attempt that waits for its turn keep their times, unless they are earlier than the
    /// reminder's time because the clock was set back.
    func following(_ notification: PlannedNotification?, end: Moment) -> LedgerRow {
        var row = self
        row.deadline = notification?.deadline ?? end
        if let notification, notification.key.kind == .reminder,
            notification.isNew || row.due < notification.due
        {
            row.due = notification.due
            if let hold, hold.kind != .list {
                row.hold = Hold(hold.kind, wanted: notification.due)
            }
        }
        return row
    }
}
