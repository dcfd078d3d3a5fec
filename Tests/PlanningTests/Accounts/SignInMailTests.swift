import Agenda
import FoundationEssentials
import Interchange
import Ledger
import Secrets
import Settings
import Storage
import Testing
import TestKit
import Timekeeping
@testable import Planning

/// Links that sign in, sent by mail.
@Suite(.timeLimit(.minutes(5))) struct SignInMailTests {
    private static let settings: [SettingName: String] = [
        .baseURL: "https://meet.example.org", .smtpURL: "smtp://localhost",
        .mailFrom: "meet@example.org",
    ]

    private func with(
        _ more: [SettingName: String] = [:],
        _ body: (Planner, TestWorld, AccessToken) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                settings: Self.settings.merging(more) { $1 })
            var anna = ContactEdit()
            anna.name = "Anna"
            anna.emails = ["anna@example.org"]
            _ = try await planner.addPerson(anna)
            try await body(planner, world, planner.newBrowserToken())
        }
    }

    /// The tokens in the planned mails to a person.
    private func tokens(_ planner: Planner, to who: String) async throws -> [String] {
        let person = try await planner.knownPerson(named: who)
        var filter = LedgerFilter(limit: 100)
        filter.kind = .signIn
        filter.person = person.id
        let builder = try planner.surroundings.linkBuilder()
        return try await planner.store.stories(filter).compactMap { story in
            builder.signInToken(for: person.id, mark: story.record.row.key.notification.mark)?.text
        }
    }

    @Test func `Only people with an account get a link, and the store does not know it`()
        async throws
    {
        try await with { planner, world, browser in
            try await planner.mailLinks(to: "anna@example.org", askedIn: browser)
            #expect(try await tokens(planner, to: "Anna").isEmpty)
            let anna = try await planner.knownPerson(named: "Anna")
            #expect(try await planner.inviteToSignIn(anna))
            try await planner.mailLinks(to: "ANNA@example.org", askedIn: browser)
            let sent = try await tokens(planner, to: "Anna")
            try #require(sent.count == 2 && Set(sent).count == 2)
            let file = try String(
                contentsOfFile: world.home.database + "-wal", encoding: .isoLatin1)
            #expect(!file.contains(sent[0]) && file.contains("{sign-in link}"))
            let (session, person) = try await planner.enter(by: sent[1], device: "Test")
            #expect(person.id == anna.id)
            #expect(try await planner.signedIn(by: session)?.account.role == .member)
            await #expect(throws: Refusal.self) {
                try await planner.enter(by: sent[1], device: "Test")
            }
        }
    }

    @Test func `A link that is opened elsewhere shows a code, which signs the asking browser in`()
        async throws
    {
        try await with { planner, _, browser in
            let anna = try await planner.knownPerson(named: "Anna")
            try await planner.store.addAccount(
                Account(of: anna.id, as: .member, madeAt: planner.now))
            try await planner.store.verify("anna@example.org", of: anna.id)
            try await planner.mailLinks(to: "anna@example.org", askedIn: browser)
            let token = try #require(try await tokens(planner, to: "Anna").first)
            #expect(try await planner.code(for: token, in: browser) == nil)
            let other = planner.newBrowserToken()
            let code = try #require(try await planner.code(for: token, in: other))
            #expect(code.count == 6 && code.allSatisfy(\.isNumber))
            await #expect(throws: Refusal.self) {
                try await planner.enter(byCode: code, in: other, device: "Test")
            }
            let (_, person) = try await planner.enter(
                byCode: " \(code.prefix(3)) \(code.suffix(3))", in: browser, device: "Test")
            #expect(person.id == anna.id)
            await #expect(throws: Refusal.self) {
                try await planner.enter(byCode: code, in: browser, device: "Test")
            }
        }
    }

    @Test func `A link that strangers asked for signs its receiver in`() async throws {
        try await with { planner, world, browser in
            let anna = try await planner.knownPerson(named: "Anna")
            _ = try await planner.inviteToSignIn(anna)
            // As many as one address gets in 15 minutes.
            for minute in 0..<25 {
                if minute >= 10 { world.clock.advance(bySeconds: 59) }
                try await planner.mailLinks(
                    to: "anna@example.org", askedIn: planner.newBrowserToken())
            }
            let token = try #require(try await tokens(planner, to: "Anna").last)
            world.clock.advance(bySeconds: Planner.ticketSeconds - 1)
            let code = try await planner.code(for: token, in: browser)
            #expect(code != nil)
            let person = try await planner.enter(by: token, device: "Test").person
            #expect(person.id == anna.id)
        }
    }

    @Test func `A code is worthless after five wrong ones, and after 15 minutes`() async throws {
        try await with { planner, world, browser in
            let anna = try await planner.knownPerson(named: "Anna")
            try await planner.store.addAccount(
                Account(of: anna.id, as: .member, madeAt: planner.now))
            try await planner.store.verify("anna@example.org", of: anna.id)
            for isLate in [false, true] {
                try await planner.mailLinks(to: "anna@example.org", askedIn: browser)
                let token = try #require(try await tokens(planner, to: "Anna").last)
                let code = try #require(
                    try await planner.code(for: token, in: planner.newBrowserToken()))
                if isLate {
                    world.clock.advance(bySeconds: Planner.ticketSeconds)
                } else {
                    let wrong = code == "000000" ? "111111" : "000000"
                    for _ in 0..<SignInTicket.triesMax {
                        await #expect(throws: Refusal.self) {
                            try await planner.enter(byCode: wrong, in: browser, device: "Test")
                        }
                    }
                }
                await #expect(throws: Refusal.self) {
                    try await planner.enter(byCode: code, in: browser, device: "Test")
                }
            }
        }
    }

    @Test(arguments: [("closed", 0), ("invitation", 0), ("open", 1)])
    func `Strangers get an account only where registration is open`(
        registration: String, count: Int
    ) async throws {
        try await with([.registration: registration]) { planner, _, browser in
            try await planner.mailLinks(to: "new@example.org", askedIn: browser)
            try await planner.mailLinks(to: "not an address", askedIn: browser)
            for person in try await planner.store.lookUp({
                try $0.persons(withAddress: "new@example.org", limit: 2)
            }) {
                let sent = try await tokens(planner, to: person.id.text)
                #expect(sent.count == 1)
                _ = try await planner.enter(by: try #require(sent.first), device: "Test")
            }
            #expect(try await planner.accounts().count == count)
        }
    }

    @Test func `A disabled account is signed out and cannot sign in`() async throws {
        try await with { planner, _, browser in
            let anna = try await planner.knownPerson(named: "Anna")
            _ = try await planner.inviteToSignIn(anna)
            let token = try #require(try await tokens(planner, to: "Anna").first)
            let (session, _) = try await planner.enter(by: token, device: "Firefox on Linux")
            try await planner.changeAccount(of: anna, isEnabled: false)
            #expect(try await planner.signedIn(by: session) == nil)
            try await planner.mailLinks(to: "anna@example.org", askedIn: browser)
            #expect(try await tokens(planner, to: "Anna").count == 1)
            await #expect(throws: Refusal.self) { try await planner.openTicket(for: anna) }
            try await planner.changeAccount(of: anna, isEnabled: true)
            _ = try await planner.openTicket(for: anna)
            let acts = try await planner.accessActs(limit: 10)
            #expect(acts.map(\.act) == ["enabled", "disabled", "signed_in", "invited"])
            #expect(acts[2].detail == "Firefox on Linux" && acts[2].by == "Anna")
        }
    }

    @Test func `Only the owner and administrators manage accounts, and nobody the owner's`()
        async throws
    {
        try await with { planner, _, _ in
            let anna = try await planner.knownPerson(named: "Anna")
            _ = try await planner.inviteToSignIn(anna)
            let asAnna = planner.acting(as: anna)
            await #expect(throws: Refusal.self) { try await asAnna.accounts() }
            await #expect(throws: Refusal.self) { try await asAnna.inviteToSignIn(anna) }
            try await planner.changeAccount(of: anna, role: .admin)
            #expect(try await asAnna.accounts().count == 1)
            await #expect(throws: Refusal.self) {
                try await asAnna.changeAccount(of: anna, role: .member)
            }
            await #expect(throws: Refusal.self) {
                try await planner.changeAccount(of: planner.owner, isEnabled: false)
            }
            await #expect(throws: Refusal.self) { try await asAnna.accessActs(limit: 1) }
        }
    }

    @Test func `Erasing a person removes their account; merging moves it`() async throws {
        try await with { planner, _, browser in
            var other = ContactEdit()
            other.name = "Anna Berg"
            other.emails = ["berg@example.org"]
            _ = try await planner.addPerson(other)
            let anna = try await planner.knownPerson(named: "anna@example.org")
            let berg = try await planner.knownPerson(named: "Anna Berg")
            let token = try await planner.openTicket(for: berg)
            let (session, _) = try await planner.enter(by: token.text, device: "Test")
            _ = try await planner.mergePeople(anna, berg)
            #expect(try await planner.signedIn(by: session)?.person.id == anna.id)
            #expect(try await planner.accounts().map(\.person) == [anna.id.text])
            _ = try await planner.erasePerson(anna)
            #expect(try await planner.signedIn(by: session) == nil)
            #expect(try await planner.accounts().isEmpty)
        }
    }

    @Test func `The owner stays the owner, and can always sign in`() async throws {
        try await with { planner, _, _ in
            let ticket = try await planner.openTicket(for: planner.owner)
            _ = try await planner.enter(by: ticket.text, device: "Test")
            for (role, isEnabled) in [(Account.Role.member, nil), (nil, false), (.admin, true)]
                as [(Account.Role?, Bool?)]
            {
                let refused = await refusal {
                    try await planner.changeAccount(
                        of: planner.owner, role: role, isEnabled: isEnabled)
                }
                #expect(refused?.code == "is_owner")
            }
            let anna = try await planner.knownPerson(named: "Anna")
            let second = await refusal {
                try await planner.changeAccount(of: anna, role: .owner)
            }
            #expect(second?.code == "is_owner")
            #expect(try await planner.accounts().first?.role == "owner")
        }
    }

    @Test func `A member's address book opens nobody's account and redirects nobody's mail`()
        async throws
    {
        try await with { planner, _, browser in
            try await planner.add("Ben", "ben@example.org")
            let ben = planner.acting(as: try await planner.knownPerson(named: "Ben"))
            var request = MeetingRequest()
            (request.title, request.start) = ("Games", "2026-12-05T18:00")
            request.with = ["zoe@example.org"]
            _ = try await ben.createMeeting(request, saving: true)
            let zoe = try await planner.knownPerson(named: "zoe@example.org")
            #expect(try await planner.inviteToSignIn(zoe))
            var card = ContactEdit()
            card.name = "Zoe"
            card.emails = ["mallory@evil.example", "zoe@example.org"]
            _ = try await ben.addPerson(card)
            try await planner.mailLinks(to: "mallory@evil.example", askedIn: browser)
            #expect(try await planner.store.person(zoe.id)?.address == "zoe@example.org")
            #expect(try await tokens(planner, to: zoe.id.text).count == 1)
            request.title = "Dinner"
            let dinner = try await planner.createMeeting(request, saving: true).meeting
            #expect(dinner.participants.map(\.address).contains("zoe@example.org"))
            #expect(!dinner.participants.map(\.address).contains("mallory@evil.example"))
        }
    }

    @Test func `An address that only another member's card names means a new guest`() async throws {
        try await with { planner, _, _ in
            try await planner.add("Ben", "ben@example.org")
            let ben = planner.acting(as: try await planner.knownPerson(named: "Ben"))
            var card = ContactEdit()
            card.name = "Yves"
            card.emails = ["mallory@evil.example", "yves@example.org"]
            _ = try await ben.addPerson(card)
            var request = MeetingRequest()
            (request.title, request.start) = ("Games", "2026-12-05T18:00")
            request.with = ["yves@example.org"]
            let games = try await planner.createMeeting(request, saving: true).meeting
            #expect(games.participants.map(\.name).contains("yves@example.org"))
            // Nor does anybody learn of people in somebody else's book by their id.
            let anna = planner.acting(as: try await planner.knownPerson(named: "Anna"))
            let hidden = try await ben.person(named: "Yves").id
            #expect(await refusal { _ = try await anna.person(named: hidden.text) } != nil)
            let guest = try #require(games.participants.last?.id)
            #expect(await refusal { _ = try await anna.person(named: guest) } != nil)
            let part = String(guest.prefix(6))
            #expect(await refusal { _ = try await anna.person(named: part) } != nil)
            #expect(games.participants.map(\.address).contains("yves@example.org"))
        }
    }

    @Test func `With open registration, the account begins when the link is used`() async throws {
        try await with([.registration: "open"]) { planner, _, browser in
            try await planner.mailLinks(to: "new@example.org", askedIn: browser)
            #expect(try await planner.store.accounts(limit: 10).isEmpty)
            let guest = try #require(try await planner.store.loneGuest(at: "new@example.org"))
            let token = try #require(try await tokens(planner, to: guest.id.text).first)
            _ = try await planner.enter(by: token, device: "Test")
            #expect(try await planner.store.accountHolder(at: "New@example.org")?.id == guest.id)
        }
    }

    @Test func `Somebody who registers does not get the name of a member from an inviter`()
        async throws
    {
        try await with([.registration: "open"]) { planner, _, browser in
            let anna = try await planner.knownPerson(named: "Anna")
            #expect(try await planner.inviteToSignIn(anna))
            for (name, address, known) in [
                ("anna", "evil@example.org", "evil@example.org"),
                ("Zara Quix", "zara@example.org", "Zara Quix"),
            ] {
                try await planner.create(.lunch(with: "\(name) <\(address)>"))
                try await planner.mailLinks(to: address, askedIn: browser)
                let sent = try await tokens(planner, to: address)
                let entered = try await planner.enter(by: #require(sent.last), device: "Test")
                #expect(entered.person.name == known)
            }
        }
    }

    @Test func `An address is asked for admission once, as a known one or as a stranger's`()
        async throws
    {
        try await with([.registration: "open"]) { planner, _, browser in
            try await planner.add("Ben", "ben@example.org")
            #expect(try await planner.inviteToSignIn(planner.knownPerson(named: "Ben")))
            let expected: [(String, [LinkAsker])] = [
                ("ben@example.org", [.known]), ("anna@example.org", [.known]),
                ("new@example.org", [.stranger]), ("nonsense", []),
            ]
            for (address, kinds) in expected {
                var asked: [LinkAsker] = []
                try await planner.mailLinks(to: address, askedIn: browser) { asker in
                    asked.append(asker)
                    return false
                }
                #expect(asked == kinds)
            }
            let guest = try await planner.store.loneGuest(at: "new@example.org")
            #expect(guest == nil)
            // The invitation to sign in.
            let mails = try await planner.signInMails()
            #expect(mails.count == 1)
        }
    }

    @Test func `With open registration, a contact of the owner registers as that contact`()
        async throws
    {
        try await with([.registration: "open"]) { planner, _, browser in
            try await planner.mailLinks(to: "anna@example.org", askedIn: browser)
            let token = try #require(try await tokens(planner, to: "Anna").first)
            let anna = try await planner.knownPerson(named: "Anna")
            let entered = try await planner.enter(by: token, device: "Test").person
            let role = try await planner.store.account(of: anna.id)?.role
            #expect(entered.id == anna.id && role == .member)
        }
    }
}
