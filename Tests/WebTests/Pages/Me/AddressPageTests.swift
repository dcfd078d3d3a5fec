import Agenda
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Settings
import Storage
import TestKit
import Testing
import Timekeeping
import Wording

@testable import Web

/// The mail addresses of an account.
@Suite(.timeLimit(.minutes(5))) struct AddressPageTests {
    private static let settings: [SettingName: String] = [
        .baseURL: "http://localhost:8420", .smtpURL: "smtp://localhost",
        .mailFrom: "meet@example.org", .ownerAddress: "olga@example.org",
    ]

    /// A site on which Ben and Mia have accounts, and the browser of Ben.
    private func withBen(
        _ body: (TestSite, TestSite.Browser) async throws -> Void
    ) async throws {
        try await TestSite.with(settings: Self.settings) { site in
            for name in ["Ben", "Mia"] {
                _ = try await site.planner.add(name, "\(name.lowercased())@example.org")
            }
            try await site.planner.keepOwnersAccount()
            _ = try await site.browser(of: "Mia")
            try await body(site, try await site.browser(of: "Ben"))
        }
    }

    private func planner(ofBen site: TestSite) async throws -> Planner {
        let person: Person = try await site.planner.knownPerson(named: "Ben")
        return site.planner.acting(as: person)
    }

    /// The mails about addresses, each with its receiver.
    private func mailed(_ site: TestSite) async throws -> [(address: String, body: String)] {
        var filter = LedgerFilter(limit: 100)
        filter.kind = .signIn
        let stories = try await site.planner.store.stories(filter)
        return stories.map { ($0.record.row.key.address, $0.record.body ?? "") }
    }

    /// Asks for an address of Ben, and returns a token that confirms it.
    private func token(for address: String, _ site: TestSite) async throws -> AccessToken {
        let token = site.planner.newBrowserToken()
        let (ben, now) = (try await planner(ofBen: site).actor.id, site.planner.now)
        let request = AddressRequest(
            of: ben, for: address, askedAt: now,
            until: now.advanced(bySeconds: Planner.addressSeconds))
        try await site.planner.store.add(request, hash: token.hash)
        return token
    }

    private func proven(_ site: TestSite) async throws -> [String] {
        try await planner(ofBen: site).ownAddresses().proven
    }

    @Test func `A free address and one of somebody else get the same answer`() async throws {
        try await withBen { site, ben in
            var pages: [String] = []
            for address in ["free@example.org", "mia@example.org"] {
                let form = "address=\(address.replacing("@", with: "%40"))"
                let answer = await ben.submit("/me/addresses", form)
                #expect(answer.field("Location") == "/me/addresses?saved=address-asked")
                let page = await ben.open("/me/addresses?saved=address-asked").text
                pages.append(page.replacing(address, with: "ADDRESS"))
                _ = await ben.submit("/me/addresses/remove", form)
            }
            #expect(pages[0] == pages[1] && pages[0].contains("ADDRESS"))
            let mails = try await mailed(site)
            #expect(Set(mails.map(\.address)) == ["free@example.org", "mia@example.org"])
            let free = try #require(mails.first { $0.address == "free@example.org" })
            #expect(free.body.contains(SignInFacts.addressMark) && !free.body.contains("Ben"))
            let taken = try #require(mails.first { $0.address == "mia@example.org" })
            #expect(taken.body.contains("It belongs to yours"))
            #expect(!taken.body.contains("{") && !taken.body.contains("Ben"))
        }
    }

    @Test func `A proven address of somebody else is not added, even with a valid token`()
        async throws
    {
        try await withBen { site, ben in
            let token = try await token(for: "mia@example.org", site)
            let answer = await ben.submit("/me/addresses/confirm", "token=\(token.text)")
            #expect(answer.status == .badRequest)
            #expect(try await proven(site) == ["ben@example.org"])
            let holder = try await site.planner.store.accountHolder(at: "mia@example.org")
            #expect(holder?.name == "Mia")
        }
    }

    @Test func `A link adds an address once, in time, and in the account that asked`()
        async throws
    {
        try await withBen { site, ben in
            let first = try await token(for: "b2@example.org", site)
            let mia = try await site.browser(of: "Mia")
            let form = "token=\(first.text)"
            #expect(await mia.submit("/me/addresses/confirm", form).status == .badRequest)
            #expect(await site.stranger.submit("/me/addresses/confirm", form).status == .seeOther)
            #expect(try await proven(site) == ["ben@example.org"])
            let added = await ben.submit("/me/addresses/confirm", form)
            #expect(added.field("Location") == "/me/addresses?saved=address-added")
            #expect(try await proven(site) == ["ben@example.org", "b2@example.org"])
            #expect(await ben.submit("/me/addresses/confirm", form).status == .badRequest)
            let late = try await token(for: "b3@example.org", site)
            site.world.clock.advance(bySeconds: Planner.addressSeconds)
            let answer = await ben.submit("/me/addresses/confirm", "token=\(late.text)")
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("older than an hour"))
        }
    }

    @Test func `An address that waits to be confirmed neither signs in nor gets mails`()
        async throws
    {
        try await withBen { site, ben in
            _ = await ben.submit("/me/addresses", "address=b2%40example.org")
            let holder = try await site.planner.store.accountHolder(at: "b2@example.org")
            #expect(holder == nil)
            let person = try await planner(ofBen: site).actor
            #expect(person.address == "ben@example.org")
            let answer = await ben.submit("/me/addresses/first", "address=b2%40example.org")
            #expect(answer.status == .conflict)
            let page = await ben.open("/me/addresses").text
            #expect(page.contains("waits to be confirmed"))
        }
    }

    @Test func `The owner's address book does not change to which proven address mails go`()
        async throws
    {
        try await withBen { site, ben in
            let token = try await token(for: "b2@example.org", site)
            _ = await ben.submit("/me/addresses/confirm", "token=\(token.text)")
            _ = await ben.submit("/me/addresses/first", "address=b2%40example.org")
            var edit = ContactEdit()
            edit.emails = ["ben@example.org", "b2@example.org"]
            let person: Person = try await site.planner.knownPerson(named: "Ben")
            _ = try await site.planner.editPerson(person, edit)
            #expect(try await proven(site) == ["b2@example.org", "ben@example.org"])
            let reader = try await site.planner.store.person(person.id)
            #expect(reader?.address == "b2@example.org")
        }
    }

    @Test func `Removing an address ends its sign-in and other sessions, and the last one stays`()
        async throws
    {
        try await withBen { site, ben in
            let token = try await token(for: "b2@example.org", site)
            _ = await ben.submit("/me/addresses/confirm", "token=\(token.text)")
            let other = try await site.browser(of: "Ben")
            let answer = await ben.submit("/me/addresses/remove", "address=ben%40example.org")
            #expect(answer.field("Location") == "/me/addresses?saved=address-removed")
            #expect(try await site.planner.store.accountHolder(at: "ben@example.org") == nil)
            #expect(await other.open("/me").status == .seeOther)
            let person: Person = try await site.planner.knownPerson(named: "Ben")
            #expect(person.address == "b2@example.org")
            let last = await ben.submit("/me/addresses/remove", "address=b2%40example.org")
            #expect(last.status == .conflict && last.text.contains("your only confirmed address"))
            let acts = try await site.planner.accessActs(limit: 50).map(\.act)
            #expect(acts.contains("address_added") && acts.contains("address_removed"))
        }
    }

    /// Somebody else may have a removed address by now.
    @Test func `Removing an address removes the mail channel to it, and no other`()
        async throws
    {
        try await withBen { site, ben in
            for address in ["b2@example.org", "b3@example.org"] {
                let token = try await token(for: address, site)
                _ = await ben.submit("/me/addresses/confirm", "token=\(token.text)")
            }
            let form = "kind=mail&target=b2%40example.org&carried=all"
            let added = await ben.submit("/me/channels", form)
            #expect(added.field("Location") == "/me/channels?saved=channel")
            let store = site.planner.store
            for (address, count) in [("b3", 1), ("b2", 0)] {
                _ = await ben.submit("/me/addresses/remove", "address=\(address)%40example.org")
                let channels = try await store.ownChannels()
                #expect(channels.count == count, "\(address)")
            }
            #expect(try await proven(site) == ["ben@example.org"])
        }
    }

    @Test func `Asking again has a limit, and further mails to an address are dropped silently`()
        async throws
    {
        try await withBen { site, ben in
            let form = "address=free%40example.org"
            for _ in 0..<3 {
                #expect(await ben.submit("/me/addresses", form).status == .seeOther)
            }
            let refused = await ben.submit("/me/addresses", form)
            #expect(refused.status == .tooManyRequests)
            let mia = try await site.browser(of: "Mia")
            for _ in 0..<3 {
                #expect(await mia.submit("/me/addresses", form).status == .seeOther)
            }
            #expect(try await mailed(site).count == 4)
        }
    }

    @Test(arguments: [
        ("%3Cscript%3E", "This is not a mail address"), ("", "This is not a mail address"),
        ("a%40b.example%0ABcc:x%40y.example", "This is not a mail address"),
        ("BEN%40example.org", "already belongs to your account"),
    ])
    func `What is no new address is refused beside its field`(
        _ typed: String, _ words: String
    ) async throws {
        try await withBen { site, ben in
            let answer = await ben.submit("/me/addresses", "address=\(typed)")
            #expect(answer.status == .badRequest && answer.text.contains(words))
            #expect(!answer.text.contains("<script>"))
            let sent = try await mailed(site)
            #expect(sent.isEmpty)
        }
    }

    @Test func `An account has at most ten addresses, with those that wait`() async throws {
        try await withBen { site, ben in
            for number in 1..<Planner.ownAddressesMax {
                _ = try await token(for: "b\(number)@example.org", site)
            }
            let answer = await ben.submit("/me/addresses", "address=more%40example.org")
            #expect(answer.text.contains("at most 10 addresses"))
        }
    }

    @Test func `Changes need a sign-in of the last 15 minutes, and a form of this site`()
        async throws
    {
        try await withBen { site, ben in
            let forged = [("Sec-Fetch-Site", "cross-site")]
            for path in ["", "/first", "/remove", "/confirm"] {
                let answer = await ben.submit("/me/addresses\(path)", "address=x", forged)
                #expect(answer.status == .forbidden)
            }
            site.world.clock.advance(bySeconds: 16 * 60)
            for path in ["", "/first", "/remove"] {
                let answer = await ben.submit("/me/addresses\(path)", "address=b%40example.org")
                #expect(answer.field("Location") == "/sign-in?next=%2Fme%2Faddresses&again=1")
            }
            let sent = try await mailed(site)
            #expect(sent.isEmpty)
        }
    }

    @Test func `The owner's address is a setting`() async throws {
        try await withBen { site, _ in
            let olga = try await site.browser()
            let page = await olga.open("/me/addresses").text
            #expect(page.contains("olga@example.org") && page.contains("one of its settings"))
            let answer = await olga.submit("/me/addresses", "address=o2%40example.org")
            #expect(answer.status == .badRequest)
            let sent = try await mailed(site)
            #expect(sent.isEmpty)
        }
    }

    @Test func `The address of before hears of each change of the addresses`() async throws {
        try await withBen { site, ben in
            let token = try await token(for: "b2@example.org", site)
            _ = await ben.submit("/me/addresses/confirm", "token=\(token.text)")
            let added: [(address: String, body: String)] = try await mailed(site)
            #expect(added.map(\.address) == ["ben@example.org"])
            #expect(added.first?.body.contains("b2@example.org was added to your account") == true)
            _ = await ben.submit("/me/addresses/first", "address=b2%40example.org")
            let moved: [(address: String, body: String)] = try await mailed(site)
            #expect(moved.count == 2)
            #expect(
                moved.contains {
                    $0.address == "ben@example.org" && $0.body.contains("now go to b2@example.org")
                })
            _ = await ben.submit("/me/addresses/first", "address=b2%40example.org")
            #expect(try await mailed(site).count == 2)
            _ = await ben.submit("/me/addresses/remove", "address=ben%40example.org")
            let removed: [(address: String, body: String)] = try await mailed(site)
            #expect(removed.count == 3 && removed.allSatisfy { $0.address == "ben@example.org" })
            #expect(removed.contains { $0.body.contains("was removed from your account") })
            #expect(removed.allSatisfy { !$0.body.contains("{") })
        }
    }
}
