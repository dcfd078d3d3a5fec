import GRDB
import Timekeeping

/// Reads the ledger independently, with its own SQL statements.
struct Oracle {
    struct Line {
        let key: String
        let meeting: String
        let person: String
        let kind: String
        let mark: String
        let state: String
        let due: Moment
        let deadline: Moment
        let reason: String
        let hold: String
        let isUnderWay: Bool

        var isOpen: Bool { ["planned", "ambiguous"].contains(state) }
        var isNews: Bool { ["invitation", "change", "cancellation"].contains(kind) }
    }

    private let queue: DatabaseQueue

    init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    private static let columns = """
        SELECT key, meeting_id, coalesce(person_id, '') AS person, kind, mark, state, due,
            deadline, reason, coalesce(hold, '') AS hold, EXISTS (
                SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id
            ) AS is_under_way
        FROM delivery
        """

    private func lines(_ condition: String, _ arguments: StatementArguments) throws -> [Line] {
        try queue.read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: "\(Self.columns) WHERE \(condition) ORDER BY id"),
                arguments: arguments
            ).map { row in
                Line(
                    key: row[0], meeting: row[1], person: row[2], kind: row[3], mark: row[4],
                    state: row[5], due: Moment(milliseconds: row[6]),
                    deadline: Moment(milliseconds: row[7]), reason: row[8], hold: row[9],
                    isUnderWay: row[10])
            }
        }
    }

    func line(_ key: String) throws -> Line? { try lines("key = ?", [key]).first }

    func lines(ofMeeting id: String) throws -> [Line] { try lines("meeting_id = ?", [id]) }

    /// The deliveries whose state a person may change.
    func turnable() throws -> [Line] {
        try lines("state IN ('planned', 'ambiguous', 'failed', 'suppressed', 'parked')", [])
    }

    /// The deliveries that wait although they are due.
    func overdue(_ now: Moment) throws -> [Line] {
        try lines(
            """
            state IN ('planned', 'ambiguous') AND due <= ? AND NOT EXISTS (
                SELECT 1 FROM intent i WHERE i.delivery_id = delivery.id)
            """, [now.milliseconds])
    }

    /// The open deliveries past their deadline.
    func belated(_ now: Moment) throws -> [Line] {
        try lines("state IN ('planned', 'ambiguous') AND deadline <= ?", [now.milliseconds])
    }

    func nextDue(after now: Moment) throws -> Moment? {
        try queue.read { db in
            try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT min(due) FROM delivery
                        WHERE state IN ('planned', 'ambiguous') AND due > ?
                        """), arguments: [now.milliseconds])
        }.map(Moment.init(milliseconds:))
    }

    /// The deliveries that are begun and not folded.
    func underWay() throws -> [(key: String, attempt: Int)] {
        try queue.read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT d.key, i.number
                        FROM intent i JOIN delivery d ON d.id = i.delivery_id
                        """)
            ).map { ($0[0], $0[1]) }
        }
    }

    /// The history of a delivery in the ledger, one line for each event.
    func story(of key: String) throws -> [String] {
        try queue.read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT at || ' ' || words FROM (
                            SELECT t.at, t.number, t.state || ' ' || t.reason AS words
                            FROM delivery_story t JOIN delivery d ON d.id = t.delivery_id
                            WHERE d.key = :key
                            UNION ALL
                            SELECT a.at, 0, 'attempt ' || a.number || ' ' ||
                                coalesce(a.ended_at || ' ' || a.outcome || ' ' || a.reply, '')
                            FROM attempt_now a JOIN delivery d ON d.id = a.delivery_id
                            WHERE d.key = :key
                        ) ORDER BY at, number
                        """), arguments: ["key": key])
        }
    }

    /// True if the ledger has an attempt at a delivery after one that was accepted.
    func isRepeated(_ key: String) throws -> Bool {
        try queue.read { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM delivery d
                            JOIN attempt_now a ON a.delivery_id = d.id
                            JOIN attempt_now b ON b.delivery_id = d.id AND b.number > a.number
                            WHERE d.key = ? AND a.outcome = 'accepted')
                        """), arguments: [key]) ?? false
        }
    }

    /// The number of attempts at a delivery with this outcome.
    func attempts(of key: String, _ outcome: String) throws -> Int {
        try queue.read { db in
            try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) FROM attempt_now a
                        JOIN delivery d ON d.id = a.delivery_id
                        WHERE d.key = ? AND a.outcome = ?
                        """), arguments: [key, outcome]) ?? 0
        }
    }
}
