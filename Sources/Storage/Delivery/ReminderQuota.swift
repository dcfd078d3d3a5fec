import Agenda
import GRDB
import Ledger
import Interchange
import Timekeeping

/// Limits the reminders that the meetings of one member send to a mailbox or channel within 24
/// hours. A change of a meeting is checked when it is made, but a series goes on, channels are
/// added, and addresses change. The owner of the installation has no limit.
struct ReminderQuota {
    /// The most reminders to one mailbox or channel within 24 hours.
    static let remindersMax = 100
    /// The reason of a reminder that is over the limit.
    static let reason =
        "the organizer's meetings sent \(remindersMax) reminders to this address within 24 hours"
    private static let spanSeconds: Int64 = 86_400

    private let now: Moment
    private var owner: String??
    private var sent: [PersonID: [String: Int]] = [:]

    init(now: Moment) { self.now = now }

    /// True if a delivery is a reminder, and as many as allowed were sent.
    mutating func isUsedUp(by delivery: Delivery, in db: Database) throws -> Bool {
        guard let organizer = try member(organizing: delivery, in: db) else { return false }
        let counts = try sent[organizer] ?? counts(of: organizer, in: db)
        sent[organizer] = counts
        return counts[Self.receiver(of: delivery), default: 0] >= Self.remindersMax
    }

    /// Counts a delivery that is about to be sent.
    mutating func note(_ delivery: Delivery) {
        guard let organizer = delivery.facts?.organizer.id, sent[organizer] != nil,
            delivery.row.key.notification.kind == .reminder
        else { return }
        sent[organizer]?[Self.receiver(of: delivery), default: 0] += 1
    }

    /// The organizer of the meeting of which a delivery reminds; `nil` if it is no reminder, or if
    /// the organizer owns the installation.
    private mutating func member(
        organizing delivery: Delivery, in db: Database
    ) throws -> PersonID? {
        guard delivery.row.key.notification.kind == .reminder,
            let organizer = delivery.facts?.organizer.id
        else { return nil }
        if owner == nil {
            owner = .some(
                try String.fetchOne(
                    db.cachedStatement(sql: "SELECT owner_id FROM installation")))
        }
        return owner == organizer.text ? nil : organizer
    }

    private static func receiver(of delivery: Delivery) -> String {
        let key = delivery.row.key
        return receiver(
            on: key.channel, at: key.address, or: key.notification.receiver.person ?? "")
    }

    private static func receiver(
        on channel: String, at address: String, or person: String
    ) -> String {
        address.isEmpty ? "\(channel) \(person)" : MailAddress.mailbox(of: address)
    }

    /// The reminders of an organizer's meetings that were sent, or are being sent, by receiver.
    private func counts(of organizer: PersonID, in db: Database) throws -> [String: Int] {
        let since = now.advanced(bySeconds: -Self.spanSeconds)
        return try Dictionary(
            Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.channel, d.address, coalesce(d.person_id, '') AS receiver,
                            count(*) AS n
                        FROM meeting m JOIN delivery d ON d.meeting_id = m.id
                        WHERE m.organizer_id IN (
                                SELECT id FROM person
                                WHERE id = :organizer OR merged_into = :organizer)
                            AND m.ends_at > :since AND d.kind = 'reminder'
                            AND d.due > :since AND d.due <= :now
                            AND (d.state IN ('accepted', 'ambiguous') OR EXISTS (
                                SELECT 1 FROM intent i WHERE i.delivery_id = d.id))
                        GROUP BY d.channel, d.address, coalesce(d.person_id, '')
                        """),
                arguments: [
                    "organizer": organizer.text, "since": since.milliseconds,
                    "now": now.milliseconds,
                ]
            ).map {
                (
                    Self.receiver(on: $0["channel"], at: $0["address"], or: $0["receiver"]),
                    $0["n"]
                )
            }, uniquingKeysWith: +)
    }
}
