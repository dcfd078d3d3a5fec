public import Agenda
import GRDB
public import Ledger

extension Store {
    /// By which mail addresses the people of a meeting are known: those that they have, and those
    /// at which they were told of it.
    public func mailAddresses(in meeting: MeetingID) async throws -> [PersonID: Set<String>] {
        try await read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT p.person_id AS person_id, a.address AS address
                        FROM participant p JOIN person_address a ON a.person_id = p.person_id
                        WHERE p.meeting_id = :meeting
                        UNION
                        SELECT coalesce(r.merged_into, r.id), d.address
                        FROM delivery d JOIN person r ON r.id = d.person_id
                        WHERE d.meeting_id = :meeting AND d.channel = 'mail' AND d.address <> ''
                        """), arguments: ["meeting": meeting.text])
            return Dictionary(
                rows.map { (PersonID(text: $0["person_id"]), [$0["address"] as String]) },
                uniquingKeysWith: { $0.union($1) })
        }
    }
}
