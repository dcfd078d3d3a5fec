import Agenda
import GRDB
import Ledger

/// A table with rows that belong to persons, and that a merge changes.
struct PersonTable {
    let name: String
    /// The columns of its primary key.
    let key: Set<String>
    /// The conditions of the rows that belong to the person `:id`; each uses an index.
    let conditions: [String]
    /// The tables whose rows follow a row of this table, from one person to another.
    var children: [String] = []

    private init(_ name: String, by key: String, _ conditions: String...) {
        self.name = name
        self.key = Set(key.split(separator: " ").map(String.init))
        self.conditions = conditions
    }

    private func followed(by children: String...) -> PersonTable {
        var table = self
        table.children = children
        return table
    }

    static func named(_ name: String) -> PersonTable? {
        all.first { $0.name == name }
    }

    private static let inMeetings = """
        person_id = :id AND meeting_id IN (
            SELECT meeting_id FROM participant WHERE person_id = :id)
        """

    /// The tables, each before those that refer to it. Address books are not among them, because
    /// a merge combines cards rather than rows.
    static let all = accounts + books + settings + meetings

    private static let accounts = [
        PersonTable("person", by: "id", "id = :id", "merged_into = :id"),
        PersonTable("account", by: "person_id", "person_id = :id"),
        PersonTable("session", by: "hash", "person_id = :id"),
        PersonTable("passkey", by: "id", "person_id = :id"),
        PersonTable("draft", by: "person_id", "person_id = :id"),
        PersonTable("peck", by: "number", "person_id = :id"),
        PersonTable("peck_muted_kind", by: "person_id kind", "person_id = :id"),
        PersonTable("access_act", by: "number", "person_id = :id", "actor_id = :id"),
        PersonTable("person_address", by: "person_id folded", "person_id = :id"),
        PersonTable(
            "follow", by: "follower_id followed_id", "follower_id = :id", "followed_id = :id"),
        PersonTable(
            "block", by: "blocker_id blocked_id", "blocker_id = :id", "blocked_id = :id"),
    ]
    private static let books = [
        PersonTable("circle", by: "id", "owner_id = :id"),
        PersonTable("circle_source", by: "owner_id uid", "owner_id = :id"),
        PersonTable("saved_place", by: "id", "owner_id = :id"),
        PersonTable("circle_member", by: "circle_id person_id", "person_id = :id"),
        PersonTable("circle_leaver", by: "circle_id person_id", "person_id = :id"),
    ]
    private static let settings = [
        PersonTable("reminder_policy", by: "person_id", "person_id = :id"),
        PersonTable("sending_hours", by: "person_id", "person_id = :id"),
        PersonTable("digest_policy", by: "person_id", "person_id = :id"),
        PersonTable("channel", by: "name", "person_id = :id"),
        PersonTable("busy_calendar", by: "id", "person_id = :id", "owner_id = :id"),
        PersonTable("calendar_object", by: "owner_id kind uid", "owner_id = :id"),
        PersonTable("feed", by: "id", "person_id = :id", "owner_id = :id"),
    ]
    private static let meetings = [
        PersonTable("meeting", by: "id", "organizer_id = :id"),
        PersonTable("participant", by: "meeting_id person_id", "person_id = :id")
            .followed(by: "answer", "snooze"),
        PersonTable(
            "answer", by: "meeting_id occurrence person_id", inMeetings, "answered_by = :id"),
        PersonTable("snooze", by: "meeting_id occurrence person_id", inMeetings),
        PersonTable("seat_request", by: "meeting_id occurrence person_id", "person_id = :id"),
        PersonTable("ignored_mail", by: "id", "person_id = :id"),
        PersonTable("task", by: "id", "person_id = :id"),
        PersonTable("contact_import", by: "id", "owner_id = :id"),
    ]
}

/// The rows of some persons in all tables that a merge changes.
struct PersonRows {
    /// For each table, its rows by their primary keys.
    private let tables: [[StoredRow: StoredRow]]

    init(of persons: [PersonID], in db: Database) throws {
        tables = try PersonTable.all.map { table in
            var rows: [StoredRow: StoredRow] = [:]
            for person in persons {
                for condition in table.conditions {
                    let found = try Row.fetchAll(
                        db, sql: "SELECT * FROM \(table.name) WHERE \(condition)",
                        arguments: ["id": person.text])
                    for row in found.map(StoredRow.init) {
                        rows[row.filter { table.key.contains($0.key) }] = row
                    }
                }
            }
            return rows
        }
    }

    /// The rows that differ from a later state. Of a row in both, only the columns that differ.
    func changes(to later: PersonRows) -> [RowChange] {
        PersonTable.all.indices.flatMap { place in
            let (before, after) = (tables[place], later.tables[place])
            return Set(before.keys).union(after.keys).compactMap { key in
                RowChange(PersonTable.all[place].name, key, from: before[key], to: after[key])
            }
        }
    }
}
