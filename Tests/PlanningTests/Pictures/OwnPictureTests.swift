import Agenda
import Foundation
import Ledger
import Planning
import Secrets
import Settings
import Storage
import TestKit
import Testing

/// The pictures that people with accounts choose for themselves.
@Suite struct OwnPictureTests {
    /// A planner that acts as a new contact of the owner with an account.
    private func account(_ name: String, _ planner: Planner) async throws -> Planner {
        var edit = ContactEdit()
        (edit.name, edit.emails) = (name, ["\(name.lowercased())@example.org"])
        let view: PersonView = try await planner.addPerson(edit)
        let person: Person = try await planner.contact(withID: view.id).person
        let ticket = try await planner.openTicket(for: person)
        _ = try await planner.enter(by: ticket.text, device: "A test")
        return planner.acting(as: person)
    }

    @Test func `An own picture is kept in two sizes, replaced and removed`() async throws {
        try await withHome { world in
            let anna: Planner = try await account("Anna", try await world.picturePlanner())
            try await anna.setOwnPicture(Array("one".utf8))
            let files: [String] = try world.pictureFiles()
            #expect(files.count == 2)
            for file in files {
                let facts = try FileManager.default.attributesOfItem(
                    atPath: "\(world.home.pictures)/\(file)")
                #expect(facts[.posixPermissions] as? Int == 0o600)
            }
            let first = try #require(anna.ownPicture(.small))
            #expect(first.jpeg.suffix(3) == Data("one".utf8))
            #expect(anna.ownPictureName == first.name)
            try await anna.setOwnPicture(Array("two".utf8))
            let second = try #require(anna.ownPicture(.large))
            #expect(second.jpeg.suffix(3) == Data("two".utf8))
            try await anna.removeOwnPicture()
            #expect(anna.ownPicture(.small) == nil)
            let left: [String] = try world.pictureFiles()
            #expect(left.isEmpty)
        }
    }

    @Test func `A refused picture leaves the own picture as it is`() async throws {
        try await withHome { world in
            let anna: Planner = try await account("Anna", try await world.picturePlanner())
            try await anna.setOwnPicture(Array("one".utf8))
            await #expect(throws: Refusal.self) {
                try await anna.setOwnPicture(Array("bad".utf8))
            }
            let kept = try #require(anna.ownPicture(.small))
            #expect(kept.jpeg.suffix(3) == Data("one".utf8))
        }
    }

    @Test func `A person without an account has no own picture`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            var edit = ContactEdit()
            (edit.name, edit.emails) = ("Ben", ["ben@example.org"])
            let view: PersonView = try await planner.addPerson(edit)
            let ben: Person = try await planner.contact(withID: view.id).person
            await #expect(throws: Refusal.self) {
                try await planner.acting(as: ben).setOwnPicture(Array("one".utf8))
            }
            let files: [String] = try world.pictureFiles()
            #expect(files.isEmpty)
        }
    }

    @Test func `Deleting an account or erasing its person deletes the own picture alone`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Planner = try await account("Anna", planner)
            let ben: Planner = try await account("Ben", planner)
            let zoe: Planner = try await account("Zoe", planner)
            for one in [anna, ben, zoe] { try await one.setOwnPicture(Array("one".utf8)) }
            try await anna.deleteAccount(confirmedBy: "Anna")
            #expect(anna.ownPicture(.small) == nil && ben.ownPicture(.small) != nil)
            _ = try await planner.erasePerson(ben.actor)
            #expect(ben.ownPicture(.small) == nil)
            _ = try await planner.store.removeUnusedPictures()
            #expect(zoe.ownPicture(.small) != nil)
        }
    }

    @Test func `Only the people in a meeting have pictures there`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Planner = try await account("Anna", planner)
            let ben: Planner = try await account("Ben", planner)
            for one in [anna, ben] { try await one.setOwnPicture(Array("one".utf8)) }
            var request = MeetingRequest()
            (request.title, request.with) = ("Games", ["Anna"])
            request.start = "2026-12-05T18:00"
            let meeting = try await planner.createMeeting(request, saving: true).meeting
            let ids = [anna.actor.id.text, ben.actor.id.text]
            let names = planner.ownPictureNames(of: ids, in: meeting)
            #expect(Set(names.keys) == [anna.actor.id.text])
            let picture = try planner.ownPicture(of: ids[0], in: meeting, .small)
            #expect(picture != nil)
            #expect(throws: Refusal.self) {
                _ = try planner.ownPicture(of: ids[1], in: meeting, .small)
            }
        }
    }

    @Test func `A text that is no id leads to no file`() async throws {
        try await withHome { world in
            let planner = try await world.picturePlanner()
            let anna: Planner = try await account("Anna", planner)
            try await anna.setOwnPicture(Array("one".utf8))
            for text in ["", "..", "x/../own.\(anna.actor.id.text)", "AAAAAAAAAAAAAAAA"] {
                let person = PersonID(text: text)
                #expect(planner.store.ownPictures(of: [person]).isEmpty)
                #expect(planner.store.ownPictureFile(of: person, .small) == nil)
            }
        }
    }
}
