import Agenda
import Ledger
import Planning
import Storage
import Testing

@Suite struct EditingTests {
    @Test func `An empty text takes away a zone, a note, addresses and numbers`() async throws {
        try await TemporaryHome.run { home in
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
}
