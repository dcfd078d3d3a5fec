import Agenda
import GRDB
import Ledger

/// The reminders of one meeting for one person.
enum Reminders {
    /// The most reminders that are read: enough for all that a meeting can have, snoozes included.
    private static let siblingsMax = 1000

    /// The other reminders through the same channel that wait, are being sent, or were sent.
    static func siblings(of delivery: Delivery, in db: Database) throws -> [LedgerRow] {
        let key = delivery.row.key
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.key, d.meeting_id, d.occurrence, d.person_id, d.audience, d.kind,
                        d.mark, d.channel, d.address, d.due, d.deadline, d.state, d.reason,
                        d.ambiguities, d.hold, d.wanted, d.body_id
                    FROM delivery_now d
                    WHERE d.meeting_id = :meeting AND \(delivery.receiver.condition)
                        AND (d.channel = 'mail' OR d.address = :address)
                        AND d.occurrence = :occurrence AND d.channel = :channel
                        AND d.kind = 'reminder' AND d.id <> :id
                        AND d.state IN ('planned', 'claimed', 'ambiguous', 'accepted')
                    ORDER BY d.id LIMIT :limit
                    """),
            arguments: [
                "meeting": key.notification.meeting, "receiver": delivery.receiver.text,
                "occurrence": key.notification.occurrence, "channel": key.channel,
                "address": key.address, "id": delivery.id, "limit": siblingsMax,
            ]
        ).map(LedgerRow.init(row:))
    }
}
