public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A row of the ledger that breaks a rule.
public struct LedgerFault: Equatable, Sendable {
    /// The row's key.
    public let key: String
    /// The description of the fault.
    public let rule: String

    /// Creates a fault.
    public init(key: String, rule: String) {
        self.key = key
        self.rule = rule
    }
}

/// A summary of the rows that are still to be sent.
struct LedgerBacklog {
    /// The number of rows that are still to be sent.
    let count: Int
    /// The due time of the first of them.
    let oldestDue: Moment?
    /// The start of the last attempt, as far as the attempts under way and the deliveries due last
    /// show it.
    let lastAttempt: Moment?

    static func fetch(_ db: Database) throws -> LedgerBacklog {
        let open = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) AS count, min(d.due) AS oldest FROM delivery d
                    WHERE d.state IN ('planned', 'ambiguous')
                        AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.delivery_id = d.id)
                    """))
        let last = try Int64.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT max(at) FROM (
                        SELECT at FROM intent
                        UNION ALL SELECT a.at FROM attempt a WHERE a.delivery_id IN (
                            SELECT id FROM delivery WHERE state = 'accepted'
                            ORDER BY due DESC LIMIT 1000)) AS attempts
                    """))
        return LedgerBacklog(
            count: open?["count"] ?? 0,
            oldestDue: (open?["oldest"] as Int64?).map(Moment.init(milliseconds:)),
            lastAttempt: last.map(Moment.init(milliseconds:)))
    }

    /// The number of rows that would be sent at once, including those that a stopped worker was
    /// sending.
    static func dueCount(now: Moment, in db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) FROM delivery d
                    WHERE d.state IN ('planned', 'ambiguous')
                        AND d.due <= :now AND d.deadline > :now
                        AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.delivery_id = d.id)
                    """), arguments: ["now": now.milliseconds]) ?? 0
    }
}

extension Store {
    /// The latest time at which anything about a meeting was planned, answered or sent, or one of
    /// its people chose other reminders, by the clock at that time; `nil` if there was nothing.
    public func latestAct(on meeting: MeetingID) async throws -> Moment? {
        try await read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT max(at) FROM (
                            SELECT max(at) AS at FROM meeting_history WHERE meeting_id = :id
                            UNION ALL SELECT max(answered_at) FROM answer WHERE meeting_id = :id
                            UNION ALL SELECT max(planned_at) FROM delivery WHERE meeting_id = :id
                            UNION ALL SELECT max(t.at) FROM delivery_turn t
                                JOIN delivery d ON d.id = t.delivery_id WHERE d.meeting_id = :id
                            UNION ALL SELECT max(a.at) FROM attempt a
                                JOIN delivery d ON d.id = a.delivery_id WHERE d.meeting_id = :id
                            UNION ALL SELECT max(i.at) FROM intent i
                                JOIN delivery d ON d.id = i.delivery_id WHERE d.meeting_id = :id
                            UNION ALL SELECT max(p.reminders_changed_at) FROM participant g
                                JOIN person p ON p.id = g.person_id WHERE g.meeting_id = :id
                        ) AS acts
                        """), arguments: ["id": meeting.text]
            ).map(Moment.init(milliseconds:))
        }
    }

    /// The meetings that end after `now`, by ID: the page after `last`.
    public func meetings(
        endingAfter now: Moment, after last: MeetingID?, limit: Int
    ) async throws -> [MeetingID] {
        try await read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id FROM meeting WHERE id > :last AND ends_at > :now
                        ORDER BY id LIMIT :limit
                        """),
                arguments: [
                    "last": last?.text ?? "", "now": now.milliseconds, "limit": limit,
                ]
            ).map { MeetingID(text: $0) }
        }
    }

    /// The number of rows in the ledger.
    public func deliveryCount() async throws -> Int {
        try await read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: "SELECT count(*) FROM delivery")) ?? 0
        }
    }

    /// The rows whose key does not match their values, at most `limit`. Rows of an erased person,
    /// which keep their key but have no address, are left out.
    public func misnamedDeliveries(limit: Int) async throws -> [LedgerFault] {
        var faults: [LedgerFault] = []
        var last: Int64? = 0
        while let begin = last, faults.count < limit {
            let page = try await read { db in try Self.misnamed(after: begin, in: db) }
            faults += page.keys.map {
                LedgerFault(key: $0, rule: "the key does not match the row")
            }
            last = page.last
        }
        return Array(faults.prefix(limit))
    }

    private static func misnamed(
        after last: Int64, in db: Database
    ) throws -> (keys: [String], last: Int64?) {
        var keys: [String] = []
        var next: Int64?
        var count = 0
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT d.id, d.key, d.meeting_id, d.occurrence,
                        coalesce(d.person_id, d.audience), d.kind, d.mark,
                        d.channel, d.address, d.address = p.name AND p.is_erased = 1 AS is_erased
                    FROM delivery d LEFT JOIN person p ON p.id = d.person_id
                    WHERE d.id > :last ORDER BY d.id LIMIT :limit
                    """), arguments: ["last": last, "limit": keyPageRows])
        while let row = try rows.next() {
            next = row[0]
            count += 1
            let isErased: Bool? = row[9]
            if isErased != true, DeliveryKey(parts: row)?.name != row[1] { keys.append(row[1]) }
        }
        return (keys, count == keyPageRows ? next : nil)
    }

    private static let keyPageRows = 10_000

    /// The rows that break a rule which can be checked from the rows alone, at most `limit` for
    /// each rule.
    ///
    /// The schema prevents most of these faults. This check finds the results of a damaged file or
    /// a manual change in the database.
    public func ledgerFaults(limit: Int) async throws -> [LedgerFault] {
        try await read { db in
            try LedgerRules.all.flatMap { rule in
                try String.fetchAll(
                    db, sql: "\(rule.sql) LIMIT :limit", arguments: ["limit": limit]
                ).map { LedgerFault(key: $0, rule: rule.words) }
            }
        }
    }
}

