import GRDB
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// What a hand in the database does to the deliveries of a lunch, and `ledger verify` finds.
@Suite(.timeLimit(.minutes(5))) struct VerifyingTests {
    private func rules(
        _ lunch: Lunch, after sql: String,
        _ change: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) async throws -> Set<String> {
        try await lunch.planner.store.write { db in
            try db.execute(sql: sql)
            try change(db)
        }
        return Set(try await lunch.planner.verifyLedger().faults.map(\.rule))
    }

    @Test(arguments: [
        (
            "UPDATE delivery SET due = due + 31536000000 WHERE kind = 'reminder'",
            "not at the time of its meeting"
        ),
        (
            "UPDATE delivery SET deadline = deadline + 1 WHERE kind = 'invitation'",
            "not at the time of its meeting"
        ),
        (
            """
            UPDATE delivery SET state = 'superseded', reason = 'gone' WHERE kind = 'reminder';
            INSERT INTO delivery_turn (delivery_id, at, state, reason)
            SELECT id, 1, state, reason FROM delivery WHERE state = 'superseded'
            """, "a notification that nobody planned"
        ),
        ("DELETE FROM delivery WHERE kind = 'invitation'", "a notification that nobody planned"),
        (
            "UPDATE delivery SET mark = mark || ' ' WHERE kind = 'message'",
            "a key that was made of other values"
        ),
        (
            "UPDATE delivery SET due = due + 3660000 WHERE kind = 'message'",
            "put off without an attempt or a word of why"
        ),
        ("UPDATE delivery SET body_id = NULL WHERE kind = 'message'", "a message without its text"),
        (
            """
            UPDATE delivery SET hold = 'hours', wanted = due, reason = 'it is night',
                due = due + 31536000000
            WHERE kind = 'invitation'
            """, "held back for longer than anything asks for"
        ),
        (
            """
            UPDATE delivery SET hold = 'flood', wanted = due, reason = 'too many',
                due = due + 3660000
            WHERE kind = 'invitation'
            """, "held back for longer than anything asks for"
        ),
    ])
    func `A notification that was taken away, or put off, is missed`(
        _ sql: String, _ rule: String
    ) async throws {
        try await withLunch { lunch in
            _ = try await lunch.planner.message("Lunch", "Hello.", to: [], saving: true)
            let before = try await lunch.planner.verifyLedger()
            #expect(before.holds)
            let found = try await rules(lunch, after: sql)
            #expect(found == [rule])
        }
    }

    @Test(arguments: [
        (
            "UPDATE delivery SET address = 'eve@example.org' WHERE state = 'accepted'",
            "a key that was made of other values"
        ),
        (
            """
            INSERT INTO delivery_turn (delivery_id, at, state, reason)
            SELECT id, 1, 'superseded', 'gone' FROM delivery WHERE state = 'planned'
            UNION ALL SELECT id, 1, 'parked', 'gone' FROM delivery WHERE state = 'planned'
            UNION ALL SELECT id, 1, 'planned', 'back' FROM delivery WHERE state = 'planned'
            """, "a turn that is not legal"
        ),
        (
            "UPDATE delivery SET due = due + 259200000 WHERE state = 'planned'",
            "put off for longer than after any attempt"
        ),
    ])
    func `What was done to rows with attempts is found`(
        _ sql: String, _ rule: String
    ) async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { outgoing, _ in
                AttemptReport(outgoing.name == "Anna Aalto" ? .accepted : .retry, reply: "busy")
            }
            _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
            #expect(try await lunch.planner.verifyLedger().holds)
            let found = try await rules(lunch, after: sql)
            #expect(found.contains(rule))
        }
    }

    @Test(arguments: [DeliveryState.superseded, .suppressed, .parked, .ambiguous, .accepted])
    func `A state that the last attempt does not explain is found`(
        _ state: DeliveryState
    ) async throws {
        try await withLunch { lunch in
            let sink = ScriptedSink { _, _ in AttemptReport(.retry, reply: "busy") }
            _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
            #expect(try await lunch.planner.verifyLedger().holds)
            let found = try await rules(lunch, after: "DROP TRIGGER delivery_turns_legally") { db in
                try db.execute(
                    sql: """
                        UPDATE delivery SET state = :state, reason = 'gone'
                        WHERE kind = 'invitation'
                        """, arguments: ["state": state.rawValue])
            }
            let rule = "a state that neither its last attempt nor its last turn explains"
            #expect(found.contains(rule))
        }
    }
}
