import Foundation
import NIOHTTP1
import Planning
import TestKit
import Testing

@testable import Web

/// The pages of single contacts.
@Suite(.timeLimit(.minutes(5))) struct ContactPageTests {
    @Test func `The address book is shown page by page, and from a letter on`() async throws {
        try await TestSite.with { site in
            for number in 100..<205 {
                _ = try await site.planner.add("Person \(number)", "p\(number)@example.org")
            }
            _ = try await site.planner.add("Zoe Zimmer", "zoe@example.org")
            let browser = try await site.browser()
            let first = await browser.open("/people").text
            #expect(first.contains("p100@example.org"))
            #expect(!first.contains("zoe@example.org"))
            #expect(first.contains("href=\"/people?from=Z\""))
            let next = try #require(first.firstMatch(of: #/people\?after=(\w+)/#)).1
            let second = await browser.open("/people?after=\(next)").text
            #expect(second.contains("zoe@example.org"))
            #expect(!second.contains("p100@example.org"))
            let letter = await browser.open("/people?from=Z").text
            #expect(letter.contains("zoe@example.org"))
            #expect(!letter.contains("p204@example.org"))
        }
    }

    @Test func `A search for spaces shows the whole address book`() async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Zoe Zimmer", "zoe@example.org")
            let browser = try await site.browser()
            let page = await browser.open("/people?q=++").text
            #expect(page.contains("zoe@example.org"))
            #expect(!page.contains("Nobody is called"))
            #expect(await browser.open("/people?q=+zoe+").text.contains("zoe@example.org"))
        }
    }

    @Test func `A search with too many results asks for more of the name`() async throws {
        try await TestSite.with { site in
            for number in 100..<301 {
                _ = try await site.planner.add("Person \(number)", "p\(number)@example.org")
            }
            let browser = try await site.browser()
            let page = await browser.open("/people?q=person").text
            #expect(page.contains("There are more. Type more of the name."))
        }
    }

    @Test func `A contact shows addresses, meetings and what they were told`() async throws {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna Aalto", "anna@example.org")
            try await site.plan("Games", with: ["Anna Aalto"])
            let browser = try await site.browser()
            let page = await browser.open("/people/\(anna.id)").text
            #expect(page.contains("mailto:anna@example.org"))
            #expect(page.contains("Games"))
            #expect(page.contains("/people/\(anna.id)/edit"))
        }
    }

    @Test func `What was only printed is not called sent on the page of a contact`() async throws {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna Aalto", "anna@example.org")
            try await site.plan("Games", with: ["Anna Aalto"])
            _ = try await site.world.deliver(isOnPurpose: false)
            let browser = try await site.browser()
            let page = await browser.open("/people/\(anna.id)").text
            #expect(page.contains("<span class=\"pill maybe\">printed, not sent</span>"))
            #expect(!page.contains(">sent</span>"))
        }
    }

    @Test func `The contacts of others are hidden, also from the owner`() async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Ben", "ben@example.org")
            let known = try await site.planner.knownPerson(named: "Ben")
            let ben = site.planner.acting(as: known)
            let cleo = try await ben.add("Cleo", "cleo@example.org")
            let own = try await site.browser(of: "Ben").open("/people/\(cleo.id)")
            #expect(own.status == .ok)
            for path in ["", "/edit", "/remove", "/erase", "/merge"] {
                let page = try await site.browser().open("/people/\(cleo.id)\(path)")
                #expect(page.status == .notFound, "\(path)")
            }
            let refused = try await site.browser(of: "Ben").open("/people/\(cleo.id)/erase")
            #expect(refused.status == .forbidden)
        }
    }

    @Test func `A new contact with a fault keeps what was typed`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let typed =
                "name=Anna&email=anna%40example.org&email=no+address&zone=Mars%2FBase&note=N"
            let page = await browser.submit("/people/new", typed)
            #expect(page.status == .badRequest)
            #expect(page.text.contains("id=\"emails-fault\""))
            #expect(page.text.contains("id=\"zone-fault\""))
            #expect(page.input("name") == "Anna")
            #expect(page.text.contains("value=\"no address\""))
            #expect(page.text.contains(">N</textarea>"))
            let saved = await browser.submit(
                "/people/new",
                "name=Anna&email=anna%40example.org&email=a%40work.example&town=Turku&phone=12")
            #expect(saved.status == .seeOther)
            let anna = try await site.planner.people()[0]
            #expect(anna.emails.map(\.address) == ["anna@example.org", "a@work.example"])
            #expect(anna.town == "Turku" && anna.phones.map(\.number) == ["12"])
        }
    }

    @Test func `Two browsers that change one field are asked, and other fields are kept`()
        async throws
    {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna", "anna@example.org")
            let browser = try await site.browser()
            let path = "/people/\(anna.id)/edit"
            let base = "was-name=Anna&was-email=anna%40example.org&email=anna%40example.org"
            let one = await browser.submit(path, base + "&name=Anna+One&note=First")
            #expect(one.status == .seeOther)
            let two = await browser.submit(path, base + "&name=Anna+Two")
            #expect(two.status == .conflict)
            #expect(two.text.contains("Anna One") && two.input("name") == "Anna Two")
            #expect(two.text.contains(">First</textarea>"))
            let three = await browser.submit(
                path,
                base.replacing("was-name=Anna", with: "was-name=Anna+One")
                    + "&was-note=First&note=First&name=Anna+Two")
            #expect(three.status == .seeOther)
            let kept = try await site.planner.people()[0]
            #expect(kept.name == "Anna Two" && kept.note == "First")
        }
    }

    @Test func `Two contacts are merged after a look, and separated again`() async throws {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna", "anna@example.org")
            let anne = try await site.planner.add("Anne", "anne@example.org")
            let browser = try await site.browser()
            let path = "/people/\(anna.id)/merge"
            let found = await browser.open("\(path)?q=ann").text
            #expect(found.contains("?with=\(anne.id)") && !found.contains("?with=\(anna.id)"))
            let look = await browser.open("\(path)?with=\(anne.id)").text
            #expect(look.contains("<table") && look.contains("anne@example.org"))
            #expect(try await site.planner.people().count == 2)
            let merged = await browser.submit(path, "with=\(anne.id)")
            #expect(merged.field("Location") == "/people/\(anna.id)?saved=merged")
            #expect(try await site.planner.people().count == 1)
            let person = await browser.open("/people/\(anna.id)").text
            #expect(person.contains("Anne was merged into this contact"))
            let back = await browser.submit("/people/\(anna.id)/unmerge", "do=unmerge")
            #expect(back.status == .seeOther)
            #expect(try await site.planner.people().count == 2)
        }
    }

    @Test func `Contacts that changed after they were compared are shown again, and not merged`()
        async throws
    {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna", "anna@example.org")
            let anne = try await site.planner.add("Anne", "anne@example.org")
            let browser = try await site.browser()
            let path = "/people/\(anna.id)/merge"
            let look = await browser.open("\(path)?with=\(anne.id)")
            let seen = try #require(look.input("seen"))
            var edit = ContactEdit()
            edit.note = "Moves in March"
            _ = try await site.planner.editPerson("Anne", edit)
            let refused = await browser.submit(path, "with=\(anne.id)&seen=\(seen)")
            #expect(refused.status == .conflict)
            #expect(refused.text.contains("Moves in March"))
            #expect(try await site.planner.people().count == 2)
            let now = try #require(refused.input("seen"))
            #expect(now != seen)
            let merged = await browser.submit(path, "with=\(anne.id)&seen=\(now)")
            #expect(merged.status == .seeOther)
            #expect(try await site.planner.people().count == 1)
        }
    }

    @Test(arguments: ["remove", "erase"])
    func `A contact goes only after a second press`(act: String) async throws {
        try await TestSite.with { site in
            let anna = try await site.planner.add("Anna Aalto", "anna@example.org")
            let browser = try await site.browser()
            let path = "/people/\(anna.id)/\(act)"
            let look = await browser.open(path)
            #expect(look.status == .ok && look.text.contains("value=\"\(act)\""))
            _ = await browser.submit(path, "")
            #expect(try await site.planner.people().count == 1)
            let done = await browser.submit(path, "do=\(act)")
            #expect([.seeOther, .ok].contains(done.status))
            #expect(try await site.planner.people().isEmpty)
        }
    }

    @Test(arguments: [("vcf", "BEGIN:VCARD"), ("csv", "anna@example.org")])
    func `The address book is exported as a file of its account alone`(
        _ ending: String, _ words: String
    ) async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let file = try await site.browser().open("/people/export.\(ending)")
            #expect(file.text.contains(words) && file.text.contains("anna@example.org"))
            #expect(file.field("Cache-Control") == "private, no-store")
            let other = try await site.browser(of: "Anna").open("/people/export.\(ending)")
            #expect(!other.text.contains("anna@example.org"))
        }
    }
}
