import GRDB
import Ledger
import Notifications
import Planning
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
