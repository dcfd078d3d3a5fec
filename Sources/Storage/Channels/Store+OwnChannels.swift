public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A channel that a user added, with everything stored about it.
public struct ChannelRecord: Sendable {
    /// Its name, sink and receiver.
    public let channel: OwnChannel
    /// Its target.
    public let target: ChannelTarget
    /// The name of its owner: a person, a circle or a meeting; empty for the whole installation.
    public let owner: String
    /// The time when it was added.
    public let addedAt: Moment
    /// The previous secret, and the end of its validity.
    fileprivate(set) var oldSecret: (text: String, until: Moment)?
    /// True if it is paused: nothing goes through it, as if it did not exist.
    public fileprivate(set) var isPaused = false

    /// Creates a record.
    public init(
        _ channel: OwnChannel, to target: ChannelTarget, owner: String, addedAt: Moment
    ) {
        self.channel = channel
        self.target = target
        self.owner = owner
        self.addedAt = addedAt
    }

    /// The target with the secrets that are valid at a moment.
    public func target(at now: Moment) -> ChannelTarget {
        let old = oldSecret.flatMap { $0.until > now ? $0.text : nil }
        return ChannelTarget(
            url: target.url, target: target.target, secret: target.secret, oldSecret: old,
            isPublicOnly: target.isPublicOnly)
    }
}

extension Store {
    /// The most channels in an installation.
    public static let channelsMax = 10_000

