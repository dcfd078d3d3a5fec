import Agenda
import NIOHTTP1
import Planning
import Settings
import Storage
import TestKit
import Testing

@testable import Web

/// The page on which people with accounts say who they are.
@Suite(.timeLimit(.minutes(5))) struct ProfilePageTests {
    private func withBen(
        _ body: (TestSite, TestSite.Browser) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Ben", "ben@example.org")
            try await body(site, try await site.browser(of: "Ben"))
        }
    }

    private func storedBen(_ site: TestSite) async throws -> Person {
        let people = try await site.planner.store.accountPeople(at: "ben@example.org", limit: 1)
        return try #require(people.first)
    }

    private static let form =
        "name=Ben+Berg&zone=Asia/Tokyo&language=de&city=Tampere&was-name=Ben&was-zone="
        + "&was-language=&was-city="

    @Test func `A member sets name, time zone, language and area`() async throws {
        try await withBen { site, ben in
            let page = await ben.open("/me/profile")
            #expect(page.status == .ok && page.input("name") == "Ben")
            let saved = await ben.submit("/me/profile", Self.form)
            #expect(saved.field("Location") == "/me?saved=me")
            let person = try await storedBen(site)
            #expect(person.name == "Ben Berg" && person.zone == "Asia/Tokyo")
            #expect(person.language == "de")
            #expect(await ben.open("/new").input("city") == "Tampere")
            let olga = try await site.browser()
            #expect(await olga.open("/new").input("city") != "Tampere")
        }
    }

    @Test func `The owner's address book does not change what a member chose`() async throws {
        try await withBen { site, ben in
            _ = await ben.submit("/me/profile", Self.form)
            var edit = ContactEdit()
            (edit.name, edit.zone) = ("Benjamin", "Europe/Paris")
            let person: Person = try await site.planner.knownPerson(named: "Ben")
            _ = try await site.planner.editPerson(person, edit)
            let stored = try await storedBen(site)
            #expect(stored.name == "Ben Berg" && stored.zone == "Asia/Tokyo")
        }
    }

    @Test func `The owner's address book gives no time zone to a member who chose none`()
        async throws
    {
        try await withBen { site, ben in
            _ = await ben.submit("/me/profile", Self.form.replacing("Asia/Tokyo", with: ""))
            var edit = ContactEdit()
            edit.zone = "Europe/Paris"
            let person: Person = try await site.planner.knownPerson(named: "ben@example.org")
            _ = try await site.planner.editPerson(person, edit)
            let stored = try await storedBen(site)
            #expect(stored.name == "Ben Berg" && stored.zone == nil)
        }
    }

    @Test(arguments: [
        ("name=&was-name=Ben", "name-fault"), ("name=Olga+Owner&was-name=Ben", "name-fault"),
        ("name=%EF%BC%AFlga+Owner&was-name=Ben", "name-fault"),
        ("name=Olga+Owner%E3%85%A4&was-name=Ben", "name-fault"),
        ("name=a%0Ab&was-name=Ben", "name-fault"), ("zone=Mars/Base&was-zone=", "zone-fault"),
        ("city=%3Cscript%3E&was-city=", "city-fault"),
    ])
    func `A value that is not valid is refused beside its field`(
        _ form: String, _ fault: String
    ) async throws {
        try await withBen { site, ben in
            let answer = await ben.submit("/me/profile", form)
            #expect(answer.status == .badRequest && answer.text.contains("id=\"\(fault)\""))
            #expect(!answer.text.contains("<script>"))
            let person = try await storedBen(site)
            #expect(person.name == "Ben" && person.zone == nil)
        }
    }

    @Test func `A name that another browser saved meanwhile is shown before it is replaced`()
        async throws
    {
        try await withBen { site, ben in
            _ = await ben.submit("/me/profile", Self.form)
            let answer = await ben.submit(
                "/me/profile", "name=Benno&was-name=Ben&zone=&was-zone=")
            #expect(answer.status == .conflict && answer.text.contains("Ben Berg"))
            #expect(try await storedBen(site).name == "Ben Berg")
            let again = await ben.submit("/me/profile", "name=Benno&was-name=Ben+Berg")
            #expect(again.status == .seeOther)
            let person = try await storedBen(site)
            #expect(person.name == "Benno" && person.zone == "Asia/Tokyo")
        }
    }

    @Test func `A form of another site changes nothing`() async throws {
        try await withBen { site, ben in
            let forged = [("Sec-Fetch-Site", "cross-site")]
            #expect(await ben.submit("/me/profile", Self.form, forged).status == .forbidden)
            let person = try await storedBen(site)
            #expect(person.name == "Ben")
        }
    }

    @Test func `The owner's values are settings`() async throws {
        try await withBen { site, _ in
            let olga = try await site.browser()
            let page = await olga.open("/me/profile")
            #expect(page.input("address") != nil && page.field("Cache-Control") == "no-store")
            await #expect(throws: Refusal.self) {
                try await site.planner.setProfile(name: "Olga", zone: "", area: "")
            }
        }
    }
}
