import Agenda
import Planning
import TestKit
import Testing
import Timekeeping

/// Birthdays of contacts on a day.
@Suite struct BirthdaysOfContactsTests {
    private func add(_ name: String, _ birthday: String?, _ planner: Planner) async throws {
        var edit = ContactEdit()
        edit.name = name
        edit.birthday = birthday
        _ = try await planner.addPerson(edit)
    }

    private func names(_ text: String, _ planner: Planner) async throws -> [String] {
        try await planner.birthdays(on: planner.day(text)).map { line in
            "\(line.name) \(line.age.map(String.init) ?? "?")"
        }
    }

    @Test func `A day shows the birthdays of one's own contacts, with their age`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            try await add("Ben Berg", "1990-04-12", planner)
            try await add("Cat Coe", "12.4.", planner)
            try await add("Dora Dahl", "02-29", planner)
            try await add("Emil Ekberg", nil, planner)
            #expect(try await names("2027-04-12", planner) == ["Ben Berg 37", "Cat Coe ?"])
            #expect(try await names("2027-02-28", planner) == ["Dora Dahl ?"])
            #expect(try await names("2028-02-28", planner) == [])
            #expect(try await names("2027-04-13", planner) == [])
            let anna = try await world.planner(actingAs: "Anna")
            #expect(try await names("2027-04-12", anna) == [])
        }
    }

    @Test func `A birthday is changed and removed, and one that is no date is refused`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await add("Ben Berg", "1990-04-12", planner)
            let ben = try await planner.person(named: "Ben")
            var edit = ContactEdit()
            edit.birthday = "05-01"
            #expect(try await planner.editPerson(ben, edit).birthday == "--05-01")
            #expect(try await names("2027-05-01", planner) == ["Ben Berg ?"])
            #expect(try await names("2027-04-12", planner) == [])
            edit.birthday = "soon"
            let soon = edit
            #expect(
                await refusalCode { _ = try await planner.editPerson(ben, soon) } == "bad_birthday")
            edit.birthday = ""
            #expect(try await planner.editPerson(ben, edit).birthday == nil)
            #expect(try await names("2027-05-01", planner) == [])
        }
    }

    @Test func `Who does not want to see birthdays is shown none`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await add("Ben Berg", "1990-04-12", planner)
            var edit = PolicyEdit()
            edit.showsBirthdays = false
            let outcome = try await planner.setPolicy(edit, of: planner.actor, saving: true)
            #expect(outcome.policy.birthdays == false)
            #expect(try await names("2027-04-12", planner) == [])
            edit = PolicyEdit()
            edit.digest = .each(.daily)
            let kept = try await planner.setPolicy(edit, of: planner.actor, saving: true)
            #expect(kept.policy.birthdays == false)
            edit.showsBirthdays = true
            _ = try await planner.setPolicy(edit, of: planner.actor, saving: true)
            #expect(try await names("2027-04-12", planner) == ["Ben Berg 37"])
        }
    }
}
