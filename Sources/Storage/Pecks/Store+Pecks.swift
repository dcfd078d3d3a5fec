public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// The number of unread notifications above which an inbox is not counted further.
    public static let unreadPecksMax = 100

    /// The notifications in the inbox of a person, the newest first; those of a snooze by its end.
    ///
    /// - Parameters:
    ///   - person: the person. Nobody else's notifications are returned.
    ///   - filter: the part of the inbox.
    ///   - now: the current time.
    /// - Returns: the notifications.
    /// - Throws: ``StoreError``.
    public func pecks(
        of person: PersonID, _ filter: PeckFilter, now: Moment
    ) async throws -> [Peck] {
        try await read { db in try Self.pecks(of: person, filter, now: now, in: db) }
    }

    private static func pecks(
        of person: PersonID, _ filter: PeckFilter, now: Moment, in db: Database
    ) throws -> [Peck] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT k.number, k.key, k.meeting_id, k.occurrence, k.kind, k.mark, k.title,
                    k.shown_at, k.read_at, k.snoozed_until,
                    m.id IS NOT NULL AND (
                        m.organizer_id = :person
                        OR coalesce(t.is_removed, w.is_removed, 1) = 0) AS is_visible,
                    k.kind IN ('invitation', 'nudge') AND m.status = 'confirmed'
                        AND coalesce(o.status, 'confirmed') = 'confirmed'
                        AND coalesce(o.ends_at, m.ends_at) > :now
                        AND coalesce(t.answer, w.answer, '') = 'invited' AS awaits_answer
                FROM peck k LEFT JOIN meeting m ON m.id = k.meeting_id
                LEFT JOIN meeting_override o
                    ON o.meeting_id = k.meeting_id AND o.occurrence = k.occurrence
                LEFT JOIN answer w
                    ON w.meeting_id = k.meeting_id AND w.occurrence = ''
                        AND w.person_id = k.person_id
                LEFT JOIN answer t
                    ON t.meeting_id = k.meeting_id AND t.occurrence = k.occurrence
                        AND t.person_id = k.person_id
                WHERE k.person_id = :person
                    AND (k.shown_at < :time OR k.shown_at = :time AND k.number < :number)
                    AND k.key >= :prefix AND k.key < :prefix || '~'
                    AND CASE :part WHEN 'any' THEN TRUE
                        WHEN 'snoozed' THEN coalesce(k.snoozed_until, 0) > :now
                        WHEN 'unread' THEN coalesce(k.snoozed_until, 0) <= :now
                            AND k.read_at IS NULL
                        ELSE coalesce(k.snoozed_until, 0) <= :now END
                ORDER BY k.shown_at DESC, k.number DESC LIMIT :limit
                """)
        return try Row.fetchAll(
            statement,
            arguments: [
                "person": person.text, "now": now.milliseconds, "prefix": filter.keyPrefix,
                "time": filter.after?.shownAt.milliseconds ?? Int64.max,
                "number": filter.after?.number ?? Int64.max, "part": filter.word,
                "limit": filter.limit,
            ]
        ).map(Peck.init(row:))
    }

    /// The number of unread notifications of a person that are not snoozed, up to
    /// ``unreadPecksMax``.
    public func unreadPecks(of person: PersonID, now: Moment) async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(sql: "SELECT \(PeckRows.unreadCount(of: ":person"))"),
                arguments: ["person": person.text, "now": now.milliseconds]) ?? 0
        }
    }

    /// Marks notifications of a person as read. Those of others stay as they are.
    ///
    /// - Parameters:
    ///   - keys: the keys; `nil` for everything that is not snoozed.
    ///   - person: the person.
    ///   - now: the current time.
    /// - Returns: the number of notifications that were unread.
    /// - Throws: ``StoreError``.
    public func readPecks(
        _ keys: [String]?, of person: PersonID, now: Moment
    ) async throws -> Int {
        try await write { db in
            guard let keys else { return try PeckRows.readAll(of: person, now: now, in: db) }
            let count = try keys.reduce(0) { count, key in
                try db.cachedStatement(
                    sql: """
                        UPDATE peck SET read_at = :now, snoozed_until = NULL
                        WHERE key = :key AND person_id = :person AND read_at IS NULL
                        """
                ).execute(arguments: [
                    "now": now.milliseconds, "key": key, "person": person.text,
                ])
                return count + db.changesCount
            }
            if count > 0 { try AccountMarks.raise(ChangeTopic.pecks, for: person, in: db) }
            return count
        }
    }

    /// Hides a notification of a person until a time, at which it comes back unread.
    ///
    /// - Returns: true if the person has a notification with this key.
    /// - Throws: ``StoreError``.
    public func snoozePeck(
        _ key: String, of person: PersonID, until time: Moment
    ) async throws -> Bool {
        try await write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE peck SET snoozed_until = :time, shown_at = :time, read_at = NULL
                    WHERE key = :key AND person_id = :person
                    """
            ).execute(arguments: [
                "time": time.milliseconds, "key": key, "person": person.text,
            ])
            guard db.changesCount > 0 else { return false }
            try AccountMarks.raise(ChangeTopic.pecks, for: person, in: db)
            return true
        }
    }

    /// The kinds of notifications that a person does not want in the inbox.
    public func mutedPeckKinds(of person: PersonID) async throws -> Set<NotificationKind> {
        try await read { db in try PeckRows.mutedKinds(of: person, in: db) }
    }

    /// Chooses the kinds of notifications that a person does not want in the inbox. Those that
    /// stand there are removed, and the coming meetings are planned again.
    ///
    /// - Parameters:
    ///   - kinds: the kinds.
    ///   - person: the person.
    ///   - now: the current time.
    ///   - replanning: plans a meeting again.
    /// - Returns: the meetings that could not be planned again; the choice is saved all the same.
    /// - Throws: ``StoreError``.
    public func mutePeckKinds(
        _ kinds: Set<NotificationKind>, of person: PersonID, now: Moment,
        replanning: @escaping Replanning
    ) async throws -> [ReplanFailure] {
        try await write { db in
            guard try PeckRows.mutedKinds(of: person, in: db) != kinds else { return [] }
            try Account.checkExists(of: person, in: db)
            try PeckRows.mute(kinds, of: person, in: db)
            try AccountMarks.raise(ChangeTopic.pecks, for: person, in: db)
            return try MeetingBundle.replanEach(
                MeetingID.coming(of: person, now: now, in: db), by: replanning, in: db)
        }
    }
}

extension PeckFilter {
    /// The part in the words of the statement. A notification that is named by its key is found
    /// wherever it stands.
    fileprivate var word: String {
        switch part {
        case _ where !keyPrefix.isEmpty: "any"
        case .all: "all"
        case .unread: "unread"
        case .snoozed: "snoozed"
        }
    }
}
