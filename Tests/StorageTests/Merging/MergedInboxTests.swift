import GRDB
import Planning
import TestKit
import Testing

@testable import Storage

/// The inboxes of two people who are merged, and parted again.
@Suite(.timeLimit(.minutes(5))) struct MergedInboxTests {
    /// Gives a person an account with two notifications, of which the second is of both.
    private func fill(_ id: String, _ letter: String, _ planner: Planner) async throws {
        let key = String(repeating: letter, count: 25)
        try await planner.store.write { db in
            let meeting = try String.fetchOne(db, sql: "SELECT min(id) FROM meeting")
            try db.execute(
                sql: "INSERT INTO account (person_id, role, made_at) VALUES (?, 'member', 0)",
                arguments: [id])
            for (number, mark) in [("1", letter), ("2", "both")] {
                try db.execute(
                    sql: """
                        INSERT INTO peck (
                            key, person_id, meeting_id, occurrence, kind, mark, title, shown_at)
                        VALUES (?, ?, ?, '', 'message', ?, 'Games', 0)
                        """, arguments: [key + number, id, meeting, mark])
            }
            try db.execute(
                sql: "INSERT INTO peck_muted_kind (person_id, kind) VALUES (?, 'nudge')",
                arguments: [id])
        }
    }

    private func marks(_ id: String, _ planner: Planner) async throws -> [String] {
        try await planner.store.read { db in
            try String.fetchAll(
                db, sql: "SELECT mark FROM peck WHERE person_id = ? ORDER BY mark", arguments: [id])
        }
    }

    @Test func `A merge unites two inboxes, and taking it back parts them`() async throws {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.contact("anna@example.org").id
            let anya = try await planner.contact("anya@example.org").id
            try await fill(anna, "a", planner)
            try await fill(anya, "b", planner)
            let person = try await planner.person(named: "anna@example.org")
            _ = try await planner.mergePeople("anna@example.org", "anya@example.org")
            #expect(try await marks(anna, planner) == ["a", "b", "both"])
            #expect(try await marks(anya, planner) == [])
            _ = try await planner.unmergePerson(person)
            #expect(try await marks(anna, planner) == ["a", "both"])
            #expect(try await marks(anya, planner) == ["b", "both"])
        }
    }

    @Test func `Closing an account deletes its inbox alone`() async throws {
        try await TwoPeople.with { _, planner in
            let anna = try await planner.contact("anna@example.org").id
            let anya = try await planner.contact("anya@example.org").id
            try await fill(anna, "a", planner)
            try await fill(anya, "b", planner)
            try await planner.store.write { db in
                try db.execute(
                    sql: "DELETE FROM account WHERE person_id = ?", arguments: [anna])
            }
            #expect(try await marks(anna, planner) == [])
            #expect(try await marks(anya, planner) == ["b", "both"])
        }
    }
}
