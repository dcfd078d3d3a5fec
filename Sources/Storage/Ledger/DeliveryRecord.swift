public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A row of the ledger with the names of its person and meeting.
public struct DeliveryRecord: Sendable {
    /// The row.
    public fileprivate(set) var row: LedgerRow
    /// The name by which the organizer of the meeting knows the person.
    public let personName: String
    /// The person's current mail address; empty if none is known.
    public let personAddress: String
    /// The only address of the person that the organizer of the meeting may see; `nil` if they may
    /// see all.
    public let knownAddress: String?
    /// The meeting's title; empty if the row is about no meeting.
    public let meetingTitle: String
    /// The text that a person wrote for it, if any.
    public let body: String?
    /// True if the meeting, or the date of a series, takes place without the receiver: they were
    /// removed from it.
    public let isRemoved: Bool
    /// True if the meeting, or the date of a series, now lasts whole days.
    public internal(set) var isOfDays = false
    /// True if it was only printed, because no way to its receiver was set up.
    public internal(set) var isOnlyPrinted = false
}

/// A row of the ledger with its history.
public struct DeliveryStory: Sendable {
    /// The row, with names.
    public internal(set) var record: DeliveryRecord
    /// The attempts, earliest first.
    public fileprivate(set) var attempts: [AttemptRecord]
    /// The state changes, earliest first.
    public fileprivate(set) var turns: [StateChangeRecord]

    /// The same story with other words for the reason of its row, for the reasons of changes, and
    /// for the replies.
    public func saying(
        of row: (LedgerRow) -> String, _ words: (_ reason: String) -> String,
        replies: (_ reply: String) -> String
    ) -> DeliveryStory {
        var story = self
        story.record.row.reason = row(record.row)
        for place in attempts.indices {
            story.attempts[place].reply = replies(attempts[place].reply)
        }
        for place in turns.indices { story.turns[place].reason = words(turns[place].reason) }
        return story
    }
}

/// A filter for rows of the ledger.
public struct LedgerFilter: Sendable {
    /// Only these states; empty for all.
    public var states: Set<DeliveryState> = []
    /// Only this meeting.
    public var meeting: MeetingID?
    /// Only this person.
    public var person: PersonID?
    /// Only this audience.
    public var audience: String?
    /// Only this kind of notification.
    public var kind: NotificationKind?
    /// Only rows due at or after this moment.
    public var dueFrom: Moment?
    /// Only rows due at or before this moment.
    public var dueThrough: Moment?
    /// Only rows whose deadline is after this moment and after their due time.
    public var usefulAt: Moment?
    /// Without reminders at times that other people than this one chose for themselves, and without
    /// what goes to the inboxes of others.
    public var viewer: PersonID?
    /// Only meetings that this person organizes.
    public var organizer: PersonID?
    /// Only keys with this prefix.
    public var keyPrefix: String?
    /// True for the rows that are due last, the latest first.
    public var isLatestFirst = false
    /// The most rows to return.
    public var limit: Int

    /// Creates a filter that matches everything, up to `limit` rows.
    public init(limit: Int) {
        self.limit = limit
    }
}

extension Store {
    /// The rows that match the filter, by due time and number in the order that it wants.
    ///
    /// The few rows under way have another state than their rows in `delivery` say. They are read
    /// by a separate query, so that the indexes work for all the others.
    public func deliveries(_ filter: LedgerFilter) async throws -> [DeliveryRecord] {
        try await read { db in
            try Self.read(filter, in: db) { try DeliveryRecord(row: $0) }
        }
    }

