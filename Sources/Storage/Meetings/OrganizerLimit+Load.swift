public import Agenda
import Ledger
import GRDB
import Interchange
import Timekeeping

extension Store {
    /// The present load of an organizer.
    ///
    /// - Parameter limit: the limit, which names the organizer and the times.
    /// - Returns: the load.
    /// - Throws: ``StoreError``.
    public func load(of limit: OrganizerLimit) async throws -> OrganizerLoad {
        try await read { db in try limit.load(in: db) }
    }
}

extension OrganizerLimit {
    /// Checks the limit with all that is saved.
    ///
    /// - Parameter db: the database, in the transaction that adds to the load.
    /// - Throws: the error of ``check``.
    func check(in db: Database) throws { try check(try load(in: db)) }

    fileprivate func load(in db: Database) throws -> OrganizerLoad {
        var load = OrganizerLoad()
        load.invitations =
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM meeting m JOIN answer a ON a.meeting_id = m.id
                        WHERE m.organizer_id = :organizer AND a.answer = 'invited'
                            AND a.answered_at > :since
                        """),
                arguments: ["organizer": organizer.text, "since": since.milliseconds]) ?? 0
        load.deliveries =
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM meeting m JOIN delivery d ON d.meeting_id = m.id
                        WHERE m.organizer_id = :organizer AND m.ends_at > :now
                            AND d.state = 'planned' AND d.due > :now
                        """),
                arguments: ["organizer": organizer.text, "now": now.milliseconds]) ?? 0
        let messages = try counts(
            """
            SELECT d.channel, d.address, coalesce(d.person_id, d.audience) AS receiver, 0 AS day,
                count(*) AS n
            FROM meeting m JOIN delivery d ON d.meeting_id = m.id
            WHERE m.organizer_id = :organizer AND m.ends_at > :since
                AND d.planned_at > :since AND d.kind IN (
                    'invitation', 'change', 'cancellation', 'nudge', 'message')
            GROUP BY d.channel, d.address, coalesce(d.person_id, d.audience)
            """, in: db)
        load.messages = messages.values.reduce(0, +)
        load.messagesToOne = messages.values.max() ?? 0
        load.remindersToOne =
            try counts(
                """
                SELECT d.channel, d.address, coalesce(d.person_id, d.audience) AS receiver,
                    d.due / 86400000 AS day, count(*) AS n
                FROM meeting m JOIN delivery d ON d.meeting_id = m.id
                WHERE m.organizer_id = :organizer AND m.ends_at > :since
                    AND d.due > :since AND d.kind = 'reminder'
                    AND coalesce(d.person_id, '') <> m.organizer_id
                    AND d.state NOT IN ('superseded', 'suppressed', 'expired')
                GROUP BY d.channel, d.address, coalesce(d.person_id, d.audience),
                    d.due / 86400000
                """, in: db
            ).values.max() ?? 0
        load.series =
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM meeting
                        WHERE organizer_id = :organizer AND planned_until IS NOT NULL
                            AND status = 'confirmed' AND ends_at > :now
                        """),
                arguments: ["organizer": organizer.text, "now": now.milliseconds]) ?? 0
        return load
    }

    /// The numbers of deliveries by mailbox, or by channel, and day.
    private func counts(_ sql: String, in db: Database) throws -> [Receiving: Int] {
        let arguments: StatementArguments = [
            "organizer": organizer.text, "since": since.milliseconds,
        ]
        return try Dictionary(
            Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map { row in
                let address: String = row["address"]
                let receiver = address.isEmpty ? row["receiver"] : MailAddress.mailbox(of: address)
                return (
                    Receiving(channel: row["channel"], receiver: receiver, day: row["day"]),
                    row["n"]
                )
            }, uniquingKeysWith: +)
    }
}

/// A receiver, and a day on which they get something.
private struct Receiving: Hashable {
    let channel: String
    let receiver: String
    let day: Int64
}
