import GRDB
import Ledger
import TestKit
import Testing
import Timekeeping

@testable import Storage

/// Due deliveries and deliveries that wait for a retry are counted separately.
@Suite struct WaitingTests {
    /// Anna's lunch with two deliveries: one was tried once and is due again at 50, the other was
    /// never tried and is due at 5.
    private static let rows = """
        INSERT INTO person (id, name, created_at) VALUES ('aaaaaaaaaaaaaaaa', 'Anna', 0);
        INSERT INTO meeting (id, uid, organizer_id, title, note, link, start_wall, zone, duration,
            starts_at, ends_at, status, revision, sequence, reminders, created_at)
        VALUES ('mmmmmmmmmmmmmmmm', 'u', 'aaaaaaaaaaaaaaaa', 'Lunch', '', '',
            '2026-12-05T12:00:00', 'Europe/Helsinki', 'PT1H', 1, 2, 'confirmed', 1, 0, '[]', 0);
        INSERT INTO delivery (id, key, meeting_id, person_id, kind, mark, channel, address, due,
            deadline)
        VALUES (1, 'kkkkkkkkkkkkkkkkkkkkkkkkkk', 'mmmmmmmmmmmmmmmm', 'aaaaaaaaaaaaaaaa',
                'invitation', '1', 'stdout', '', 50, 90),
            (2, 'jjjjjjjjjjjjjjjjjjjjjjjjjj', 'mmmmmmmmmmmmmmmm', 'aaaaaaaaaaaaaaaa',
                'reminder', '1', 'stdout', '', 5, 90);
        INSERT INTO attempt (
            delivery_id, number, at, history_number, ended_at, outcome, code, reply)
        VALUES (1, 1, 2, 1, 3, 'retry', '451', 'later');
        """

    /// Opens a store with these rows and a worker, and runs `begun` to add its work.
    private func withWorker(
        _ begun: String, _ body: (Store) async throws -> Void
    ) async throws {
        try await withTemporaryStore { store in
            try await store.write { db in
                try db.execute(sql: Self.rows)
                try db.execute(
                    sql: "INSERT INTO worker (id, name, started_at) VALUES (1, 'at work', 0)")
                try db.execute(sql: begun)
            }
            try await body(store)
        }
    }

    @Test func `Deliveries can be counted in parts of a limited size`() async throws {
        try await withTemporaryStore { store in
            try await store.write { db in try db.execute(sql: Self.rows) }
            let one = DeliveryCount(state: .planned, channel: "stdout", count: 1)
            let first = try await store.countDeliveries(after: 0, rowsMax: 1)
            #expect(first.counts == [one])
            #expect(first.next == 1)
            let last = try await store.countDeliveries(after: 1, rowsMax: .max)
            #expect(last.counts == [one])
            #expect(last.next == nil)
        }
    }

    @Test func `A waiting retry is not counted as due`() async throws {
        try await withTemporaryStore { store in
            try await store.write { db in try db.execute(sql: Self.rows) }
            let now = Moment(milliseconds: 10)
            let waiting = try await store.waitingRetries(now: now)
            #expect(waiting.count == 1)
            #expect(waiting.next == Moment(milliseconds: 50))
            #expect(try await store.read { try LedgerBacklog.dueCount(now: now, in: $0) } == 1)
        }
    }

    @Test func `A retry whose time has come is due and no longer waiting`() async throws {
        try await withTemporaryStore { store in
            try await store.write { db in try db.execute(sql: Self.rows) }
            let now = Moment(milliseconds: 60)
            #expect(try await store.waitingRetries(now: now).count == 0)
            #expect(try await store.read { try LedgerBacklog.dueCount(now: now, in: $0) } == 2)
        }
    }

    @Test func `A delivery that is being sent is not waiting, but due after a restart`()
        async throws
    {
        try await withWorker(
            """
            INSERT INTO intent (delivery_id, worker_id, number, at, history_number)
            VALUES (1, 1, 2, 9, 1), (2, 1, 1, 9, 1);
            """
        ) { store in
            let now = Moment(milliseconds: 10)
            let waiting = try await store.waitingRetries(now: now)
            #expect(waiting.count == 0)
            #expect(try await store.nextDue() == nil)
            #expect(try await store.read { try LedgerBacklog.dueCount(now: now, in: $0) } == 1)
            #expect(try await store.health().openDeliveries == 2)
        }
    }

    @Test(arguments: [true, false])
    func `An outcome that contradicts its delivery is set aside, and the others are folded`(
        _ isAll: Bool
    ) async throws {
        try await withWorker(
            """
            INSERT INTO intent (delivery_id, worker_id, number, at, history_number)
            VALUES (1, 1, 1, 9, 1), (2, 1, 1, 9, 1);
            INSERT INTO outcome (delivery_id, at, outcome, code, reply, state, reason)
            VALUES (1, 9, 'accepted', '250', 'taken', 'accepted', ''),
                (2, 9, 'accepted', '250', 'taken', 'accepted', '');
            """
        ) { store in
            let folded =
                isAll
                ? try await store.write { db in try Fold.all.settle(in: db) }
                : try await store.foldOutcomes(limit: 9)
            #expect(folded.count == 2)
            // The first delivery already has an attempt with that number; its outcome is still
            // history.
            #expect(folded.setAside == ["kkkkkkkkkkkkkkkkkkkkkkkkkk"])
            #expect(try await store.foldOutcomes(limit: 9).count == 0)
            #expect(try await store.deliveryCounts() == [.accepted: 2])
        }
    }

    @Test func `An accepted delivery that is not folded yet is neither due nor open`() async throws
    {
        try await withWorker(
            """
            INSERT INTO intent (delivery_id, worker_id, number, at, history_number)
            VALUES (2, 1, 1, 9, 1);
            INSERT INTO outcome (delivery_id, at, outcome, code, reply, state, reason)
            VALUES (2, 9, 'accepted', '250', 'taken', 'accepted', '');
            """
        ) { store in
            let now = Moment(milliseconds: 10)
            let dueCount = try await store.read { try LedgerBacklog.dueCount(now: now, in: $0) }
            #expect(dueCount == 0)
            #expect(try await store.health().openDeliveries == 1)
            #expect(try await store.health().lastAttempt == Moment(milliseconds: 9))
            #expect(try await store.foldOutcomes(limit: 9).count == 1)
            #expect(try await store.health().openDeliveries == 1)
            #expect(try await store.health().lastAttempt == Moment(milliseconds: 9))
            #expect(try await store.deliveryCounts() == [.planned: 1, .accepted: 1])
        }
    }
}
