import Agenda
import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing

/// Pictures of imported cards: they do not replace what was chosen here, and go with their import.
@Suite struct ImportedPictureTests {
    /// Imports a card of Anna.
    ///
    /// - Returns: the id by which the import can be taken back.
    @discardableResult
    private func importAnna(
        phone: String = "1", photo: String?, _ world: TestWorld, _ planner: Planner
    ) async throws -> String? {
        let octets = photo.map { Data($0.utf8).base64EncodedString() }
        let line = octets.map { "PHOTO;ENCODING=b;TYPE=JPEG:\($0)\r\n" } ?? ""
        let card =
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:Anna\r\nTEL:\(phone)\r\n\(line)"
            + "END:VCARD\r\n"
        let path = world.home.path + "/anna.vcf"
        try card.write(toFile: path, atomically: true, encoding: .utf8)
        let report: ImportReport = try await planner.importPeople(
            [path], selection: ImportSelection())
        return report.importID
    }

    private func choose(_ picture: String, _ planner: Planner) async throws {
        let anna: Person = try await planner.person(named: "Anna")
        try await planner.setPicture(Array(picture.utf8), of: anna)
    }

    @Test func `A picture that was chosen here stays until the card has another photo`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            try await importAnna(photo: "one", world, planner)
            try await choose("mine", planner)
            try await importAnna(phone: "2", photo: "one", world, planner)
            #expect(try await planner.photo(of: "Anna") == "mine")
            try await importAnna(phone: "2", photo: "two", world, planner)
            #expect(try await planner.photo(of: "Anna") == "two")
        }
    }

    @Test func `The first photo of a card does not replace a picture that was chosen here`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            try await importAnna(photo: nil, world, planner)
            try await choose("mine", planner)
            for phone in ["1", "2"] {
                try await importAnna(phone: phone, photo: "one", world, planner)
                #expect(try await planner.photo(of: "Anna") == "mine")
            }
        }
    }

    @Test func `A picture that was removed here does not come back with the same photo`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            try await importAnna(photo: "one", world, planner)
            try await planner.removePicture(of: try await planner.person(named: "Anna"))
            for phone in ["1", "2"] {
                try await importAnna(phone: phone, photo: "one", world, planner)
                #expect(try await planner.photo(of: "Anna") == nil)
            }
        }
    }

    @Test func `Undoing an import gives contacts the pictures from before, and removes its files`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            try await importAnna(photo: "one", world, planner)
            let before: [String] = try world.pictureFiles()
            let id: String = try #require(
                try await importAnna(phone: "2", photo: "two", world, planner))
            #expect(try world.pictureFiles().count == 4)
            try await planner.store.removeUnusedPictures()
            let undone: ImportUndoReport = try await planner.undoImport(id)
            #expect(undone.restored == 1 && undone.keptCount == 0)
            #expect(try await planner.photo(of: "Anna") == "one")
            #expect(try world.pictureFiles() == before)
        }
    }

    @Test func `Undoing an import removes the pictures of new contacts`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let id: String = try #require(try await importAnna(photo: "one", world, planner))
            let undone: ImportUndoReport = try await planner.undoImport(id)
            #expect(undone.removed == 1)
            #expect(try world.pictureFiles().isEmpty)
        }
    }

    @Test(arguments: ["one", nil])
    func `A contact with another picture since the import stays`(_ photo: String?) async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let id: String = try #require(try await importAnna(photo: photo, world, planner))
            try await choose("mine", planner)
            let undone: ImportUndoReport = try await planner.undoImport(id)
            #expect(undone.keptCount == 1 && undone.kept.first?.cause == .changed)
            #expect(try await planner.photo(of: "Anna") == "mine")
        }
    }

    @Test func `An import that only gave a picture can be undone`() async throws {
        try await withHome { world in
            // This planner cannot read pictures.
            try await importAnna(photo: "one", world, try await world.planner())
            let planner = try await world.picturePlanner()
            let id: String = try #require(try await importAnna(photo: "one", world, planner))
            #expect(try await planner.photo(of: "Anna") == "one")
            let undone: ImportUndoReport = try await planner.undoImport(id)
            #expect(undone.restored == 1)
            #expect(try await planner.photo(of: "Anna") == nil)
            #expect(try await planner.people().count == 1)
        }
    }

    @Test func `An exported card has the picture that was chosen here`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            try await importAnna(photo: "one", world, planner)
            func exported() async throws -> String {
                var text = ""
                try await planner.exportPeople(.vcard4) { text += $0 }
                return text.replacing("\r\n ", with: "")
            }
            let photo = "base64," + Data("one".utf8).base64EncodedString()
            #expect(try await exported().contains(photo))
            try await choose("mine", planner)
            let chosen = Data([0xFF, 0xD8, 0xFF, 128] + Array("mine".utf8))
            let text: String = try await exported()
            #expect(text.contains("base64," + chosen.base64EncodedString()))
            #expect(!text.contains(photo))
            try await planner.removePicture(of: try await planner.person(named: "Anna"))
            #expect(try await !exported().contains("PHOTO"))
        }
    }
}
