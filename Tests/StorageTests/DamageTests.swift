import Agenda
import Foundation
import GRDB
import Ledger
import Planning
import Settings
import Synchronization
import TestKit
import Testing

@testable import Storage

/// Database files that are damaged, or whose disk is full.
@Suite struct DamageTests {
    private static let rows = """
        INSERT INTO person (id, name, created_at) VALUES ('aaaaaaaaaaaaaaaa', 'Anna', 0);
        INSERT INTO person_address (person_id, folded, address, position)
        VALUES ('aaaaaaaaaaaaaaaa', 'anna@example.org', 'Anna@example.org', 0);
        """

    /// Runs `body` with a closed database that contains Anna.
    private func withFile(_ body: (_ path: String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let store = try Store(path: path)
            try await store.write { db in try db.execute(sql: Self.rows) }
            try await store.overwriteDeleted()
            try store.close()
            try await body(path)
        }
    }

    @Test func `A flipped bit in a table or in its index is detected`() async throws {
        try await withFile { path in
            let sound = try Data(contentsOf: URL(filePath: path))
            let text = Data("anna@example.org".utf8)
            var places: [Data.Index] = []
            while let place = sound.range(of: text, in: (places.last ?? -1) + 1..<sound.endIndex) {
                places.append(place.lowerBound)
            }
            #expect(places.count == 4, "in its table and in three indexes")
            for place in places {
                var flipped = sound
                flipped[place + 3] ^= 1
                try flipped.write(to: URL(filePath: path))
                let store = try Store(path: path)
                #expect(try await store.health().problems.isEmpty == false)
                let error = await #expect(throws: StoreError.self) { try await store.checkWhole() }
                #expect(error?.description.contains("damaged") == true)
                try store.close()
            }
            try sound.write(to: URL(filePath: path))
            let store = try Store(path: path)
            try await store.checkWhole()
            #expect(try await store.health().problems == [])
            try store.close()
        }
    }

    @Test func `A row that refers to a missing row is detected`() async throws {
        try await withFile { path in
            var loose = Configuration()
            loose.foreignKeysEnabled = false
            let other = try DatabaseQueue(path: path, configuration: loose)
            try await other.write { db in try db.execute(sql: "DELETE FROM person") }
            try other.close()
            let store = try Store(path: path)
            let problems = try await store.health().problems
            #expect(problems == ["a row of person_address refers to a missing row"])
            try store.close()
        }
    }

    @Test func `A value that letsmeet cannot have written is reported as damage`() async throws {
        try await withTemporaryStore { store in
            for error in [UnreadableValue.word, .card] {
                let said = await #expect(throws: StoreError.self) {
                    try await store.read { _ in throw error }
                }
                #expect(said == .damaged(path: store.path, detail: error.description))
            }
            let said = await #expect(throws: StoreError.self) {
                try await store.write { db in
                    _ = try String.fetchAll(db, sql: "SELECT NULL")
                }
            }
            let words = "a value in it has the wrong format"
            #expect(said == .damaged(path: store.path, detail: words))
        }
    }

    @Test(arguments: [
        "UPDATE meeting SET duration = 'long'", "UPDATE meeting SET start_wall = 'noon'",
        "UPDATE meeting SET reminders = '[1]'", "UPDATE meeting SET reminders = '{}'",
        "INSERT INTO sending_hours SELECT id, '[1]', '[]' FROM person",
    ])
    func `A text in the wrong format is reported as damage, not as a bug`(
        _ sql: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var lunch = MeetingRequest()
            lunch.title = "Lunch"
            lunch.with = ["anna@example.org"]
            lunch.start = "2026-12-05T12:00"
            let id = try await planner.createMeeting(lunch, saving: true).meeting.id
            try await planner.store.write { db in try db.execute(sql: sql) }
            let said = await #expect(throws: StoreError.self) {
                _ = try await planner.store.meetingBundle(MeetingID(text: id))
            }
            let words = "a value in it has the wrong format"
            #expect(said == .damaged(path: planner.store.path, detail: words))
        }
    }

    @Test func `The message about a full disk says what to do`() {
        let full = Refusal(StoreError.full(path: "a"))
        #expect(full.category.exitStatus == 1)
        let words = "The disk of a is full. Free some space and try again."
        #expect(full.message == words + " Nothing was changed.")
        let error = DatabaseError(resultCode: .SQLITE_IOERR, message: "not an error")
        #expect(StoreError(error, path: "a") == .disk(path: "a", detail: "disk I/O error"))
        let settings = Refusal(SettingsError.unwritable(file: "a"))
        #expect(settings.category.exitStatus == 1)
        #expect(settings.code == "unwritable")
    }

    @Test func `A value that the schema forbids is detected`() async throws {
        try await withTemporaryStore { store in
            try await store.write { db in try db.execute(sql: Self.rows) }
            try await store.look { db in
                try db.execute(sql: "PRAGMA ignore_check_constraints = 1")
                try db.execute(sql: "UPDATE person SET is_erased = 2")
                try db.execute(sql: "PRAGMA ignore_check_constraints = 0")
            }
            #expect(try await store.health().problems.contains { $0.contains("CHECK") })
            await #expect(throws: StoreError.self) { try await store.checkWhole() }
        }
    }

    @Test func `The failure listener is notified of a full disk, and not of successful writes`()
        async throws
    {
        try await withTemporaryStore { store in
            let heard = Mutex<[StoreError]>([])
            store.reportFailures { error in heard.withLock { $0.append(error) } }
            try await store.write { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(pages)")
                try db.execute(sql: Self.rows)
            }
            #expect(heard.withLock(\.self) == [])
            let full = StoreError.full(path: store.path)
            await #expect(throws: full) {
                try await store.write { db in
                    try db.execute(
                        sql: "INSERT INTO person (id, name, created_at) VALUES (?, ?, 0)",
                        arguments: [
                            "bbbbbbbbbbbbbbbb", String(repeating: "Ben", count: 100_000),
                        ])
                }
            }
            #expect(heard.withLock(\.self) == [full])
        }
    }
}
