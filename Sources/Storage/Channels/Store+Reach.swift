public import Agenda
import GRDB
public import Ledger

/// The delivery that shows whether a person of a meeting is reached.
public struct ReachRow: Sendable {
    /// The person.
    public let person: PersonID
    /// The state of the delivery.
    public let state: DeliveryState
    /// The reason for its state; not empty if the address is suppressed.
    public let reason: String
    /// The report that it bounced; `nil` if there is none.
    public let bounce: String?
}

extension Store {
    /// The beginning of the reason that records a bounce.
    public static let bounceMark = "bounced: "

    /// The deliveries of a meeting to single people that wait, were taken, or go to suppressed
    /// addresses, the oldest first. A merged person is read as the person they were merged into.
    public func reach(in meeting: MeetingID) async throws -> [ReachRow] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT coalesce(p.merged_into, d.person_id) AS person_id, d.state, d.reason,
                            (SELECT max(t.reason) FROM delivery_turn t
                                WHERE t.delivery_id = d.id AND t.reason LIKE 'bounced: %')
                                AS bounce
                        FROM delivery_now d JOIN person p ON p.id = d.person_id
                        WHERE d.meeting_id = :id AND (d.state = 'planned' OR d.state = 'accepted'
                            OR d.state = 'suppressed' AND d.hold = 'list')
                        ORDER BY d.id
                        """), arguments: ["id": meeting.text]
            ) { row in
                ReachRow(
                    person: PersonID(text: row["person_id"]),
                    state: try StoredValue.decode(row["state"]), reason: row["reason"],
                    bounce: row["bounce"])
            }
        }
    }
}
