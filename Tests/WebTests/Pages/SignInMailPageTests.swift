import NIOHTTP1
import Planning
import Settings
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
            let task = Task { await site.site.askers.run { await asked.add($0.address) } }
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

    @Test func `Only a few requests of an address and of a client are carried out`() async throws {
        try await TestSite.with { site in
            let askers = site.site.askers
            for number in 0..<30 {
                let browser = site.planner.newBrowserToken()
                askers.ask("anna@example.org", from: "192.0.2.1", in: browser)
                askers.ask("x\(number)@example.org", from: "192.0.2.2", in: browser)
            }
            let count = Counter()
            let task = Task { await askers.run { _ in await count.add() } }
            for _ in 0..<1000 { await Task.yield() }
            task.cancel()
            // Three by the network, and twenty by the client.
            #expect(await count.value == 23)
        }
    }

    private actor Counter {
        var value = 0
        func add() { value += 1 }
    }
}
