import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import Synchronization
import TestKit
import Testing
@testable import Web

/// Asking for a link by mail.
@Suite(.timeLimit(.minutes(5))) struct SignInMailPageTests {
    @Test func `Known, unknown and invalid addresses get the same answer`() async throws {
        try await TestSite.with(settings: [
            .baseURL: "http://localhost:8420", .smtpURL: "smtp://localhost",
            .mailFrom: "meet@example.org", .ownerAddress: "olga@example.org",
        ]) { site in
            #expect(await site.stranger.open("/sign-in").text.contains("name=\"address\""))
            var texts: Set<String> = []
            for address in ["olga%40example.org", "nobody%40example.org", "nonsense", ""] {
                let answer = await site.stranger.submit("/sign-in", "address=\(address)&next=/me")
                #expect(answer.status == .seeOther)
                #expect(answer.field("Set-Cookie").contains("letsmeet-browser="))
                texts.insert(answer.field("Location"))
            }
            #expect(
                texts == ["/sign-in?next=/me&sent=1"] || texts == ["/sign-in?next=%2Fme&sent=1"])
            let page = await site.stranger.open("/sign-in?sent=1")
            #expect(page.text.contains("a mail with a link is on its way"))
            #expect(page.text.contains("use the link in the newest one of the last 15 minutes"))
            let wrong = await site.stranger.submit("/sign-in/code", "code=123456")
            #expect(wrong.status == .badRequest && wrong.text.contains("This code does not work."))
        }
    }

    @Test(arguments: [
        ("+ab%40example.org+", "ab@example.org"), ("a+b%40example.org", "a b@example.org"),
        ("%22a+b%22%40example.org", "\"a b\"@example.org"),
    ])
    func `A link is for the address exactly as it was typed`(
        _ field: String, _ address: String
    ) async throws {
        try await TestSite.with { site in
            _ = await site.stranger.submit("/sign-in", "address=\(field)")
            let asked = Addresses()
            let task = Task {
                await site.site.askers.run { request, _ in await asked.add(request.address) }
            }
            for _ in 0..<1000 { await Task.yield() }
            task.cancel()
            let all = await asked.all
            #expect(all == [address])
        }
    }

    private actor Addresses {
        var all: [String] = []
        func add(_ address: String) { all.append(address) }
    }

    @Test func `Without a mail server, the page says how to get a link`() async throws {
        try await TestSite.with { site in
            let page = await site.stranger.open("/sign-in")
            #expect(page.text.contains("sends no mail yet"))
            #expect(!page.text.contains("Send me a link"))
        }
    }

    /// Carries out the requests that wait. A request for "later" moves the clock by an hour.
    private func carryOut(
        _ askers: SignInAskers, _ site: TestSite,
        _ send:
            @escaping @Sendable (
                SignInAskers.Request, (LinkAsker) -> Bool
            ) async throws -> Void
    ) async {
        askers.ask("last", from: "203.0.113.1", in: site.planner.newBrowserToken())
        let run = Task {
            await askers.run { request, isAdmitted in
                switch request.address {
                case "last": withUnsafeCurrentTask { task -> Void in task?.cancel() }
                case "later": site.world.clock.advance(bySeconds: 3600)
                default: try await send(request, isAdmitted)
                }
            }
        }
        await run.value
    }

    @Test(arguments: [
        ("open", false, 100), ("open", true, 60), ("invitation", false, 0), ("invitation", true, 0),
    ])
    func `Strangers use up no mails of people with an account or of the owner's contacts`(
        _ registration: String, _ areOfOneNetwork: Bool, _ expected: Int
    ) async throws {
        try await TestSite.with(settings: [
            .baseURL: "http://localhost:8420", .smtpURL: "smtp://localhost",
            .mailFrom: "meet@example.org", .ownerAddress: "olga@example.org",
            .registration: registration,
        ]) { site in
            for name in ["Ben", "Gus"] {
                var card = ContactEdit()
                (card.name, card.emails) = (name, ["\(name.lowercased())@example.org"])
                _ = try await site.planner.addPerson(card)
            }
            try await site.planner.keepOwnersAccount()
            _ = try await site.browser(of: "Ben")
            let askers = site.site.askers
            let browser = site.planner.newBrowserToken()
            for number in 0..<400 {
                let network = areOfOneNetwork ? "192.0.2" : "10.\(number / 200).\(number % 200)"
                askers.ask(
                    "stranger\(number)@evil.example", from: "\(network).\(number % 200)",
                    in: browser)
            }
            for name in ["ben", "gus", "olga"] {
                askers.ask("\(name)@example.org", from: "192.0.2.7", in: browser)
            }
            await carryOut(askers, site) { request, isAdmitted in
                try await site.planner.mailLinks(
                    to: request.address, askedIn: request.browser, ifAdmitted: isAdmitted)
            }
            var filter = LedgerFilter(limit: 1000)
            filter.kind = .signIn
            let mailed = try await site.planner.store.stories(filter).map(\.record.personAddress)
            let known = mailed.filter { $0.hasSuffix("@example.org") }.sorted()
            let contacts = registration == "open" ? ["gus@example.org"] : []
            #expect(known == ["ben@example.org"] + contacts + ["olga@example.org"])
            #expect(mailed.count - known.count == expected)
        }
    }

    @Test(arguments: [
        (LinkAsker.stranger, "10.%n%.0.1", 200), (.stranger, "192.0.2.%n%", 120),
        (.stranger, "2001:db8:1:%n%::1", 120), (.stranger, "192.0.2.1", 40),
        (.known, "192.0.2.1", 400),
    ])
    func `Mails to strangers have a limit, and smaller ones for one network and one client`(
        _ asker: LinkAsker, _ pattern: String, _ expected: Int
    ) async throws {
        try await TestSite.with { site in
            let askers = SignInAskers(clock: site.world.clock, logger: .silent)
            let browser = site.planner.newBrowserToken()
            for number in 0..<400 {
                if number == 200 { askers.ask("later", from: "203.0.113.1", in: browser) }
                askers.ask(
                    "guest\(number)@example.org",
                    from: pattern.replacing("%n%", with: "\(number % 200)"),
                    in: browser)
            }
            let count = Counter()
            await carryOut(askers, site) { _, isAdmitted in
                if isAdmitted(asker) { count.value.withLock { $0 += 1 } }
            }
            #expect(count.value.withLock(\.self) == expected)
        }
    }

    @Test func `A known address gets three mails for one network, and ten for all`() async throws {
        try await TestSite.with { site in
            let askers = SignInAskers(clock: site.world.clock, logger: .silent)
            let browser = site.planner.newBrowserToken()
            for number in 0..<60 {
                askers.ask("anna@example.org", from: "192.0.2.\(number)", in: browser)
            }
            for number in 0..<60 {
                askers.ask("ANNA@example.org", from: "10.0.\(number).1", in: browser)
                askers.ask("ben@example.org", from: "192.0.2.\(number)", in: browser)
            }
            let (anna, ben) = (Counter(), Counter())
            await carryOut(askers, site) { request, isAdmitted in
                guard isAdmitted(.known) else { return }
                let count = request.address.lowercased().hasPrefix("anna") ? anna : ben
                count.value.withLock { $0 += 1 }
            }
            #expect(anna.value.withLock(\.self) == 10)
            #expect(ben.value.withLock(\.self) == 3)
        }
    }

    private final class Counter: Sendable {
        let value = Mutex(0)
    }
}
