import Agenda
import Foundation
import GRDB
import Ledger
import Planning
import Settings
import TestKit
import Testing

@testable import Storage

/// The people who can take an import back, the time for it, and the uses of a person.
@Suite struct ImportUndoTests {
    private static let card = SampleCard(name: "Anna", emails: ["a@e.org"])

    @Test func `Nobody else can take an import back, and nobody twice`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let report = try await home.importCards([Self.card])
            let id: String = try #require(report.importID)
            var ben = ContactEdit()
            ben.name = "Ben"
            _ = try await planner.addPerson(ben)
            let other = planner.acting(as: try await planner.person(named: "Ben"))
            await #expect(throws: Refusal.self) { _ = try await other.undoImport(id) }
            #expect(try await !other.mayUndoImport(id))
            #expect(try await planner.undoImport(id).removed == 1)
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await planner.undoImport(id)
            }
            #expect(refusal?.code == "unknown_import")
        }
    }

    @Test func `An import can be taken back for 30 days, and then its record goes`() async throws {
        try await withHome { home in
            let id: String = try #require(try await home.importCards([Self.card]).importID)
            home.clock.advance(bySeconds: 30 * 86_400)
            #expect(try await home.planner().mayUndoImport(id))
            home.clock.advance(bySeconds: 1)
            #expect(try await !home.planner().mayUndoImport(id))
            _ = try await home.importCards([Self.card])
            let rows: Int? = try await home.planner().store.read { db in
                try Int.fetchOne(db, sql: "/* SQLite */ SELECT count(*) FROM imported_contact")
            }
            #expect(rows == 0)
        }
    }

    @Test func `An import that changes nothing leaves no record`() async throws {
        try await withHome { home in
            _ = try await home.importCards([Self.card])
            #expect(try await home.importCards([Self.card]).importID == nil)
        }
    }

    @Test func `A stopped import keeps what was saved, and can be taken back`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let cards = (0..<5).map { SampleCard(name: "P\($0)", emails: ["p\($0)@e.org"]) }
            let file = home.home.path + "/cards.vcf"
            try cards.map(\.text).joined().write(
                toFile: file, atomically: true, encoding: .utf8)
            let report = try await planner.importPeople(
                [file], selection: ImportSelection(),
                pace: ImportPace(rowsMax: 2) { done, total in
                    #expect(total == 5)
                    return done < 4
                })
            #expect(report.isStopped && report.imported == 4)
            let id: String = try #require(report.importID)
            #expect(try await planner.undoImport(id).removed == 4)
            #expect(try await planner.people().isEmpty)
        }
    }

    @Test func `An import that is stopped while its file is read saves nothing`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let file = home.home.path + "/cards.vcf"
            // Of a card that was read in part, nothing is reported.
            let text = SampleCard(name: "Anna", emails: ["anna@e.org"]).text + "BEGIN:VCARD\n"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let report: ImportReport = try await planner.importPeople(
                [file], selection: ImportSelection(), pace: ImportPace(isStopped: { true }))
            #expect(report.isStopped && report.imported == 0 && report.importID == nil)
            #expect(report.skipped.isEmpty && report.warnings.isEmpty)
            #expect(try await planner.people().isEmpty)
        }
    }

    @Test func `An import saves nothing more after its task was removed with its account`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let cards = (0..<4).map { SampleCard(name: "P\($0)", emails: ["p\($0)@e.org"]) }
            let file = home.home.path + "/cards.vcf"
            try cards.map(\.text).joined().write(
                toFile: file, atomically: true, encoding: .utf8)
            let id = String(repeating: "t", count: 16)
            let task = LongTask(
                id: LongTaskID(text: id), person: planner.owner.id, kind: .contacts,
                subject: "cards.vcf", queuedAt: planner.now)
            #expect(try await planner.store.addTask(task, openMax: 1))
            let pace = ImportPace(id: ContactImportID(text: id), rowsMax: 2) { done, _ in
                guard done > 0 else { return true }
                try await planner.store.write { try $0.execute(sql: "DELETE FROM task") }
                return true
            }
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await planner.importPeople(
                    [file], selection: ImportSelection(), pace: pace)
            }
            #expect(refusal?.code == "partly_imported")
            #expect(try await planner.people().count == 2)
        }
    }

    /// Contacts in the address book of a merged person could be seen by nobody.
    @Test(arguments: [true, false])
    func `An import saves nothing more after its owner was merged with another person`(
        isTask: Bool
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let store = planner.store
            for name in ["Ben", "Otto"] {
                var edit = ContactEdit()
                edit.name = name
                _ = try await planner.addPerson(edit)
            }
            let ben: Person = try await planner.person(named: "Ben")
            let otto: Person = try await planner.person(named: "Otto")
            let cards = (0..<4).map { SampleCard(name: "P\($0)", emails: ["p\($0)@e.org"]) }
            let file = home.home.path + "/cards.vcf"
            try cards.map(\.text).joined().write(
                toFile: file, atomically: true, encoding: .utf8)
            let id = String(repeating: "t", count: 16)
            let task = LongTask(
                id: LongTaskID(text: id), person: ben.id, kind: .contacts,
                subject: "cards.vcf", queuedAt: planner.now)
            #expect(try await store.addTask(task, openMax: 1))
            let name = isTask ? ContactImportID(text: id) : nil
            let pace = ImportPace(id: name, rowsMax: 2) { done, _ in
                guard done > 0 else { return true }
                _ = try await planner.mergePeople(otto, ben)
                return true
            }
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await planner.acting(as: ben).importPeople(
                    [file], selection: ImportSelection(), pace: pace)
            }
            #expect(refusal?.code == "partly_imported")
            #expect(refusal?.message.contains("the account was deleted or merged") == true)
            let left: Int? = try await store.read { db in
                try Int.fetchOne(
                    db, sql: "/* SQLite */ SELECT count(*) FROM contact WHERE owner_id = ?",
                    arguments: [ben.id.text])
            }
            #expect(left == 0)
            let people = try await planner.acting(as: otto).people()
            #expect(people.count == 2)
        }
    }

    @Test func `An undo that is stopped goes on later`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let cards = (0..<120).map { SampleCard(name: "P\($0)", emails: ["p\($0)@e.org"]) }
            let id: String = try #require(try await home.importCards(cards).importID)
            let part = try await planner.undoImport(id) { done, _ in done < 50 }
            #expect(part.isStopped && part.removed == 50)
            #expect(try await planner.undoImport(id).removed == 70)
        }
    }

    @Test func `A preview of an undo counts all contacts and changes nothing`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let cards = (0..<120).map { SampleCard(name: "P\($0)", emails: ["p\($0)@e.org"]) }
            let id: String = try #require(try await home.importCards(cards).importID)
            var edit = ContactEdit()
            edit.phones = ["+358 40 1"]
            _ = try await planner.editPerson(try await planner.person(named: "P70"), edit)
            let preview = try await planner.undoImport(id, saving: false)
            #expect(preview.removed == 119 && preview.keptCount == 1)
            #expect(try await planner.people().count == 120)
            let report = try await planner.undoImport(id)
            #expect(report.removed == 119 && report.keptCount == 1)
        }
    }

    /// A table that refers to people and is missing in ``ImportUndo`` would let an undo remove
    /// somebody who is used there, or fail.
    @Test func `Every table that refers to people counts as a use, or goes with the person`()
        async throws
    {
        let own: Set = [
            "person_address", "circle_member", "circle_leaver", "known_as", "imported_member",
            "contact.person_id", "installation.owner_id",
        ]
        try await withTemporaryStore { store in
            let columns = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        /* SQLite */ SELECT t.name || '.' || f."from" FROM sqlite_master t
                        JOIN pragma_foreign_key_list(t.name) f
                        WHERE t.type = 'table' AND f."table" = 'person'
                        """)
            }
            #expect(columns.count > 30)
            let missing = columns.filter { column in
                let table = column.split(separator: ".").first.map(String.init) ?? ""
                return !own.contains(table) && !own.contains(column)
                    && !ImportUndo.usesSQL.contains("FROM \(table) WHERE")
            }
            #expect(missing == [])
        }
    }
}
