import GRDB
import Ledger
import Notifications
import Planning
import TestKit
import Testing

@testable import Storage

/// A row that cannot be read is parked, and blocks no other.
@Suite(.timeLimit(.minutes(5))) struct PoisonTests {
    @Test(arguments: ["join", "answer"])
    func `An unreadable row is parked, and the others are sent`(_ kind: String) async throws {
        try await withLunch { lunch in
            let ids = try await lunch.due().map(\.id)
            let poison = try #require(ids.first)
            try await lunch.planner.store.pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: "UPDATE delivery SET kind = :kind WHERE id = :id",
                    arguments: ["kind": kind, "id": poison])
            }
            let sink = ScriptedSink()
            let engine = try lunch.world.engine(lunch.planner, sinks: [sink])
            #expect(try await engine.runOnce() == DeliveryTally(accepted: 1, held: 1))
            #expect(try await lunch.states()["parked"] == 1)
            #expect(try await engine.runOnce() == DeliveryTally())
        }
    }

    @Test(arguments: [
        """
        UPDATE delivery SET person_id = (SELECT max(id) FROM person)
        WHERE kind = 'invitation' AND person_id <> (SELECT max(id) FROM person)
        """, "UPDATE delivery SET address = 'eve@example.org' WHERE kind = 'invitation'",
    ])
    func `A delivery with a manipulated receiver is parked`(_ sql: String) async throws {
        try await withLunch { lunch in
            try await lunch.planner.store.pool.writeWithoutTransaction { db in
                try db.execute(sql: sql)
            }
            let sink = ScriptedSink()
            _ = try await lunch.world.engine(lunch.planner, sinks: [sink]).runOnce()
            #expect(sink.messages.count + (try await lunch.states()["parked"] ?? 0) == 2)
            let stories = try await lunch.planner.ledger(
                states: [.parked], meeting: nil, limit: 9
            ).rows
            #expect(!stories.isEmpty)
            for story in stories {
                #expect(
                    story.delivery.reason
                        == "it cannot be read: its key does not match its values")
            }
        }
    }

    @Test func `An unexplained state and a state change that is not allowed are faults`()
        async throws
    {
        try await withLunch { lunch in
            let store = lunch.planner.store
            let ids = try await lunch.due().map(\.id)
            try await store.pool.writeWithoutTransaction { db in
                try db.execute(sql: "DROP TRIGGER delivery_turns_legally")
                try db.execute(
                    sql: "UPDATE delivery SET state = 'parked', reason = 'x' WHERE id = :id",
                    arguments: ["id": ids[0]])
                for state in ["accepted", "planned"] {
                    try db.execute(
                        sql: """
                            INSERT INTO delivery_turn (delivery_id, at, state, reason)
                            VALUES (:id, 0, :state, 'x')
                            """, arguments: ["id": ids[1], "state": state])
                }
            }
            let rules = try await store.ledgerFaults(limit: 9).map(\.rule)
            #expect(
                rules.sorted() == [
                    "a state change that is not allowed",
                    "no state change and no attempt explains the state",
                ])
        }
    }
}
