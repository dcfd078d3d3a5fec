import Agenda
import Foundation
import Ledger
import Planning
import Settings
import Storage
import TestKit
import Testing

/// Pictures of contacts: files beside the database, and who uses them.
@Suite struct ContactPictureTests {
    private func add(_ name: String, to planner: Planner) async throws -> Person {
        var edit = ContactEdit()
        (edit.name, edit.emails) = (name, ["\(name.lowercased())@example.org"])
        let view: PersonView = try await planner.addPerson(edit)
        return try await planner.contact(withID: view.id).person
    }

    @Test func `A picture is kept in two sizes that only the owner of the files reads`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Person = try await add("Anna", to: planner)
            try await planner.setPicture(Array("face".utf8), of: anna)
            let files: [String] = try world.pictureFiles()
            #expect(files.count == 2)
            for file in files {
                let facts = try FileManager.default.attributesOfItem(
                    atPath: "\(world.home.pictures)/\(file)")
                #expect(facts[.posixPermissions] as? Int == 0o600)
            }
            let small = try await planner.picture(ofID: anna.id.text, .small)
            #expect(small?.jpeg.suffix(4) == Data("face".utf8))
        }
    }

    @Test func `A new picture removes the file of the old one unless another contact uses it`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Person = try await add("Anna", to: planner)
            let ben: Person = try await add("Ben", to: planner)
            try await planner.setPicture(Array("one".utf8), of: anna)
            try await planner.setPicture(Array("one".utf8), of: ben)
            let shared: [String] = try world.pictureFiles()
            #expect(shared.count == 2)
            try await planner.setPicture(Array("two".utf8), of: anna)
            let both: [String] = try world.pictureFiles()
            #expect(both.count == 4)
            try await planner.removePicture(of: ben)
            let rest: [String] = try world.pictureFiles()
            #expect(rest.count == 2 && Set(rest).isDisjoint(with: shared))
        }
    }

    @Test func `Erasing a person removes the files of their picture`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Person = try await add("Anna", to: planner)
            let ben: Person = try await add("Ben", to: planner)
            try await planner.setPicture(Array("one".utf8), of: anna)
            try await planner.setPicture(Array("two".utf8), of: ben)
            _ = try await planner.erasePerson(anna)
            let left: [String] = try world.pictureFiles()
            let bens = try await planner.pictureNames(of: [ben.id.text])[ben.id.text]
            #expect(left.count == 2)
            #expect(left.allSatisfy { $0.hasPrefix(bens ?? "none") })
        }
    }

    @Test func `A refused picture changes nothing`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Person = try await add("Anna", to: planner)
            await #expect(throws: Refusal.self) {
                try await planner.setPicture(Array("bad".utf8), of: anna)
            }
            let left: [String] = try world.pictureFiles()
            #expect(left.isEmpty)
        }
    }

    @Test func `An import takes the pictures of cards, and reports those that it cannot take`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let face = Data("face".utf8).base64EncodedString()
            let bad = Data("bad".utf8).base64EncodedString()
            let cards = [
                ("Anna", "PHOTO;ENCODING=b;TYPE=JPEG:\(face)"),
                ("Ben", "PHOTO;ENCODING=b;TYPE=JPEG:\(bad)"),
                ("Cleo", "PHOTO;VALUE=uri:https://example.org/c.jpg"),
            ].map { name, photo in
                "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\n\(photo)\r\nEND:VCARD\r\n"
            }
            let path = world.home.path + "/people.vcf"
            try cards.joined().write(toFile: path, atomically: true, encoding: .utf8)
            let report: ImportReport = try await planner.importPeople(
                [path], selection: ImportSelection())
            #expect(report.imported == 3)
            let reasons = report.warnings.map { "\($0.name): \($0.reason)" }
            #expect(
                reasons == [
                    "Ben: the picture was not taken",
                    "Cleo: the picture is only an address, and is not fetched",
                ])
            let people: [PersonView] = try await planner.people()
            let names = try await planner.pictureNames(of: people.map(\.id))
            #expect(people.filter { names[$0.id] != nil }.map(\.name) == ["Anna"])
        }
    }
}
