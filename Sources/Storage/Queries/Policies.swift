public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// How long before a start this person wants to be reminded; `nil` without a policy.
    public func reminderPolicy(of person: PersonID) async throws -> [TimeSpan]? {
        try await read { db in try ReminderPolicies.fetch([person], in: db)[person] }
    }

    /// Sets a person's reminder policy, or, with `nil`, takes it away, and plans the coming
    /// meetings in which they take part anew.
    ///
    /// - Parameters:
    ///   - offsets: how long before a start; `nil` for what each meeting says.
    ///   - person: whose.
    ///   - now: the clock.
    ///   - saving: without it nothing is saved: a preview.
    ///   - replanning: plans a meeting.
    /// - Returns: what becomes of those meetings.
    /// - Throws: ``StoreError``; nothing has changed then.
    public func setReminderPolicy(
        _ offsets: [TimeSpan]?, of person: PersonID, now: Moment, saving: Bool,
        replanning: @escaping Replanning
    ) async throws -> [MeetingRevision] {
        try await write { db in
            var revisions: [MeetingRevision] = []
            try db.inSavepoint {
                try ReminderPolicies.save(offsets, of: person, in: db)
                revisions = try MeetingBundle.replan(
                    MeetingID.coming(of: person, now: now, in: db), by: replanning, in: db)
                return saving ? .commit : .rollback
            }
            return revisions
        }
    }
}

enum ReminderPolicies {
    static func fetch(_ people: [PersonID], in db: Database) throws -> [PersonID: [TimeSpan]] {
        var policies: [PersonID: [TimeSpan]] = [:]
        let statement = try db.cachedStatement(
            sql: "SELECT offsets FROM reminder_policy WHERE person_id = :id")
        for person in people {
            guard let text = try String.fetchOne(statement, arguments: ["id": person.text]) else {
                continue
            }
            policies[person] = try Spans.decode(text)
        }
        return policies
    }

    static func save(_ offsets: [TimeSpan]?, of person: PersonID, in db: Database) throws {
        guard let offsets else {
            return try db.execute(
                sql: "DELETE FROM reminder_policy WHERE person_id = :id",
                arguments: ["id": person.text])
        }
        try db.execute(
            sql: """
                INSERT INTO reminder_policy (person_id, offsets) VALUES (:id, :offsets)
                ON CONFLICT (person_id) DO UPDATE SET offsets = :offsets
                """, arguments: ["id": person.text, "offsets": Spans.encode(offsets)])
    }
}
