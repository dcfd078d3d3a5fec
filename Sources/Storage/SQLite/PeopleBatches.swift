import Agenda
import GRDB
import Ledger
import Timekeeping

/// Many people asked about by one statement each, by their ids: those of a meeting of fifty are
/// looked at while all other writes wait.
enum PeopleBatches {
    /// Whether one of these people is erased, or a redirect.
    static func isAnyGone(_ people: [PersonID], in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT EXISTS (
                        SELECT 1 FROM json_each(:ids) n CROSS JOIN person p WHERE p.id = n.value
                            AND (p.merged_into IS NOT NULL OR p.is_erased = 1))
                    """), arguments: [list(people)]) ?? false
    }

    /// When those of these people who do not leave it to each meeting want to be reminded.
    static func reminders(
        of people: [PersonID], in db: Database
    ) throws -> [PersonID: [TimeSpan]] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT r.person_id, r.offsets
                    FROM json_each(:ids) n CROSS JOIN reminder_policy r
                    WHERE r.person_id = n.value
                    """), arguments: [list(people)])
        return try Dictionary(
            rows.map { (PersonID(text: $0[0]), try Spans.decode($0[1])) },
            uniquingKeysWith: { $1 })
    }

    private static func list(_ people: [PersonID]) -> String {
        "[\(people.map { "\"\($0.text)\"" }.joined(separator: ","))]"
    }
}
