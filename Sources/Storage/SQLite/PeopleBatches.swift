import Agenda
import GRDB
import Ledger
import Timekeeping

/// Queries about many people with one statement. For a meeting of fifty they run while all other
/// writes wait.
enum PeopleBatches {
    /// True if one of these people is erased or was merged into another person.
    static func isAnyGone(_ people: [PersonID], in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    /* SQLite */ SELECT EXISTS (
                        SELECT 1 FROM json_each(:ids) n CROSS JOIN person p WHERE p.id = n.value
                            AND (p.merged_into IS NOT NULL OR p.is_erased = 1))
                    """), arguments: [list(people)]) ?? false
    }

    /// The personal reminder times of these people; those who have set none are left out.
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
