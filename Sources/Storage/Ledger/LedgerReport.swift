public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// One attempt at a delivery, as the ledger keeps it.
public struct AttemptRecord: Equatable, Sendable {
    /// When it was begun.
    public let at: Moment
    /// How it ended; `nil` while it is under way, or when its worker died.
    public let outcome: AttemptOutcome?
    /// The receiver's code.
    public let code: String
    /// The receiver's words.
    public let reply: String
}

/// A turn of state that no attempt explains.
public struct StateChangeRecord: Equatable, Sendable {
    /// When.
    public let at: Moment
    /// The state from then on.
    public let state: DeliveryState
    /// Why; empty when planned for the first time.
    public let reason: String
}

/// A row of the ledger with what it is about, in words.
public struct DeliveryRecord: Sendable {
    /// The row.
    public let row: LedgerRow
    /// The person's name.
    public let personName: String
    /// Where mail to the person goes now; empty when no address is known.
    public let personAddress: String
    /// The meeting's title; empty where it is about none.
    public let meetingTitle: String
    /// The text it carries, where somebody wrote one.
    public let body: String?
}

/// A row of the ledger with all that happened to it.
public struct DeliveryStory: Sendable {
    /// The row, and what it is about.
    public let record: DeliveryRecord
    /// Its attempts, the earliest first.
    public let attempts: [AttemptRecord]
    /// Its turns, the earliest first.
    public let turns: [StateChangeRecord]
}

/// Which rows of the ledger are asked for.
public struct LedgerFilter: Sendable {
    /// Only these states; empty for all.
    public var states: Set<DeliveryState> = []
    /// Only this meeting.
    public var meeting: MeetingID?
    /// Only this person.
    public var person: PersonID?
    /// Only this audience.
    public var audience: String?
    /// Only what is about this.
    public var kind: NotificationKind?
    /// Only what is due from this moment on.
    public var dueFrom: Moment?
    /// Only what is due up to this moment.
    public var dueThrough: Moment?
    /// Only what would come in time, were it sent at this moment or when it is due.
    public var usefulAt: Moment?
    /// Only keys that begin so.
    public var keyPrefix: String?
    /// The most rows to return.
    public var limit: Int

    /// A filter that lets through everything, up to `limit` rows.
    public init(limit: Int) {
        self.limit = limit
    }
}

extension Store {
    /// The rows that pass the filter, by time and key.
    ///
    /// Those under way are few, and stand otherwise than their rows say: they are asked for apart,
    /// so that the indexes serve for all the others.
    public func deliveries(_ filter: LedgerFilter) async throws -> [DeliveryRecord] {
        try await read { db in
            try Self.read(filter, in: db) { try DeliveryRecord(row: $0) }
        }
    }

    /// The same, each with its story: two questions more for each row.
    public func stories(_ filter: LedgerFilter) async throws -> [DeliveryStory] {
        try await read { db in try Self.stories(filter, in: db) }
    }

    private static func stories(
        _ filter: LedgerFilter, in db: Database
    ) throws -> [DeliveryStory] {
        try read(filter, in: db) { try DeliveryStory(row: $0, in: db) }
    }

