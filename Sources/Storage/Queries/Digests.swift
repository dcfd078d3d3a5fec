public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A text that waits for the end of its person's quiet hours.
public struct HeldNote: Sendable {
    /// Its row.
    public let row: LedgerRow
    /// The title of its meeting.
    public let title: String
    /// Who wrote it.
    public let author: String
    /// What they wrote.
    public let text: String
}

/// What is told about no meeting, put into words already, by each way in a row of its own.
public struct WrittenLetter: Sendable {
    /// The rows.
    public let rows: [LedgerRow]
    /// In whose name.
    public let author: PersonID
    /// A line for the subject, and the text below it.
    public let text: String
    /// The rows that it tells in their place.
    public var told: [LedgerRow] = []

    /// Puts a letter together.
    public init(rows: [LedgerRow], author: PersonID, text: String, told: [LedgerRow] = []) {
        self.rows = rows
        self.author = author
        self.text = text
        self.told = told
    }
}

extension Store {
    /// Those who want digests of this period, by id: a page of what follows `last`.
    public func digestReaders(
        of period: DigestPeriod, after last: PersonID?, limit: Int
    ) async throws -> [Person] {
        try await read { db in
            let ids = try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.person_id FROM digest_policy d
                        WHERE d.period = :period AND d.person_id > :last
                        ORDER BY d.person_id LIMIT :limit
                        """),
                arguments: ["period": period.rawValue, "last": last?.text ?? "", "limit": limit])
            return try ids.compactMap { try Person.fetch(PersonID(text: $0), in: db) }
        }
    }

    /// What was written to somebody and waits for the end of their quiet hours, the earliest first.
    public func heldNotes(to person: PersonID, limit: Int) async throws -> [HeldNote] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.*, m.title AS title, b.text AS text, a.name AS author
                        FROM delivery d
                        JOIN meeting m ON m.id = d.meeting_id
                        JOIN body b ON b.id = d.body_id
                        JOIN person a ON a.id = b.author_id
                        WHERE d.person_id = :person AND d.state = 'planned' AND d.hold = 'hours'
                            AND d.kind IN ('message', 'nudge') AND NOT EXISTS (
                                SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        ORDER BY b.written_at, d.id LIMIT :limit
                        """), arguments: ["person": person.text, "limit": limit]
            ).map { row in
                HeldNote(
                    row: try LedgerRow(row: row), title: row["title"], author: row["author"],
                    text: row["text"])
            }
        }
    }

    /// Plans a letter, unless it was planned before: then nothing is saved.
    ///
    /// - Returns: whether it is new.
    @discardableResult
    public func plan(_ letter: WrittenLetter, now: Moment) async throws -> Bool {
        try await write { db in try letter.plan(now: now, in: db) }
    }
}

extension WrittenLetter {
    func plan(now: Moment, in db: Database) throws -> Bool {
        let known = try rows.contains { row in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM delivery WHERE key = :key)"),
                arguments: ["key": row.name]) ?? false
        }
        guard !known, !rows.isEmpty else { return false }
        let body = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    INSERT INTO body (author_id, text, written_at) VALUES (:author, :text, :now)
                    RETURNING id
                    """), arguments: ["author": author.text, "text": text, "now": now.milliseconds])
        for row in rows { try LedgerChanges.plan(row, bodyID: body, now: now, in: db) }
        let names = rows.map { String($0.name.prefix(8)) }.joined(separator: ", ")
        try LedgerChanges.supersede(told, reason: "told in the digest \(names)", now: now, in: db)
        return true
    }
}