    /// All added channels, by name.
    public func ownChannels() async throws -> [ChannelRecord] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: "\(ChannelRows.select) ORDER BY c.name LIMIT :limit"),
                arguments: ["limit": Self.channelsMax]
            ).map(ChannelRecord.init(row:))
        }
    }

    /// The channels of one person that are not paused.
    public func ownChannels(of person: PersonID) async throws -> [OwnChannel] {
        try await read { db in
            try ChannelRows.fetch(of: [person], circles: [], in: db).map(\.channel).filter {
                $0.receiver == .person(person.text)
            }
        }
    }

    /// Adds a channel, and replans the coming meetings of its readers.
    ///
    /// - Parameters:
    ///   - record: the channel.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - replanning: replans a meeting.
    /// - Returns: the replanned meetings; `nil` if the name is taken, or the receiver already has a
    ///   mail channel.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func addChannel(
        _ record: ChannelRecord, now: Moment, saving: Bool, replanning: @escaping Replanning
    ) async throws -> [MeetingRevision]? {
        try await write { db in
            var revisions: [MeetingRevision]?
            try db.inSavepoint {
                guard try ChannelRows.insert(record, in: db) else { return .rollback }
                revisions = try ChannelRows.replan(
                    record.channel.receiver, now, replanning, in: db)
                return saving ? .commit : .rollback
            }
            return revisions
        }
    }

    /// Removes a channel, and replans the coming meetings of its readers: deliveries that wait for
    /// it move to the remaining channels.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - now: the current time.
    ///   - saving: `false` for a preview, which saves nothing.
    ///   - replanning: replans a meeting.
    /// - Returns: the replanned meetings; `nil` if there is no such channel.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func removeChannel(
        _ name: String, now: Moment, saving: Bool, replanning: @escaping Replanning
    ) async throws -> [MeetingRevision]? {
        try await write { db in
            guard let record = try ChannelRows.fetch(name, in: db) else { return nil }
            var revisions: [MeetingRevision] = []
            try db.inSavepoint {
                try ChannelRows.delete(name, of: record.channel.sink, in: db)
                revisions = try ChannelRows.replan(
                    record.channel.receiver, now, replanning, in: db)
                return saving ? .commit : .rollback
            }
            return revisions
        }
    }

    /// Pauses a channel or ends its pause, and replans the coming meetings of its readers.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - isPaused: whether nothing goes through it from now on.
    ///   - now: the current time.
    ///   - replanning: replans a meeting.
    /// - Returns: the replanned meetings; `nil` if there is no such channel.
    /// - Throws: ``StoreError``; nothing is changed then.
    public func pauseChannel(
        _ name: String, isPaused: Bool, now: Moment, replanning: @escaping Replanning
    ) async throws -> [MeetingRevision]? {
        try await write { db in
            guard let record = try ChannelRows.fetch(name, in: db) else { return nil }
            guard record.isPaused != isPaused else { return [] }
            try db.execute(
                sql: "UPDATE channel SET is_paused = :paused WHERE name = :name",
                arguments: ["paused": isPaused, "name": name])
            return try ChannelRows.replan(record.channel.receiver, now, replanning, in: db)
        }
    }

    /// Replaces the secret of a channel; the old one stays valid until `oldUntil`.
    ///
    /// - Returns: whether the secret was replaced. It is not replaced if the old secret is to stay
    ///   valid while the secret before it is still valid.
    public func rotateSecret(
        of name: String, to secret: String, oldUntil: Moment, now: Moment
    ) async throws -> Bool {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE channel SET old_secret = secret, old_until = :until, secret = :secret
                    WHERE name = :name AND coalesce(old_until, 0) <= :free
                    """,
                arguments: [
                    "name": name, "secret": secret, "until": oldUntil.milliseconds,
                    "free": oldUntil > now ? now.milliseconds : Int64.max,
                ])
            return db.changesCount > 0
        }
    }
}

/// The table of added channels.
enum ChannelRows {
    static let select = """
        SELECT c.name, c.sink, c.person_id, c.circle_id, c.url, c.target, c.secret, c.old_secret,
            c.old_until, c.kinds, c.added_at, c.meeting_id, c.is_public, c.is_paused,
            coalesce(p.name, r.name, m.title, '') AS owner
        FROM channel c LEFT JOIN person p ON p.id = c.person_id
        LEFT JOIN circle r ON r.id = c.circle_id
        LEFT JOIN meeting m ON m.id = c.meeting_id
        """

    /// False in most installations: no channel was added.
    static func isAny(in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM channel WHERE name > '')"))
            ?? false
    }

    /// The channels that are not paused, of some people, some circles, a meeting, and the whole
    /// installation.
    static func fetch(
        of people: [PersonID], circles: [String], meeting: MeetingID? = nil, in db: Database
    ) throws -> [ChannelRecord] {
        guard try isAny(in: db) else { return [] }
        let shared = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(select) WHERE c.person_id IS NULL AND c.circle_id IS NULL
                        AND c.meeting_id IS NULL AND c.is_paused = 0
                    ORDER BY c.name LIMIT :limit
                    """), arguments: ["limit": Store.channelsMax])
        let rows =
            try people.flatMap { try fetch("person_id", $0.text, in: db) }
            + circles.flatMap { try fetch("circle_id", $0, in: db) }
            + (meeting.map { try fetch("meeting_id", $0.text, in: db) } ?? []) + shared
        return try rows.map(ChannelRecord.init(row:))
    }

    /// The channels that send mail to their own address.
    static func mailing(in db: Database) throws -> [OwnChannel] {
        guard try isAny(in: db) else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: "\(select) WHERE c.sink = 'mail' AND c.target <> '' LIMIT :limit"),
            arguments: ["limit": Store.channelsMax]
        ).map { try ChannelRecord(row: $0).channel }
    }

    private static func fetch(_ column: String, _ id: String, in db: Database) throws -> [Row] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(select) WHERE c.\(column) = :id AND c.is_paused = 0
                    ORDER BY c.name LIMIT :limit
                    """),
            arguments: ["id": id, "limit": Store.channelsMax])
    }

    static func fetch(_ name: String, in db: Database) throws -> ChannelRecord? {
        try Row.fetchOne(
            db.cachedStatement(sql: "\(select) WHERE c.name = :name"), arguments: ["name": name]
        ).map(ChannelRecord.init(row:))
    }

    fileprivate static func delete(_ name: String, of sink: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM channel WHERE name = :name", arguments: [name])
        try db.execute(
            sql: "DELETE FROM channel_trouble WHERE sink = :sink AND name = :name",
            arguments: ["sink": sink, "name": name])
    }

    /// Removes the channel through which mails of a person go to one of their addresses.
    static func deleteMailing(
        to folded: String, of person: PersonID, in db: Database
    ) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "\(select) WHERE c.person_id = :id AND c.sink = 'mail' LIMIT :limit"),
            arguments: ["id": person.text, "limit": Store.channelsMax])
        for record in try rows.map(ChannelRecord.init(row:))
        where PersonAddresses.folded(record.target.target) == folded {
            try delete(record.channel.name, of: record.channel.sink, in: db)
        }
    }

    fileprivate static func insert(_ record: ChannelRecord, in db: Database) throws -> Bool {
        let channel = record.channel
        let audience = channel.receiver.audience.map { Audience(name: $0) }
        try db.execute(
            sql: """
                INSERT INTO channel (
                    name, sink, person_id, circle_id, meeting_id, url, target, secret, kinds,
                    added_at, is_public)
                VALUES (:name, :sink, :person, :circle, :meeting, :url, :target, :secret, :kinds,
                    :now, :public)
                ON CONFLICT DO NOTHING
                """,
            arguments: [
                "name": channel.name, "sink": channel.sink, "person": channel.receiver.person,
                "circle": audience?.circle, "meeting": audience?.meeting?.text,
                "url": record.target.url,
                "target": record.target.target, "secret": record.target.secret,
                "kinds": Kinds.encode(channel.kinds), "now": record.addedAt.milliseconds,
                "public": record.target.isPublicOnly,
            ])
        return db.changesCount > 0
    }

    /// Replans the coming meetings of a channel's readers.
    fileprivate static func replan(
        _ receiver: Receiver, _ now: Moment, _ replanning: @escaping Replanning, in db: Database
    ) throws -> [MeetingRevision] {
        var revisions: [MeetingRevision] = []
        for meeting in try meetings(of: receiver, now, in: db) {
            do {
                try db.inSavepoint {
                    revisions += try MeetingBundle.replan([meeting], by: replanning, in: db)
                    return .commit
                }
            } catch let error where !(error is DatabaseError) {
                // One damaged meeting must not keep the others from being replanned.
                continue
            }
        }
        return revisions
    }

    /// The coming meetings of a channel's readers.
    static func meetings(
        of receiver: Receiver, _ now: Moment, in db: Database
    ) throws -> [MeetingID] {
        if let person = receiver.person {
            return try MeetingID.coming(of: PersonID(text: person), now: now, in: db)
        }
        let audience = receiver.audience.map { Audience(name: $0) }
        if let meeting = audience?.meeting {
            return try ids(
                "SELECT m.id FROM meeting m WHERE m.id = :id AND \(MeetingID.isComing)",
                ["id": meeting.text], now, in: db)
        }
        if let circle = audience?.circle {
            return try ids(
                """
                SELECT m.id FROM meeting_circle c JOIN meeting m ON m.id = c.meeting_id
                WHERE c.circle_id = :circle AND \(MeetingID.isComing) ORDER BY m.id
                """, ["circle": circle], now, in: db)
        }
        return try ids(
            "SELECT m.id FROM meeting m WHERE \(MeetingID.isComing) ORDER BY m.id", [:], now,
            in: db)
    }

    private static func ids(
        _ sql: String, _ arguments: StatementArguments, _ now: Moment, in db: Database
    ) throws -> [MeetingID] {
        try String.fetchAll(db, sql: sql, arguments: MeetingID.moments(now) + arguments)
            .map { MeetingID(text: $0) }
    }

    /// Adds the target of its channel to a delivery, and the closure of the channel if it is
    /// closed.
    static func address(_ delivery: inout Delivery, now: Moment, in db: Database) throws {
        delivery.target = try target(of: delivery.row.key, now: now, in: db)
        delivery.closure = try closure(of: delivery.row.key, in: db)
    }

    /// The target of the added channel that a row uses; `nil` if it uses none.
    private static func target(of key: DeliveryKey, now: Moment, in db: Database) throws
        -> ChannelTarget?
    {
        guard key.channel != SinkKind.mail.name, !key.address.isEmpty,
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "\(select) WHERE c.name = :name AND c.sink = :sink"),
                arguments: ["name": key.address, "sink": key.channel])
        else { return nil }
        let until = row["old_until"] as Int64? ?? 0
        return ChannelTarget(
            url: row["url"], target: row["target"], secret: row["secret"],
            oldSecret: until > now.milliseconds ? row["old_secret"] : nil,
            isPublicOnly: row["is_public"])
    }

    /// The closure of a row's channel; `nil` while the channel accepts deliveries.
    private static func closure(of key: DeliveryKey, in db: Database) throws -> ChannelClosure? {
        guard key.channel != SinkKind.mail.name, key.channel != SinkKind.stdout.name else {
            return nil
        }
        return try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT closed_for, reply FROM channel_trouble
                    WHERE sink = :sink AND name = :name AND closed_for IS NOT NULL
                    """), arguments: ["sink": key.channel, "name": key.address]
        ).map { ChannelClosure(addressHash: $0["closed_for"], reason: $0["reply"]) }
    }
}

