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
    /// The report that it bounced; `nil` if there is none.
    public let bounce: String?
}

extension Store {
    /// The beginning of the reason that records a bounce.
    public static let bounceMark = "bounced: "

    /// The deliveries of a meeting to single people that wait, were taken, failed, or are
    /// suppressed because the address is missing or is a suppressed one, the oldest first. A merged
    /// person is read as the person they were merged into.
    public func reach(in meeting: MeetingID) async throws -> [ReachRow] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT coalesce(p.merged_into, d.person_id) AS person_id, d.state, d.reason,
                            d.channel, d.address,
                            (SELECT max(t.reason) FROM delivery_turn t
                                WHERE t.delivery_id = d.id AND t.reason LIKE 'bounced: %')
                                AS bounce
                        FROM delivery_now d JOIN person p ON p.id = d.person_id
                        WHERE d.meeting_id = :id AND (d.state IN ('planned', 'accepted', 'failed')
                            OR d.state = 'suppressed'
                                AND (d.hold = 'list' OR d.reason LIKE :missing))
                        ORDER BY d.id
                        """),
                arguments: ["id": meeting.text, "missing": LedgerRow.missingAddressMark + "%"]
            ) { row in
                ReachRow(
                    person: PersonID(text: row["person_id"]),
                    state: try StoredValue.decode(row["state"]), reason: row["reason"],
                    channel: row["channel"], address: row["address"],
                    bounce: row["bounce"])
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
