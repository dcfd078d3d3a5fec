import Ledger
import Timekeeping

/// Compares what people ought to know of a meeting with what the ledger holds open, step by step.
struct LedgerComparison {
    private let state: MeetingState
    private let rows: [LedgerRow]
    private let channels: ChannelDirectory
    private let now: Moment
    private let planned: [PlannedNotification]
    private let standing: [NotificationKey: PlannedNotification]
    /// How the row of each key stands, by the name that its key gives now: those that are added
    /// have that name, those of people who were merged or erased are kept under another.
    private var known: [String: DeliveryState]
    /// What did not arrive by a way that is not tried again.
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
        // Most of what is planned is new, where a series is looked at for a year.
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

    /// What is planned, where it is looked up: for rows, and for those that are added where another
    /// way can stand in for theirs. Of most dates of a series there is no row.
    private static func standing(
        _ planned: [PlannedNotification], among rows: [LedgerRow], _ channels: ChannelDirectory
    ) -> [NotificationKey: PlannedNotification] {
        let dates = Set(rows.map(\.key.notification.occurrence))
        let wanted = planned.lazy
            .filter { !channels.isPlain || dates.contains($0.key.occurrence) }
            .map { ($0.key, $0) }
        return Dictionary(wanted, uniquingKeysWith: { first, _ in first })
    }

    /// Keeps the open rows that still hold, at the times that they have now; the others are
    /// superseded.
    mutating func keepOpen() {
        for row in rows where row.state.isOpen && row.state != .claimed {
            let notification = standing[row.key.notification]
            guard notification != nil || state.isKept(row), leads(row), taken.take(row)
            else {
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

    /// Adds what is to be told and has no row.
    mutating func addNew() {
        for notification in planned where notification.isNew {
            for row in channels.rows(for: notification, now: now) { add(row) }
        }
    }

    /// Takes up what the list of addresses held back, and holds back no more.
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

    /// What was said by hand, and waits for a way that is its receiver's no more, goes by those by
    /// which they are reached now; and so does what waits for one that is off, and what may have
    /// arrived by it. That may come twice, which can be seen: what is lost cannot.
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

    /// Where a way failed for good and nothing else has brought it, or is about to, the next one is
    /// tried.
    mutating func fallBack() {
        guard !channels.isPlain else { return }
        let lost = lostRows
        guard !lost.isEmpty else { return }
        let onTheirWay = Set(
            rows.filter { $0.mayHaveArrived || $0.state == .claimed }.map(\.key.notification)
                + (result.unchanged + result.rescheduled + result.added).filter(\.state.isOpen)
                .map(\.key.notification))
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

    /// What did not reach its receiver by a way, and will not, as far as things stand now.
    private var lostRows: [NotificationKey: LedgerRow] {
        let all = rows + result.added + result.suppressed
        return Dictionary(
            all.filter { isLost($0) }.map { ($0.key.notification, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    private func isLost(_ row: LedgerRow) -> Bool {
        row.isLost || row.state == .suppressed && channels.isBounced(row, at: now)
    }

    /// Whether a row goes where its receiver is reached, or is reached when another way failed.
    private func leads(_ row: LedgerRow) -> Bool {
        channels.leadTo(row)
            || failed.contains(row.key.notification) && channels.leadAround(row)
    }

    /// When what a row is about is over.
    private func end(of row: LedgerRow) -> Moment {
        state.about(row.key.notification).meeting.endsAt
    }

    private mutating func add(_ row: LedgerRow) {
        // What is not sent anyway stays as it is until it is.
        if let old = known[row.name] {
            // What somebody wrote goes along with what was just added.
            if let body = row.body,
                let place = result.added.firstIndex(where: { $0.key == row.key && $0.body == nil })
            {
                result.added[place].body = body
            }
            guard old == .superseded, row.state == .planned else { return }
        }
        let row = clocks.timed(row)
        known[row.name] = row.state
        result.added.append(row)
    }
}

/// One notification through one channel, whatever the mail address. People who were merged have two
/// rows for one slot: only one of them may still be sent.
struct DeliverySlot: Hashable {
    let notification: NotificationKey
    let channel: String
    /// Which channel of its kind it is, where there are several.
    let name: String

    init(_ row: LedgerRow) {
        notification = row.key.notification
        channel = row.key.channel
        name = channel == SinkKind.mail.name ? "" : row.key.address
    }

    /// Whose each slot is already: what has arrived or is on its way goes before what may have
    /// arrived, and both go before what only waits.
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
    /// Gives the slot to the row, unless it is another row's; says whether the row has it now.
    mutating func take(_ row: LedgerRow) -> Bool {
        let slot = DeliverySlot(row)
        let owner = self[slot] ?? row.name
        self[slot] = owner
        return owner == row.name
    }
}

extension LedgerRow {
    /// Whether it did not reach its receiver this way, and never will.
    fileprivate var isLost: Bool {
        state == .failed
            || state == .suppressed && key.channel == SinkKind.mail.name && key.address.isEmpty
    }

    /// The row at the times that its notification has now. A reminder that is due already, and an
    /// attempt that waits for its turn, keep their own, unless a clock that was set back has
    /// brought them before the reminder's time.
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
