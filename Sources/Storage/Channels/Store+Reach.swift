public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The delivery that shows whether a person of a meeting is reached.
public struct ReachRow: Sendable {
    /// The person.
    public let person: PersonID
    /// The state of the delivery.
    public let state: DeliveryState
    /// The reason for its state; not empty if the delivery failed or is suppressed.
    public let reason: String
    /// The sink.
    public let channel: String
    /// The address; empty if there is none.
    public let address: String
    /// The start of the last attempt; `nil` if there was none.
    public let triedAt: Moment?
    /// The report that it bounced after the last attempt; `nil` if there is none.
    public let bounce: String?
    /// True if the person answered themselves after the last attempt.
    public let isAnswered: Bool
}

extension Store {
    /// The beginning of the reason that records a bounce.
    public static let bounceMark = "bounced: "

    /// The deliveries of a meeting to single people that wait, were taken, failed, or are
    /// suppressed because the address is missing or is a suppressed one, the oldest first. Those to
    /// addresses that are no longer in use are left out. A merged person is read as the person they
    /// were merged into.
    public func reach(in meeting: MeetingID) async throws -> [ReachRow] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT r.person_id, r.state, r.reason, r.channel, r.address, r.tried_at,
                            (SELECT max(t.reason) FROM delivery_turn t
                                WHERE t.delivery_id = r.id AND t.reason LIKE 'bounced: %'
                                    AND t.at > r.tried_at) AS bounce,
                            EXISTS (SELECT 1 FROM answer w
                                WHERE w.meeting_id = :id AND w.person_id = r.person_id
                                    AND w.answered_by IS NULL
                                    AND w.answer IN ('going', 'maybe', 'declined')
                                    AND w.answered_at > r.tried_at) AS is_answered
                        FROM (
                            SELECT d.id, coalesce(p.merged_into, p.id) AS person_id, d.state,
                                d.reason, d.channel, d.address,
                                (SELECT max(a.at) FROM attempt_now a
                                    WHERE a.delivery_id = d.id) AS tried_at
                            FROM delivery_now d JOIN person p ON p.id = d.person_id
                            WHERE d.meeting_id = :id
                                AND (d.state IN ('planned', 'accepted', 'failed')
                                    OR d.state = 'suppressed'
                                        AND (d.hold = 'list' OR d.reason LIKE :missing))
                                AND (d.channel <> 'mail' OR d.address = ''
                                    OR EXISTS (
                                        SELECT 1 FROM person_address a
                                        WHERE a.person_id = coalesce(p.merged_into, p.id)
                                            AND a.address = d.address)
                                    OR EXISTS (
                                        SELECT 1 FROM channel c
                                        WHERE c.person_id = coalesce(p.merged_into, p.id)
                                            AND c.sink = 'mail' AND c.target = d.address))
                        ) AS r
                        ORDER BY r.id
                        """),
                arguments: ["id": meeting.text, "missing": LedgerRow.missingAddressMark + "%"]
            ) { row in
                ReachRow(
                    person: PersonID(text: row["person_id"]),
                    state: try StoredValue.decode(row["state"]), reason: row["reason"],
                    channel: row["channel"], address: row["address"],
                    triedAt: (row["tried_at"] as Int64?).map(Moment.init(milliseconds:)),
                    bounce: row["bounce"], isAnswered: row["is_answered"])
            }
        }
    }

    /// The coming meetings about which a mail came back or was refused.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - limit: the most meetings.
    /// - Returns: the meetings, by id.
    /// - Throws: ``StoreError``.
    public func meetingsWithLostMail(now: Moment, limit: Int) async throws -> [MeetingID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT DISTINCT d.meeting_id FROM delivery d
                        WHERE d.state = 'failed' AND d.channel = 'mail' AND d.deadline > :now
                            AND d.meeting_id IS NOT NULL
                        ORDER BY d.meeting_id LIMIT :limit
                        """), arguments: ["now": now.milliseconds, "limit": limit])
        }.map { MeetingID(text: $0) }
    }

    /// The suppressions of addresses that bounced, as far as mail would be sent there now: to a
    /// person or through a channel.
    ///
    /// - Parameters:
    ///   - now: the current time.
    ///   - limit: the most suppressions that are read.
    /// - Returns: the suppressions.
    /// - Throws: ``StoreError``.
    public func bouncedAddresses(now: Moment, limit: Int) async throws -> [Suppression] {
        try await read { db in
            let channels = Set(
                try ChannelRows.mailing(in: db).compactMap(\.address).map(PersonAddresses.folded))
            return try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT address, channel, origin, reason, since, until FROM suppression
                        WHERE origin = 'bounce' AND (until IS NULL OR until > :now)
                        ORDER BY folded, channel LIMIT :limit
                        """), arguments: ["now": now.milliseconds, "limit": limit]
            ).map(Suppression.init(row:)).filter { entry in
                let folded = PersonAddresses.folded(entry.address)
                guard !channels.contains(folded) else { return true }
                return try PersonAddresses.isFirst(folded, in: db)
            }
        }
    }

    /// The number of people without an address to whom nothing is sent about coming meetings.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the number of people.
    /// - Throws: ``StoreError``.
    public func countPeopleWithoutAddress(now: Moment) async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(DISTINCT coalesce(p.merged_into, p.id))
                        FROM delivery d
                        JOIN person p ON p.id = d.person_id
                        WHERE d.state = 'suppressed' AND d.deadline > :now
                            AND d.reason LIKE :missing
                            AND NOT EXISTS (
                                SELECT 1 FROM person_address a
                                WHERE a.person_id = coalesce(p.merged_into, p.id))
                        """),
                arguments: [
                    "now": now.milliseconds, "missing": LedgerRow.missingAddressMark + "%",
                ]) ?? 0
        }
    }
}