/// The rules for rows. Each is a query for the rows that break it.
enum LedgerRules {
    /// The condition for a delivery `d` that is planned for a moment ahead: a reminder, or a nudge
    /// before the time until which people are asked to answer.
    static let isTimed = """
        (d.kind = 'reminder'
            OR d.kind = 'nudge' AND d.mark LIKE '\(NotificationMark.answerByPattern)')
        """

    static let all: [(words: String, sql: String)] = [
        (
            "the state does not match the last attempt",
            """
            SELECT d.key FROM delivery d
            JOIN attempt a ON a.delivery_id = d.id AND a.number = (
                SELECT max(number) FROM attempt WHERE delivery_id = d.id)
            WHERE (a.outcome = 'accepted') <> (d.state = 'accepted')
            """
        ),
        (
            "accepted or ambiguous without an attempt",
            """
            SELECT d.key FROM delivery d
            WHERE d.state IN ('accepted', 'ambiguous') AND NOT EXISTS (
                SELECT 1 FROM attempt a WHERE a.delivery_id = d.id)
            """
        ),
        (
            "another attempt after it was accepted",
            """
            SELECT d.key FROM delivery d JOIN attempt a ON a.delivery_id = d.id
            WHERE a.outcome = 'accepted' AND (
                EXISTS (SELECT 1 FROM attempt b WHERE b.delivery_id = d.id AND b.number > a.number)
                OR EXISTS (SELECT 1 FROM intent i WHERE i.delivery_id = d.id))
            """
        ),
        (
            "attempts are not numbered in order",
            """
            SELECT d.key FROM delivery d JOIN attempt a ON a.delivery_id = d.id
            GROUP BY d.id HAVING max(a.number) <> count(*)
            """
        ),
        (
            "under way, but its state or the attempt's number does not allow it",
            """
            SELECT d.key FROM intent i JOIN delivery d ON d.id = i.delivery_id
            WHERE d.state NOT IN ('planned', 'ambiguous') OR i.number <> 1 + (
                SELECT count(*) FROM attempt a WHERE a.delivery_id = d.id)
            """
        ),
        (
            "the count of ambiguous attempts is wrong",
            """
            SELECT d.key FROM delivery d WHERE d.ambiguities <> (
                SELECT count(*) FROM attempt a
                WHERE a.delivery_id = d.id AND a.outcome = 'ambiguous')
            """
        ),
        (
            "no state change and no attempt explains the state",
            """
            SELECT d.key FROM delivery d
            WHERE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_id = d.id)
                AND d.state IS DISTINCT FROM (
                    SELECT t.state FROM delivery_story t WHERE t.delivery_id = d.id
                    ORDER BY t.number DESC LIMIT 1)
            """
        ),
        (
            "neither the last attempt nor the last state change explains the state",
            """
            SELECT d.key FROM delivery d
            JOIN attempt a ON a.delivery_id = d.id AND a.number = (
                SELECT max(number) FROM attempt WHERE delivery_id = d.id)
            WHERE NOT (
                    a.outcome = 'accepted' AND d.state = 'accepted'
                    OR a.outcome = 'retry' AND d.state IN ('planned', 'failed', 'expired')
                    OR a.outcome = 'misconfigured' AND d.state IN ('planned', 'expired')
                    OR a.outcome = 'permanent' AND d.state = 'failed'
                    OR a.outcome = 'ambiguous' AND d.state IN ('ambiguous', 'parked', 'expired'))
                AND d.state IS DISTINCT FROM (
                    SELECT t.state FROM delivery_story t WHERE t.delivery_id = d.id
                    ORDER BY t.number DESC LIMIT 1)
            """
        ),
        (
            "a state change that is not allowed",
            """
            SELECT DISTINCT key FROM (
                SELECT d.id, d.key, n.state AS after, coalesce(
                    (SELECT t.state FROM delivery_turn t
                        WHERE t.delivery_id = n.delivery_id AND t.id < n.id
                        ORDER BY t.id DESC LIMIT 1),
                    CASE WHEN d.planned_at IS NOT NULL THEN 'planned' END, n.state) AS before
                FROM delivery_turn n JOIN delivery d ON d.id = n.delivery_id) AS turns
            WHERE before <> after AND NOT EXISTS (
                SELECT 1 FROM legal_turn l WHERE l.before = turns.before AND l.after = turns.after)
                AND NOT (before IN ('planned', 'ambiguous')
                    AND EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_id = turns.id))
            """
        ),
        // A row that the flood guard released after the clock was set back may be due an hour
        // ahead.
        (
            "postponed without an attempt or a reason",
            """
            SELECT d.key FROM delivery d
            WHERE d.state = 'planned' AND NOT \(LedgerRules.isTimed)
                AND (d.hold IS NULL OR d.hold = 'hours')
                AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_id = d.id)
                AND coalesce(d.wanted, d.due) > \(FloodGuard.spanMilliseconds) + (
                    SELECT max(s.at) FROM delivery_story s WHERE s.delivery_id = d.id)
            """
        ),
        (
            "postponed for longer than any retry waits",
            """
            SELECT d.key FROM delivery d
            WHERE d.state IN ('planned', 'ambiguous') AND NOT \(LedgerRules.isTimed)
                AND coalesce(d.wanted, d.due) > (
                    SELECT \(Store.retryMillisecondsMax) + max(acts.at) FROM (
                        SELECT a.ended_at AS at FROM attempt a WHERE a.delivery_id = d.id
                        UNION ALL SELECT t.at FROM delivery_turn t WHERE t.delivery_id = d.id
                    ) AS acts)
                AND EXISTS (SELECT 1 FROM attempt a WHERE a.delivery_id = d.id)
            """
        ),
        (
            "a message without its text",
            """
            SELECT d.key FROM delivery d
            WHERE d.state IN ('planned', 'ambiguous', 'parked')
                AND d.kind = 'message' AND d.body_id IS NULL
            """
        ),
        (
            "held back without a reason, or although it is not waiting",
            """
            SELECT d.key FROM delivery d
            WHERE d.hold IN ('hours', 'flood')
                AND (d.reason = '' OR d.state NOT IN ('planned', 'ambiguous'))
            """
        ),
        (
            "held by the suppression list, but not suppressed",
            """
            SELECT d.key FROM delivery d WHERE d.hold = 'list' AND d.state <> 'suppressed'
            """
        ),
        (
            "held back, but due earlier than it would be otherwise",
            """
            SELECT d.key FROM delivery d WHERE d.hold IN ('hours', 'flood') AND d.due < d.wanted
            """
        ),
        (
            "closed without a reason",
            """
            SELECT d.key FROM delivery d
            WHERE d.state IN ('failed', 'expired', 'superseded', 'suppressed', 'parked')
                AND d.reason = ''
            """
        ),
    ]
}

extension DeliveryKey {
    /// The key that the columns from `meeting_id` on make; `nil` if the kind cannot be read.
    fileprivate init?(parts row: Row) {
        guard let kind = NotificationKind(rawValue: row[5]) else { return nil }
        self.init(
            notification: NotificationKey(
                meeting: row[2] ?? "", occurrence: row[3], person: row[4] ?? "", kind: kind,
                mark: NotificationMark(text: row[6])),
            channel: row[7], address: row[8])
    }
}