    private static func read<Value>(
        _ filter: LedgerFilter, in db: Database, as value: (Row) throws -> Value
    ) throws -> [Value] {
        let (condition, arguments) = filter.condition
        let statement = try db.makeStatement(
            sql: """
                SELECT p.id AS person_id,
                    coalesce(
                        p.name, c.name,
                        CASE WHEN f.audience LIKE 'meeting %' THEN m.title END, f.audience, '')
                        AS person_name,
                    coalesce((
                        SELECT a.address FROM person_address a WHERE a.person_id = p.id
                        ORDER BY a.position, a.folded LIMIT 1), '') AS person_address,
                    coalesce(m.title, '') AS meeting_title, b.text AS body, f.*
                FROM (
                    SELECT * FROM (
                        SELECT \(Self.deliveryColumns) FROM delivery d
                        WHERE \(condition) AND NOT EXISTS (
                            SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        ORDER BY d.due, d.id LIMIT :limit) AS resting
                    UNION ALL
                    SELECT \(Self.deliveryColumns)
                    FROM intent i JOIN delivery_now d ON d.id = i.delivery_id
                    WHERE \(condition)
                ) AS f
                LEFT JOIN person r ON r.id = f.person_id
                LEFT JOIN person p ON p.id = coalesce(r.merged_into, r.id)
                LEFT JOIN circle c ON c.id = substr(f.audience, \(Audience.circleIDPlace))
                LEFT JOIN meeting m ON m.id = f.meeting_id
                LEFT JOIN body b ON b.id = f.body_id
                ORDER BY f.due, f.id LIMIT :limit
                """)
        return try Row.read(statement, arguments: arguments, as: value)
    }

    private static let deliveryColumns = """
        d.id, d.key, d.meeting_id, d.occurrence, d.person_id, d.audience, d.kind, d.mark,
        d.channel, d.address, d.due, d.deadline, d.state, d.reason, d.ambiguities, d.body_id,
        d.hold, d.wanted
        """

    /// How many rows stand in each state.
    public func deliveryCounts() async throws -> [DeliveryState: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT state, count(*) AS n FROM delivery GROUP BY state
                        UNION ALL
                        SELECT d.state, -count(*)
                        FROM intent i JOIN delivery d ON d.id = i.delivery_id GROUP BY d.state
                        UNION ALL
                        SELECT d.state, count(*)
                        FROM intent i JOIN delivery_now d ON d.id = i.delivery_id GROUP BY d.state
                        """))
            return try Dictionary(
                rows.map { (try StoredValue.decode($0["state"]), $0["n"]) },
                uniquingKeysWith: +
            ).filter { $0.value > 0 }
        }
    }

    /// How late accepted deliveries were begun, in milliseconds, those due last, at most `limit`.
    public func latenesses(limit: Int) async throws -> [Int64] {
        try await read { db in
            try Int64.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT CASE WHEN a.at > d.due THEN a.at - d.due ELSE 0 END
                        FROM delivery d JOIN attempt a ON a.delivery_id = d.id AND a.number = 1
                        WHERE d.state = 'accepted' AND a.outcome = 'accepted'
                        ORDER BY d.due DESC LIMIT :limit
                        """), arguments: ["limit": limit])
        }
    }

    /// Turns deliveries to another state by hand: all of them, or none.
    ///
    /// - Parameters:
    ///   - keys: which.
    ///   - state: to which state.
    ///   - reason: why, for people.
    ///   - now: the clock.
    ///   - saving: whether to save it.
    ///   - change: says how a row is to stand: its times, and what holds it back; throws where it
    ///     may not be turned. It sees the meeting, where there is one, as the ones before it in the
    ///     list have left it.
    /// - Returns: the deliveries as they stand then, in the order of their keys.
    /// - Throws: ``StoreError``, and what `change` throws; nothing is turned then.
    public func turnDeliveries(
        keys: [String], to state: DeliveryState, reason: String, now: Moment, saving: Bool,
        change: @escaping @Sendable (LedgerRow, MeetingBundle?) throws -> LedgerRow
    ) async throws -> [DeliveryStory] {
        try await write { db in
            var turned: [DeliveryStory] = []
            try db.inSavepoint {
                for key in keys {
                    try Self.turn(
                        key, to: state, reason: reason, now: now, change: change, in: db)
                    var filter = LedgerFilter(limit: 1)
                    filter.keyPrefix = key
                    turned += try Self.stories(filter, in: db)
                }
                return saving ? .commit : .rollback
            }
            return turned
        }
    }

    private static func turn(
        _ key: String, to state: DeliveryState, reason: String, now: Moment,
        change: (LedgerRow, MeetingBundle?) throws -> LedgerRow, in db: Database
    ) throws {
        var filter = LedgerFilter(limit: 1)
        filter.keyPrefix = key
        guard var row = try read(filter, in: db, as: LedgerRow.init(row:)).first else { return }
        let meeting = row.key.notification.meeting
        let bundle =
            meeting.isEmpty ? nil : try MeetingBundle.fetch(MeetingID(text: meeting), in: db)
        row = bundle?.rows.first { $0.name == key } ?? row
        var changed = try change(row, bundle)
        changed.due = max(changed.due, now)
        try LedgerChanges.turn(
            key, from: row.state, to: state, reason: reason, due: changed.due,
            deadline: changed.deadline, now: now, in: db)
        if changed.hold != nil {
            try LedgerChanges.reschedule([changed], now: now, in: db)
        }
    }
}

