import Foundation
import GRDB
import Planning
import TestKit
import Testing

@testable import Storage

/// Taking an import back leaves the database as it was before, apart from what was changed since.
@Suite struct ImportUndoPropertyTests {
    /// The tables that an import of contacts may change.
    private static let tables = [
        "person", "person_address", "contact", "contact_key", "contact_alias", "card_source",
        "circle", "circle_member", "circle_source", "contact_import", "imported_contact",
        "imported_member", "imported_circle",
    ]

    private static func card(using random: inout SeededRandom) -> String {
        let name =
            ["Anna Aho", "Ben Berg", "Cid Cerf", "Dora Dahl"]
            .randomElement(using: &random) ?? ""
        let address = "\(name.prefix(1).lowercased())\(Int.random(in: 1...2, using: &random))@e.org"
        var card = SampleCard(name: name, emails: [address])
        card.note = "\(Int.random(in: 1...3, using: &random))"
        if Bool.random(using: &random) { card.uid = "uid-\(name)" }
        let category =
            ["", "CATEGORIES:Chess\r\n", "CATEGORIES:Choir\r\n"]
            .randomElement(using: &random) ?? ""
        return card.text.replacing("END:VCARD", with: "\(category)END:VCARD")
    }

    private static func cards(using random: inout SeededRandom) -> String {
        (0..<5).map { _ in card(using: &random) }.joined()
    }

    /// The rows of the tables without the row numbers of contacts, which change.
    private static func state(_ store: Store) async throws -> [String: [String]] {
        try await store.read { db in
            var state: [String: [String]] = [:]
            for table in tables {
                let rows = try Row.fetchAll(db, sql: "/* SQLite */ SELECT * FROM \(table)")
                state[table] = rows.map { row in
                    row.filter { $0.0 != "number" && $0.0 != "contact_number" }
                        .map { "\($0.0)=\($0.1)" }.joined(separator: " ")
                }.sorted()
            }
            return state
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `An import that is taken back at once leaves everything as it was`(
        seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let (first, second) = (Self.cards(using: &random), Self.cards(using: &random))
        try await withHome { home in
            let planner = try await home.planner()
            try await home.importFile(first)
            let before: [String: [String]] = try await Self.state(planner.store)
            let report = try await home.importFile(second)
            guard let id = report.importID else {
                #expect(try await Self.state(planner.store)["contact"] == before["contact"])
                return
            }
            let undone = try await planner.undoImport(id)
            #expect(undone.keptCount == 0)
            let after: [String: [String]] = try await Self.state(planner.store)
            for table in Self.tables where table != "card_source" {
                #expect(after[table] == before[table], "seed \(seed): \(table)")
            }
        }
    }

    @Test(arguments: UInt64(1)...10)
    func `Who was edited, invited or put into a circle since stays, and is listed`(
        seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let touched = Int.random(in: 0...7, using: &random)
        try await withHome { home in
            let planner = try await home.planner()
            let names = ["Anna", "Ben", "Cid"]
            let report = try await home.importCards(
                names.map { SampleCard(name: $0, emails: ["\($0)@e.org"]) })
            let id: String = try #require(report.importID)
            if touched & 1 != 0 {
                var edit = ContactEdit()
                edit.note = "Met at the pier"
                let anna = try await planner.person(named: "Anna")
                _ = try await planner.editPerson(anna, edit)
            }
            if touched & 2 != 0 {
                var request = MeetingRequest()
                request.title = "Lunch"
                request.with = ["Ben"]
                request.start = "2026-12-05T12:00"
                _ = try await planner.createMeeting(request, saving: true)
            }
            if touched & 4 != 0 { _ = try await planner.addCircle("Chess", members: ["Cid"]) }
            let undone = try await planner.undoImport(id)
            let kept = names.enumerated().filter { touched & 1 << $0.offset != 0 }.map(\.element)
            #expect(undone.kept.map(\.name).sorted() == kept)
            #expect(undone.removed == names.count - kept.count)
            let left: [String] = try await planner.people().map(\.name).sorted()
            #expect(left == kept)
        }
    }
}
