public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The sinks with which coming meetings were planned, as text; `nil` if never saved.
    public func plannedSinks() async throws -> String? {
        try await read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT sinks FROM installation WHERE sinks IS NOT NULL"))
        }
    }

    /// Saves the sinks with which all coming meetings are planned, or are about to be.
    ///
    /// - Parameters:
    ///   - sinks: the sinks.
    ///   - since: the time from which a newly enabled sink reports everything in the installation,
    ///     and nothing from before; `nil` leaves it unchanged.
    /// - Throws: ``StoreError``.
    public func savePlannedSinks(_ sinks: String, tellingAllSince since: Moment? = nil) async throws
    {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE installation
                    SET sinks = :sinks, told_since = coalesce(:since, told_since)
                    """
            ).execute(arguments: ["sinks": sinks, "since": since?.milliseconds])
        }
    }

    /// Replans a page of the meetings that are not over or still have deliveries to send, in the
    /// order of their IDs.
    ///
    /// - Parameters:
    ///   - last: the meeting before the page; `nil` for the first page.
    ///   - now: the current time.
    ///   - limit: the most meetings.
    ///   - replanning: replans a meeting.
    /// - Returns: the last meeting of the page, `nil` when none is left; how many meetings need
    ///   other deliveries now, and which of them failed.
    /// - Throws: ``StoreError``.
    public func replanComing(
        after last: MeetingID?, now: Moment, limit: Int, replanning: @escaping Replanning
    ) async throws -> (last: MeetingID?, count: ReplanCount) {
        try await write { db in
            let ids = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT m.id FROM meeting m WHERE m.id > :last AND (
                            m.ends_at > :now OR EXISTS (
                                SELECT 1 FROM delivery d
                                WHERE d.meeting_id = m.id AND d.deadline > :now
                                    AND d.state IN ('planned', 'ambiguous', 'parked')))
                        ORDER BY m.id LIMIT :limit
                        """),
                arguments: ["last": last?.text ?? "", "now": now.milliseconds, "limit": limit]
            ).map(MeetingID.init(text:))
            return (ids.last, try MeetingBundle.replanAndCount(ids, by: replanning, in: db))
        }
    }

    /// Moves a page of the waiting deliveries about no meeting to other channels, in the order of
    /// their numbers.
    ///
    /// - Parameters:
    ///   - last: the delivery before the page; 0 for the first page.
    ///   - now: the current time.
    ///   - limit: the most deliveries to look at.
    ///   - rerouting: returns the rows that replace a row.
    /// - Returns: the last delivery of the page, `nil` when none is left; and how many were moved.
    /// - Throws: ``StoreError``.
    public func rerouteDeliveries(
        after last: Int64, now: Moment, limit: Int, rerouting: @escaping Rerouting
    ) async throws -> (last: Int64?, count: Int) {
        try await write { db in
            let waiting = try WaitingDelivery.fetch(after: last, now: now, limit: limit, in: db)
            let moved = try waiting.filter { try $0.move(by: rerouting, now: now, in: db) }
            return (waiting.last?.id, moved.count)
        }
    }
}

/// Returns the rows that replace a row about no meeting, given its person and their channels; empty
/// if the row stays.
public typealias Rerouting = @Sendable (LedgerRow, Person, [OwnChannel]) -> [LedgerRow]

/// A waiting delivery about no meeting.
private struct WaitingDelivery {
    let id: Int64
    let row: LedgerRow
    /// The number of its text.
    let body: Int64?

    static func fetch(
        after last: Int64, now: Moment, limit: Int, in db: Database
    ) throws -> [WaitingDelivery] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.id, d.key, d.meeting_id, d.occurrence, d.kind, d.mark, d.channel,
                        d.address, d.due, d.deadline, d.state, d.reason, d.ambiguities, d.hold,
                        d.wanted, d.body_id, d.audience,
                        coalesce(p.merged_into, d.person_id) AS person_id
                    FROM delivery_now d JOIN person p ON p.id = d.person_id
                    WHERE d.meeting_id IS NULL AND d.id > :last AND d.deadline > :now
                        AND d.state IN ('planned', 'ambiguous', 'parked')
                    ORDER BY d.id LIMIT :limit
                    """),
            arguments: ["last": last, "now": now.milliseconds, "limit": limit]
        ).map { row in
            WaitingDelivery(id: row["id"], row: try LedgerRow(row: row), body: row["body_id"])
        }
    }

    /// - Returns: whether other rows replaced it.
    func move(by rerouting: Rerouting, now: Moment, in db: Database) throws -> Bool {
        guard let id = row.key.notification.receiver.person.map(PersonID.init(text:)),
            let person = try Person.fetch(id, in: db)
        else { return false }
        let own = try ChannelRows.fetch(of: [id], circles: [], in: db).map(\.channel)
        let rows = rerouting(row, person, own.filter { $0.receiver == .person(id.text) })
        guard let heir = rows.first(where: { $0.state == .planned }) ?? rows.first else {
            return false
        }
        try LedgerChanges.supersede([row], reason: "the delivery method changed", now: now, in: db)
        for row in rows { try LedgerChanges.plan(row, bodyID: body, now: now, in: db) }
        // The new row takes over the messages that the old one included.
        try db.cachedStatement(
            sql: """
                UPDATE delivery SET told_in = (SELECT id FROM delivery WHERE key = :heir)
                WHERE told_in = :id
                """
        ).execute(arguments: ["heir": heir.name, "id": self.id])
        return true
    }
}
