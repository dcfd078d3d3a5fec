import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing

@Suite struct EditingTests {
    @Test func `An empty text removes a time zone, a note, addresses and numbers`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            var edit = ContactEdit()
            edit.name = "Anna"
            edit.zone = "Europe/Helsinki"
            edit.note = "chess"
            edit.emails = ["a@e.org"]
            edit.phones = ["111"]
            let anna = try await planner.addPerson(edit)
            #expect([anna.tz, anna.note] == ["Europe/Helsinki", "chess"])
            var clearing = ContactEdit()
            clearing.zone = ""
            clearing.note = ""
            clearing.emails = []
            clearing.phones = []
            let cleared = try await planner.editPerson("anna", clearing)
            #expect(cleared.tz == nil)
            #expect(cleared.note.isEmpty)
            #expect(cleared.emails.isEmpty)
            #expect(cleared.phones.isEmpty)
            #expect(try await planner.store.person(.init(text: anna.id))?.zone == nil)
        }
    }

    @Test func `Concurrent edits keep each other's changes`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna", "a@e.org")
            for round in 0..<8 {
                var note = ContactEdit()
                note.note = "note \(round)"
                var phone = ContactEdit()
                phone.phones = ["\(round)"]
                var nick = ContactEdit()
                nick.nicknames = ["nick \(round)"]
                try await withThrowingTaskGroup { group in
                    for edit in [note, phone, nick] {
                        group.addTask { _ = try await planner.editPerson("anna", edit) }
                    }
                    try await group.waitForAll()
                }
                let anna = try await planner.contact("anna")
                #expect(anna.note == "note \(round)")
                #expect(anna.phones.map(\.number) == ["\(round)"])
                #expect(anna.nicknames == ["nick \(round)"])
            }
        }
    }

    @Test func `A contact with a guest's address is that guest only if names match`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let id = try await planner.meet("Games", with: "Peter Family <fam@e.org>")
            _ = try await planner.add("Mary Family", "fam@e.org")
            var names = try await planner.meeting(id).participants.map(\.name)
            #expect(names == ["Olga Owner", "Peter Family"])
            let peter = try await planner.add("Family, Peter", "fam@e.org")
            let people = try await planner.meeting(id).participants
            #expect(people.last?.id == peter.id)
            names = try await planner.people().map(\.name)
            #expect(names.count == 2)
        }
    }
}