extension ChannelRecord {
    init(row: Row) throws {
        let circle = row["circle_id"] as String?
        let meeting = row["meeting_id"] as String?
        let audience =
            circle.map(Audience.circle) ?? meeting.map { .meeting(MeetingID(text: $0)) }
            ?? .installation
        let person = row["person_id"] as String?
        let sink: String = row["sink"]
        let target: String = row["target"]
        self.init(
            OwnChannel(
                name: row["name"], sink: sink,
                receiver: person.map(Receiver.person) ?? audience.receiver,
                kinds: try Kinds.decode(row["kinds"]),
                address: sink == SinkKind.mail.name && !target.isEmpty ? target : nil),
            to: ChannelTarget(
                url: row["url"], target: target, secret: row["secret"],
                isPublicOnly: row["is_public"]),
            owner: row["owner"], addedAt: Moment(milliseconds: row["added_at"]))
        isPaused = row["is_paused"]
        if let text = row["old_secret"] as String?, let until = row["old_until"] as Int64? {
            oldSecret = (text, Moment(milliseconds: until))
        }
    }
}

/// Kinds of notifications, stored as a JSON array of their names.
private enum Kinds {
    static func encode(_ kinds: Set<NotificationKind>) -> String {
        "[\(kinds.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ","))]"
    }

    static func decode(_ text: String) throws -> Set<NotificationKind> {
        Set(try StoredValue.readList(text) { try StoredValue.decode($0) })
    }
}
