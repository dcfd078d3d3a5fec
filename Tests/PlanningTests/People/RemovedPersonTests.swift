import Ledger
import Storage
import Agenda
import Planning
import TestKit
import Testing

@Suite struct RemovedPersonTests {
    @Test func `Removing a contact lists the coming meetings to which they stay invited`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna Aalto", "anna@e.org")
            let id = try await planner.meet("Games", with: "anna")
            _ = try await planner.meet("Off", with: "anna")
            _ = try await planner.cancelMeeting("Off", saving: true)
            let report = try await planner.removePerson("anna")
            #expect(report.person.name == "Anna Aalto")
            #expect(report.meetings.map(\.title) == ["Games"])
            #expect(try await planner.uninvite(["Anna"], from: id, saving: true).remarks == [])
        }
    }

    @Test func `Removing a contact names the circles that they leave, and a preview saves nothing`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna Aalto", "anna@e.org")
            _ = try await planner.addCircle("Chess", members: ["anna"])
            let anna = try await planner.person(named: "anna")
            let preview = try await planner.removePerson(anna, saving: false)
            #expect(preview.circles == ["Chess"])
            #expect(try await planner.people().count == 1)
            #expect(try await planner.removePerson(anna).circles == ["Chess"])
            #expect(try await planner.people().isEmpty)
            #expect(try await planner.circles().map(\.count) == [0])
        }
    }

    @Test func `A person in no address book keeps the address to which their mail goes`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Aalto", "anna@e.org", "other@e.org")
            _ = try await planner.meet("Games", with: "anna")
            let id = PersonID(text: anna.id)
            #expect(try await planner.store.addresses(of: id).count == 2)
            let other = try await home.planner()
            _ = try await planner.removePerson("anna")
            #expect(try await other.store.addresses(of: id) == ["anna@e.org"])
        }
    }

    @Test(arguments: ["anna aalto", "Aalto, Anna", "person:Anna Aalto"])
    func `A person who is only in meetings is erased by name`(who: String) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let anna = try await planner.add("Anna Aalto", "anna@e.org")
            _ = try await planner.meet("Games", with: "anna")
            _ = try await planner.removePerson("anna")
            #expect(try await planner.erasePerson(who).id == anna.id)
            let again = await refusalCode { _ = try await planner.erasePerson(who) }
            #expect(again == "unknown_person")
            #expect(try await planner.brokenRules() == [])
        }
    }

    @Test func `A name that matches a contact and a removed person equally well is ambiguous`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let removed = try await planner.add("Anna Aalto", "aalto@e.org")
            let contact = try await planner.add("Anna Berg", "berg@e.org")
            _ = try await planner.removePerson("aalto")
            for who in ["anna", "ann", "person:anna"] {
                let code = await refusalCode {
                    _ = try await planner.erasePerson(who)
                }
                #expect(code == "ambiguous_person")
            }
            #expect(try await planner.erasePerson("Anna Berg").id == contact.id)
            #expect(try await planner.erasePerson("Anna Aalto").id == removed.id)
        }
    }

    @Test func `A removed person is merged by address or id, but no longer by name`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna Aalto", "anna@e.org")
            let id = try await planner.meet("Games", with: "anna")
            _ = try await planner.removePerson("anna")
            let anya = try await planner.add("Anya", "anya@e.org")
            for names in [("anya", "anna aalto"), ("anna aalto", "anya")] {
                let code = await refusalCode {
                    _ = try await planner.mergePeople(names.0, names.1)
                }
                #expect(code == "unknown_person")
            }
            let merged = try await planner.mergePeople("anya", "anna@e.org")
            #expect(merged.id == anya.id)
            #expect(merged.emails.map(\.address) == ["anya@e.org", "anna@e.org"])
            #expect(try await planner.meeting(id).participants.last?.id == anya.id)
        }
    }
}