extension LedgerFilter {
    var condition: (sql: String, arguments: StatementArguments) {
        var parts = ["true"]
        var arguments: [String: (any DatabaseValueConvertible)?] = ["limit": limit]
        if !states.isEmpty {
            let words = states.map { "'\($0.rawValue)'" }.sorted()
            parts.append("d.state IN (\(words.joined(separator: ", ")))")
        }
        if let meeting {
            parts.append("d.meeting_id = :meeting")
            arguments["meeting"] = meeting.text
        }
        if let person {
            parts.append(
                "d.person_id IN (SELECT id FROM person WHERE id = :person OR merged_into = :person)"
            )
            arguments["person"] = person.text
        }
        if let audience {
            parts.append("d.audience = :audience")
            arguments["audience"] = audience
        }
        if let kind {
            parts.append("d.kind = :kind")
            arguments["kind"] = kind.rawValue
        }
        if let dueFrom {
            parts.append("d.due >= :from")
            arguments["from"] = dueFrom.milliseconds
        }
        if let dueThrough {
            parts.append("d.due <= :until")
            arguments["until"] = dueThrough.milliseconds
        }
        if let usefulAt {
            parts.append("d.deadline > d.due AND d.deadline > :useful")
            arguments["useful"] = usefulAt.milliseconds
        }
        if let keyPrefix {
            parts.append("d.key >= :prefix AND d.key < :prefix || '~'")
            arguments["prefix"] = keyPrefix
        }
        return (parts.joined(separator: " AND "), StatementArguments(arguments))
    }
}

extension DeliveryRecord {
    init(row: Row) throws {
        self.init(
            row: try LedgerRow(row: row), personName: row["person_name"],
            personAddress: row["person_address"], meetingTitle: row["meeting_title"],
            body: row["body"])
    }
}

extension DeliveryStory {
    init(row: Row, in db: Database) throws {
        let id: Int64 = row["id"]
        self.init(
            record: try DeliveryRecord(row: row), attempts: try AttemptRecord.fetchAll(id, in: db),
            turns: try StateChangeRecord.fetchAll(id, in: db))
    }
}

extension AttemptRecord {
    static func fetchAll(_ delivery: Int64, in db: Database) throws -> [AttemptRecord] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT at, outcome, code, reply FROM attempt_now
                WHERE delivery_id = :id ORDER BY number
                """)
        return try Row.read(statement, arguments: ["id": delivery]) { row in
            AttemptRecord(
                at: Moment(milliseconds: row["at"]),
                outcome: try (row["outcome"] as String?).map { try StoredValue.decode($0) },
                code: row["code"], reply: row["reply"])
        }
    }
}

extension StateChangeRecord {
    static func fetchAll(_ delivery: Int64, in db: Database) throws -> [StateChangeRecord] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT at, state, reason FROM delivery_story
                WHERE delivery_id = :id ORDER BY number
                """)
        return try Row.read(statement, arguments: ["id": delivery]) { row in
            StateChangeRecord(
                at: Moment(milliseconds: row["at"]), state: try StoredValue.decode(row["state"]),
                reason: row["reason"])
        }
    }
}
