import Agenda
import Planning
import TestKit
import Testing

/// Tests that a guest who was invited by address stays the same person when they become a contact.
@Suite struct GuestAdoptionTests {
    @Test func `A contact added with a guest's address becomes that guest`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let guest = try await planner.create(.lunch(with: "carl@example.org")).meeting
                .participants.last
            let carl = try await planner.add("Carl Holm", "CARL@example.org", "c@example.org")
            #expect(carl.id == guest?.id)
            #expect(try await planner.meeting("Lunch").participants.map(\.name).last == "Carl Holm")
            let again = await refusal {
                _ = try await planner.invite(["Carl Holm"], to: "Lunch", saving: true)
            }
            #expect(again?.code == "already_invited")
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A contact that gains a guest's address is merged with that guest`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let carl = try await planner.add("Carl Holm")
            try await planner.create(.lunch(with: "carl@example.org"))
            var edit = ContactEdit()
            edit.emails = ["carl@example.org"]
            let edited = try await planner.editPerson("Carl", edit)
            #expect(edited.id == carl.id)
            #expect(edited.emails.map(\.address) == ["carl@example.org"])
            let people = try await planner.meeting("Lunch").participants
            #expect(people.map(\.id).last == carl.id)
            #expect(people.map(\.name).last == "Carl Holm")
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A second contact at an address, or in another address book, is a separate person`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "home@example.org"))
            let carl = try await planner.add("Carl Holm", "home@example.org")
            let dora = try await planner.add("Dora Holm", "home@example.org")
            #expect(carl.id != dora.id)
            let ben = try await planner.add("Ben Berg", "ben@example.org")
            let annas = try await world.planner(actingAs: "Carl")
            let other = try await annas.add("Berta Berg", "ben@example.org")
            #expect(other.id != ben.id)
            #expect(try await planner.contact("Ben").name == "Ben Berg")
        }
    }

    @Test func `A guest with another name at the new address is not merged`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let dora = try await planner.add("Dora Holm", "home@example.org")
            try await planner.create(.lunch(with: "Dora"))
            _ = try await planner.removePerson("Dora")
            try await planner.add("Carl Holm")
            var edit = ContactEdit()
            edit.emails = ["home@example.org"]
            _ = try await planner.editPerson("Carl", edit)
            let people = try await planner.meeting("Lunch").participants
            #expect(people.map(\.id).last == dora.id)
            #expect(people.map(\.name).last == "Dora Holm")
        }
    }
}
