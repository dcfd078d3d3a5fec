import Agenda
import GRDB
import Ledger
import Timekeeping

/// Limits the messages per hour about one meeting to one person. Rows that had to wait, for this
/// limit or for the person's sending hours, are combined into one message for each channel.
struct FloodWatch {
    struct Flow: Hashable {
        let meeting: String
        let person: PersonID
    }

    private let zones: ZoneDirectory
    private let now: Moment
    private var guards: [Flow: FloodGuard] = [:]
    private var merged: [PersonID: Bool] = [:]

    init(zones: ZoneDirectory, now: Moment) {
        self.zones = zones
        self.now = now
    }

    /// The delivery's row with the due time that the guard allows, and the rows that are sent
    /// together with it. There are such rows only if the person has so many rows that the limit may
    /// be reached, or if their sending hours held the delivery back.
    mutating func look(
        at delivery: Delivery, _ draft: DeliveryHead, in db: Database
    ) throws -> (row: LedgerRow, companions: [Companion]) {
        // The inbox disturbs nobody.
        guard let time = delivery.facts?.meeting.time,
            delivery.row.key.channel != SinkKind.page.name
        else { return (delivery.row, []) }
        let isBusy = try draft.isOneOfMany || hasOtherIDs(delivery, in: db)
        guard isBusy || delivery.row.hasWaited else { return (delivery.row, []) }
        let flow = Flow(delivery)
        let known = try guards[flow] ?? flow.arrivals(now: now, in: db)
        let row = delivery.row.guarded(
            by: known, starts: UrgentStarts(time.startsAt, told: delivery.before?.time.startsAt),
            zone: try zones.zone(time.zone), now: now)
        guards[flow] = known
        guard row.due <= now else { return (row, []) }
        // A delivery that may have arrived is sent again unchanged.
        guard row.state == .planned, row.ambiguities == 0 else { return (row, []) }
        return (
            row,
            try flow.companions(of: delivery.row, id: delivery.id, now: now, in: db)
        )
    }

    /// Counts a delivery that is about to be sent.
    mutating func note(_ delivery: Delivery) {
        guards[Flow(delivery)]?.note(at: now)
    }

    /// True if the person's rows are stored under several IDs.
    private mutating func hasOtherIDs(_ delivery: Delivery, in db: Database) throws -> Bool {
        let id = delivery.person.id
        let receiver = delivery.row.key.notification.receiver
        guard receiver.audience == nil else { return false }
        guard receiver.person == id.text else { return true }
        if let known = merged[id] { return known }
        let found = try Bool.fetchOne(
            db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM person WHERE merged_into = :id)"),
            arguments: ["id": id.text])
        merged[id] = found
        return found == true
    }
}

extension LedgerRow {
    /// True if the person's sending hours held it back, or it waited for others like it.
    fileprivate var hasWaited: Bool {
        guard let hold, hold.wanted < due else { return false }
        return hold.kind == .hours || key.notification.kind.tellsOfSeat
    }
}

/// A row that is sent together with others.
struct Companion {
    let id: Int64
    let row: LedgerRow
    let body: String?
}

extension FloodWatch.Flow {
    fileprivate init(_ delivery: Delivery) {
        self.init(meeting: delivery.row.key.notification.meeting, person: delivery.person.id)
    }

    /// The deliveries in the last hour that arrived, may have arrived, or are under way, through
    /// any channel. Deliveries with a time later than `now` were sent while the clock was ahead and
    /// do not count.
    func arrivals(now: Moment, in db: Database) throws -> FloodGuard {
        let since = now.advanced(byMilliseconds: -FloodGuard.spanMilliseconds)
        let moments = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT at FROM (
                        SELECT a.ended_at AS at FROM delivery d
                        JOIN attempt a ON a.delivery_id = d.id
                        WHERE d.meeting_id = :meeting AND d.person_id IN (
                                SELECT id FROM person WHERE id = :person OR merged_into = :person)
                            AND d.channel <> 'page'
                            AND a.outcome IN ('accepted', 'ambiguous')
                            AND a.ended_at > :since AND a.ended_at <= :now
                        UNION ALL
                        SELECT coalesce(o.at, i.at) FROM delivery d
                        JOIN intent i ON i.delivery_id = d.id
                        LEFT JOIN outcome o ON o.delivery_id = d.id
                        WHERE d.meeting_id = :meeting AND d.person_id IN (
                                SELECT id FROM person WHERE id = :person OR merged_into = :person)
                            AND d.channel <> 'page'
                            AND coalesce(o.outcome, 'accepted') IN ('accepted', 'ambiguous')
                            AND coalesce(o.at, i.at) > :since AND coalesce(o.at, i.at) <= :now
                    ) AS arrivals ORDER BY at DESC LIMIT :limit
                    """),
            arguments: [
                "meeting": meeting, "person": person.text, "since": since.milliseconds,
                "now": now.milliseconds, "limit": FloodGuard.messagesMax,
            ])
        return FloodGuard(arrivals: moments.map(Moment.init(milliseconds:)))
    }

    /// The most rows that are sent as one.
    private static let companionsMax = 1000

    /// The other rows that waited for the guard, or for the same end of quiet hours, in the order
    /// in which they were planned. Rows about one date of a series are not combined with rows about
    /// another.
    func companions(
        of row: LedgerRow, id: Int64, now: Moment, in db: Database
    ) throws -> [Companion] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.*, b.text AS body FROM delivery d LEFT JOIN body b ON b.id = d.body_id
                    WHERE d.meeting_id = :meeting AND d.occurrence = :occurrence
                        AND d.channel = :channel
                        AND d.person_id IN (
                            SELECT id FROM person WHERE id = :person OR merged_into = :person)
                        AND (d.hold = 'flood'
                            OR d.hold = 'hours' AND d.due = :due AND d.wanted < d.due)
                        AND d.state = 'planned' AND d.ambiguities = 0
                        AND d.address = :address AND d.id <> :id AND d.deadline > :now
                        AND NOT EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                    ORDER BY d.id LIMIT :limit
                    """),
            arguments: [
                "meeting": meeting, "occurrence": row.key.notification.occurrence,
                "channel": row.key.channel, "person": person.text,
                "address": row.key.address, "id": id, "due": row.due.milliseconds,
                "now": now.milliseconds, "limit": Self.companionsMax,
            ]
        ).map { Companion(id: $0["id"], row: try LedgerRow(row: $0), body: $0["body"]) }
    }
}

extension LedgerChanges {
    /// Combines several rows that waited together: one of them carries the texts of all, the others
    /// are superseded.
    ///
    /// - Returns: the number of the row that is left.
    static func unite(_ rows: [Companion], now: Moment, in db: Database) throws -> Int64 {
        let survivor = rows[LedgerRow.survivor(of: rows.map(\.row))]
        for other in rows where other.id != survivor.id {
            try turn(
                other.row.name, from: other.row.state, to: .superseded,
                reason: survivor.row.reasonOfCompanions, now: now, in: db)
        }
        let texts = rows.compactMap(\.body)
        guard texts != [survivor.body].compactMap(\.self) else { return survivor.id }
        let body = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO body (author_id, text, written_at)
                    SELECT author_id, :text, :now FROM body WHERE id = :last RETURNING id
                    """),
            arguments: [
                "text": texts.joined(separator: "\n\n"), "now": now.milliseconds,
                "last": rows.compactMap(\.row.body).last,
            ])
        try db.cachedStatement(sql: "UPDATE delivery SET body_id = :body WHERE id = :id").execute(
            arguments: ["body": body, "id": survivor.id])
        return survivor.id
    }
}
