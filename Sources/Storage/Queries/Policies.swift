public import Agenda
import GRDB
public import Ledger
public import Timekeeping

extension Store {
    /// How long before a start this person wants to be reminded; `nil` without a policy.
    public func reminderPolicy(of person: PersonID) async throws -> [TimeSpan]? {
        try await read { db in try ReminderPolicies.fetch([person], in: db)[person] }
    }

    /// Sets a person's reminder policy, or, with `nil`, takes it away.
    public func setReminderPolicy(_ offsets: [TimeSpan]?, of person: PersonID) async throws {
        try await write { db in
            guard let offsets else {
                try db.execute(
                    sql: "DELETE FROM reminder_policy WHERE person_id = :id",
                    arguments: ["id": person.text])
                return
            }
            try db.execute(
                sql: """
                    INSERT INTO reminder_policy (person_id, offsets) VALUES (:id, :offsets)
                    ON CONFLICT (person_id) DO UPDATE SET offsets = :offsets
                    """, arguments: ["id": person.text, "offsets": Spans.encode(offsets)])
        }
    }

    /// The coming meetings in which a person takes part: those whose reminders depend on them.
    public func comingMeetings(of person: PersonID, now: Moment) async throws -> [MeetingID] {
        try await read { db in
            try MeetingID.coming(of: person, now: now, in: db)
        }
    }
}
