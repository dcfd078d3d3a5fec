public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A text that waits for the end of its reader's quiet hours, or whose digest was not delivered.
public struct HeldMessage: Sendable {
    /// The number of the text.
    public let id: Int64
    /// The keys of its rows, one for each channel.
    public internal(set) var keys: [String]
    /// The title of its meeting.
    public let title: String
    /// The author's name.
    public let author: String
    /// The text.
    public let text: String
}

/// A notification about no meeting. Its text is already written; it has one row for each channel.
public struct PreparedMessage: Sendable {
    /// The rows.
    public let rows: [LedgerRow]
    /// The author.
    public let author: PersonID
    /// A subject line, followed by the text.
    public let text: String
    /// The held messages that it includes and replaces.
    public var told: [HeldMessage] = []

    /// Creates a prepared message.
    public init(rows: [LedgerRow], author: PersonID, text: String, told: [HeldMessage] = []) {
        self.rows = rows
        self.author = author
        self.text = text
        self.told = told
    }

    /// The result of planning a message.
    public enum Outcome: Sendable {
        /// It is planned.
        case planned
        /// It was planned before; nothing is saved.
        case known
        /// The held messages have changed; nothing is saved.
        case outdated
    }
}

extension Store {
    /// The people who want digests of this period, by ID: the page after `last`.
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

    /// The texts to a person that wait for the end of their quiet hours, or whose digest was not
    /// delivered; the earliest first.
    public func heldNotes(
        to person: PersonID, now: Moment, limit: Int
    ) async throws -> [HeldMessage] {
        try await read { db in try HeldMessage.fetch(to: person, now: now, limit: limit, in: db) }
    }

    /// Plans a message, unless it was planned before or the messages that it includes have changed.
    @discardableResult
    public func plan(_ delivery: PreparedMessage, now: Moment) async throws
        -> PreparedMessage.Outcome
    {
        try await write { db in try delivery.plan(now: now, in: db) }
    }
}

extension HeldMessage {
    /// Rows that wait for the end of quiet hours, and rows that were moved into a digest that is
    /// closed without having been delivered.
    private static let condition = """
        d.kind IN ('message', 'nudge') AND d.deadline > :now AND (
            d.state = 'planned' AND d.hold = 'hours' AND NOT EXISTS (
                SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
            OR d.state = 'superseded' AND EXISTS (
                SELECT 1 FROM delivery t WHERE t.id = d.told_in
                    AND t.state IN ('expired', 'failed', 'suppressed', 'superseded')))
        """

    fileprivate static func fetch(
        to person: PersonID, now: Moment, limit: Int, in db: Database
    ) throws -> [HeldMessage] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT b.id, d.key, m.title AS title, b.text AS text, a.name AS author
                    FROM delivery d
                    JOIN meeting m ON m.id = d.meeting_id
                    JOIN body b ON b.id = d.body_id
                    JOIN person a ON a.id = b.author_id
                    WHERE d.person_id = :person AND \(condition)
                    ORDER BY b.written_at, b.id, d.id
                    """), arguments: ["person": person.text, "now": now.milliseconds])
        var notes: [HeldMessage] = []
        for row in rows {
            if notes.last?.id == row["id"] {
                notes[notes.count - 1].keys.append(row["key"])
            } else if notes.count < limit {
                notes.append(
                    HeldMessage(
                        id: row["id"], keys: [row["key"]], title: row["title"],
                        author: row["author"], text: row["text"]))
            } else {
                break
            }
        }
        return notes
    }

    /// Marks the text as included in a digest.
    ///
    /// - Returns: whether all of its rows still had to be sent.
    fileprivate func tell(in digest: String, now: Moment, in db: Database) throws -> Bool {
        for key in keys {
            let row = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT d.state FROM delivery d
                        WHERE d.key = :key AND d.body_id = :body AND \(Self.condition)
                        """), arguments: ["key": key, "body": id, "now": now.milliseconds])
            guard let row else { return false }
            let state: DeliveryState = try StoredValue.decode(row["state"])
            if state == .planned {
                try LedgerChanges.turn(
                    key, from: state, to: .superseded,
                    reason: "included in the digest \(digest.prefix(8))", now: now, in: db)
            }
            try db.cachedStatement(
                sql: """
                    UPDATE delivery SET told_in = (SELECT id FROM delivery WHERE key = :digest)
                    WHERE key = :key
                    """
            ).execute(arguments: ["digest": digest, "key": key])
        }
        return true
    }
}

extension PreparedMessage {
    /// Plans the rows in a savepoint, and rolls back if the included messages have changed.
    func plan(now: Moment, in db: Database) throws -> Outcome {
        var outcome = Outcome.known
        try db.inSavepoint {
            outcome = try carryOut(now: now, in: db)
            return outcome == .planned ? .commit : .rollback
        }
        return outcome
    }

    private func carryOut(now: Moment, in db: Database) throws -> Outcome {
        let known = try rows.contains { row in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM delivery WHERE key = :key)"),
                arguments: ["key": row.name]) ?? false
        }
        guard !known, let first = rows.first else { return .known }
        let body = try LedgerChanges.insertBody(text, by: author, now: now, in: db)
        for row in rows { try LedgerChanges.plan(row, bodyID: body, now: now, in: db) }
        let digest = rows.first { $0.state == .planned } ?? first
        let isTold = try told.allSatisfy { try $0.tell(in: digest.name, now: now, in: db) }
        return isTold ? .planned : .outdated
    }
}
