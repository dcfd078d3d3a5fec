import GRDB
import TestKit
import Testing
import Timekeeping

@testable import Storage

@Suite struct SchemaPartsTests {
    private static let own = [
        SchemaPart(kind: "table", name: "song", table: "song", sql: "CREATE TABLE song (a, b)"),
        SchemaPart(
            kind: "table", name: "word", table: "word",
            sql: "CREATE VIRTUAL TABLE word USING fts5 (a)"),
        SchemaPart(
            kind: "table", name: "word_data", table: "word_data",
            sql: "CREATE TABLE word_data (a)"),
    ]

    private func difference(_ change: (inout [SchemaPart]) -> Void) -> String? {
        var parts = Self.own
        change(&parts)
        return SchemaPart.firstDifference(of: parts, from: Self.own)
    }

    @Test func `Parts differ only if their SQL differs in more than whitespace`() {
        #expect(difference { _ in } == nil)
        #expect(
            difference {
                $0[0] = SchemaPart(
                    kind: "table", name: "song", table: "song",
                    sql: "CREATE  TABLE song\n  (a, b)")
            } == nil)
        #expect(
            difference {
                $0[0] = SchemaPart(
                    kind: "table", name: "song", table: "song", sql: "CREATE TABLE song (a)")
            } == "the table song was altered")
        #expect(difference { $0.remove(at: 0) } == "the table song is missing")
        // Each version of SQLite writes the tables behind an index differently.
        #expect(
            difference {
                $0[2] = SchemaPart(
                    kind: "table", name: "word_data", table: "word_data",
                    sql: "CREATE TABLE 'word_data' (a)")
            } == nil)
    }

    @Test(arguments: [
        (
            "CREATE TRIGGER spy AFTER INSERT ON meeting BEGIN DELETE FROM contact; END",
            "the trigger spy was added"
        ),
        ("CREATE VIEW look AS SELECT name FROM person", "the view look was added"),
        ("CREATE TABLE song (title TEXT)", "the table song was added"),
        (
            "CREATE INDEX person_by_zone ON person (zone)",
            "the index person_by_zone was added"
        ),
        ("ALTER TABLE person ADD COLUMN shoe TEXT", "the table person was altered"),
        (
            "DROP TABLE catalogue_text",
            "the table catalogue_text is missing"
        ),
    ])
    func `A backup with a changed schema is refused, and so is backing up such a database`(
        statement: String, part: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/letsmeet.sqlite"
            let copy = folder + "/copy.backup"
            let store = try Store(path: path)
            try await store.backup(to: copy, overwriting: false)
            let other = try DatabaseQueue(path: copy)
            try await other.write { db in try db.execute(sql: statement) }
            try other.close()
            let now = try Moment.parse("2026-12-01T12:00:00Z")
            #expect(throws: BackupFault.altered(part)) {
                try Store.restore(path, from: copy, now: now)
            }
            #expect(try await store.health().foreignPart == nil)
            let own = try DatabaseQueue(path: path)
            try await own.write { db in try db.execute(sql: statement) }
            try own.close()
            #expect(try await store.health().foreignPart == part)
            await #expect(throws: StoreError.altered(path: path, part: part)) {
                try await store.backup(to: copy, overwriting: true)
            }
            try store.close()
        }
    }
}
