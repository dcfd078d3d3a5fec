import GRDB
import Ledger
import Notifications
import Planning
import Sinks
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Manual changes of deliveries in the database, which `ledger verify` has to find.
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
            "due at the wrong time"
        ),
        (
            "UPDATE delivery SET deadline = deadline + 1 WHERE kind = 'invitation'",
            "due at the wrong time"
        ),
        (
            """
            UPDATE delivery SET state = 'superseded', reason = 'gone' WHERE kind = 'reminder';
            INSERT INTO delivery_turn (delivery_id, at, state, reason)
            SELECT id, 1, state, reason FROM delivery WHERE state = 'superseded'
            """, "a notification is missing"
        ),
        ("DELETE FROM delivery WHERE kind = 'invitation'", "a notification is missing"),
        (
            "UPDATE delivery SET mark = mark || ' ' WHERE kind = 'message'",
            "the key does not match the row"
        ),
        (
            "UPDATE delivery SET due = due + 3660000 WHERE kind = 'message'",
            "postponed without an attempt or a reason"
        ),
        ("UPDATE delivery SET body_id = NULL WHERE kind = 'message'", "a message without its text"),
        (
            """
            UPDATE delivery SET hold = 'hours', wanted = due, reason = 'it is night',
                due = due + 31536000000
            WHERE kind = 'invitation'
            """, "held back for longer than necessary"
        ),
        (
            """
            UPDATE delivery SET hold = 'flood', wanted = due, reason = 'too many',
                due = due + 3660000
            WHERE kind = 'invitation'
            """, "held back for longer than necessary"
        ),
    ])
    func `A removed or postponed notification is found`(
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
            "the key does not match the row"
        ),
        (
            """
            INSERT INTO delivery_turn (delivery_id, at, state, reason)
            SELECT id, 1, 'superseded', 'gone' FROM delivery WHERE state = 'planned'
            UNION ALL SELECT id, 1, 'parked', 'gone' FROM delivery WHERE state = 'planned'
            UNION ALL SELECT id, 1, 'planned', 'back' FROM delivery WHERE state = 'planned'
            """, "a state change that is not allowed"
        ),
        (
            "UPDATE delivery SET due = due + 259200000 WHERE state = 'planned'",
            "postponed for longer than any retry waits"
        ),
    ])
    func `Manual changes of rows with attempts are found`(
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
    func `A state that does not match the last attempt is found`(
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
            let rule = "neither the last attempt nor the last state change explains the state"
            #expect(found.contains(rule))
        }
    }
}