    /// The rows that match the filter with their history, which takes two more queries for each
    /// row.
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
        let order = filter.isLatestFirst ? "DESC" : "ASC"
        let statement = try db.makeStatement(
            sql: """
                SELECT p.id AS person_id,
                    coalesce(
                        nullif(k.typed_name, ''), p.name, c.name,
                        CASE WHEN f.audience LIKE 'meeting %' THEN m.title END, f.audience, '')
                        AS person_name,
                    coalesce((
                        SELECT a.address FROM person_address a WHERE a.person_id = p.id
                        ORDER BY a.is_verified DESC, a.position, a.folded
                        LIMIT 1), '') AS person_address,
                    \(Person.knownAddress(of: "k")) AS known_address,
                    coalesce(m.title, '') AS meeting_title, b.text AS body,
                    coalesce(m.status, '') = 'confirmed'
                        AND coalesce(o.status, 'confirmed') = 'confirmed'
                        AND (f.person_id IS NULL OR coalesce(t.is_removed, w.is_removed, 1) = 1)
                        AS is_removed,
                    coalesce(o.start_wall, m.start_wall, '') LIKE '%T00:00:00'
                        AND coalesce(o.duration, m.duration, 'PT') NOT LIKE '%T%' AS is_of_days,
                    \(LedgerRow.isPrinted(row: "f")) AS is_printed,
                    f.*
                FROM (
                    SELECT * FROM (
                        SELECT \(Self.deliveryColumns) FROM delivery d
                        WHERE \(condition) AND NOT EXISTS (
                            SELECT 1 FROM intent i WHERE i.delivery_id = d.id)
                        ORDER BY d.due \(order), d.id \(order) LIMIT :limit) AS resting
                    UNION ALL
                    SELECT \(Self.deliveryColumns)
                    FROM intent i JOIN delivery_now d ON d.id = i.delivery_id
                    WHERE \(condition)
                ) AS f
                LEFT JOIN person r ON r.id = f.person_id
                LEFT JOIN person p ON p.id = coalesce(r.merged_into, r.id)
                LEFT JOIN circle c ON c.id = substr(f.audience, \(Audience.circleIDPlace))
                LEFT JOIN meeting m ON m.id = f.meeting_id
                LEFT JOIN participant k ON k.meeting_id = m.id AND k.person_id = p.id
                LEFT JOIN meeting_override o
                    ON o.meeting_id = m.id AND o.occurrence = f.occurrence
                LEFT JOIN answer w
                    ON w.meeting_id = m.id AND w.occurrence = '' AND w.person_id = p.id
                LEFT JOIN answer t
                    ON t.meeting_id = m.id AND t.occurrence = f.occurrence AND t.person_id = p.id
                LEFT JOIN body b ON b.id = f.body_id
                ORDER BY f.due \(order), f.id \(order) LIMIT :limit
                """)
        return try Row.read(statement, arguments: arguments, as: value)
    }

    private static let deliveryColumns = """
        d.id, d.key, d.meeting_id, d.occurrence, d.person_id, d.audience, d.kind, d.mark,
        d.channel, d.address, d.due, d.deadline, d.state, d.reason, d.ambiguities, d.body_id,
        d.hold, d.wanted
        """

    /// Changes the state of deliveries manually: all of them, or none.
    ///
    /// - Parameters:
    ///   - keys: the keys of the deliveries.
    ///   - state: the new state.
    ///   - reason: the reason, for people.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - change: returns the row with its new times and its new hold; throws if the state must
    ///     not be changed. It gets the meeting, if there is one, as the changes before it in the
    ///     list have left it.
    /// - Returns: the deliveries after the change, in the order of `keys`.
    /// - Throws: ``StoreError``, and what `change` throws; nothing is changed then.
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
    /// A row for an inbox shows that its receiver has an account.
    private static let isKnownToViewer = """
        (d.channel <> 'page' OR d.person_id IN (
            SELECT id FROM person WHERE id = :viewer OR merged_into = :viewer))
        AND (d.kind <> 'reminder' OR d.person_id IS NULL
            OR d.mark LIKE '\(NotificationMark.snoozePattern)'
            OR d.person_id IN (
                SELECT id FROM person WHERE id = :viewer OR merged_into = :viewer)
            OR d.reason <> :chosen AND NOT EXISTS (
                SELECT 1 FROM person q JOIN reminder_policy r
                    ON r.person_id = coalesce(q.merged_into, q.id)
                WHERE q.id = d.person_id))
        """

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
        if let organizer {
            parts.append("d.meeting_id IN (SELECT id FROM meeting WHERE organizer_id = :organizer)")
            arguments["organizer"] = organizer.text
        }
        if let viewer {
            parts.append(Self.isKnownToViewer)
            arguments["viewer"] = viewer.text
            arguments["chosen"] = Store.reminderChoiceReason
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
        let (name, known): (String, String?) = (row["person_name"], row["known_address"])
        self.init(
            row: try LedgerRow(row: row), personName: known.map(name.showing(only:)) ?? name,
            personAddress: row["person_address"], knownAddress: known,
            meetingTitle: row["meeting_title"],
            body: row["body"], isRemoved: row["is_removed"], isOfDays: row["is_of_days"],
            isOnlyPrinted: row["is_printed"])
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
