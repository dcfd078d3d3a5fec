import Agenda
import Foundation
import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import TestKit
import Testing

@testable import Web

/// The pages of channels.
@Suite(.timeLimit(.minutes(5))) struct ChannelPageTests {
    private static let path = "/me/channels"
    private static let token = "tk_very_secret"

    /// A site that may send to this machine, with a server that takes messages, and with Anna as a
    /// member.
    private func withServer(
        status: Int = 200,
        _ body: (TestSite, TestSite.Browser, FakeHTTPServer) async throws -> Void
    ) async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(status, body: Array("full".utf8)) }
        defer { server.stop() }
        try await TestSite.with(
            settings: [.sinks: "stdout", .webhookAllow: "127.0.0.1"]
        ) { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            try await body(site, try await site.browser(), server)
        }
    }

    private func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\(Link.segment($0.1))" }.joined(separator: "&")
    }

    private func ntfy(_ url: String) -> String {
        form([("kind", "ntfy"), ("url", "\(url)/club"), ("secret", Self.token)])
    }

    private func name(_ planner: Planner) async throws -> String {
        let channels = try await planner.personalChannels()
        return try #require(channels.first).channel.name
    }

    @Test func `A channel is added and tested, and its secret and address are not shown again`()
        async throws
    {
        try await withServer { site, browser, server in
            let added = await browser.submit(Self.path, ntfy(server.url))
            #expect(added.field("Location") == "/me/channels?saved=channel")
            let name = try await name(site.planner)
            let test = await browser.submit(Self.path, "do=test&channel=\(name)")
            #expect(test.status == .ok && test.text.contains("Sent: "))
            #expect(server.requests.count == 1)
            let header: String? = server.requests.first?.headers["authorization"]
            #expect(header == "Bearer \(Self.token)")
            for page in [test.text, await browser.open(Self.path).text] {
                #expect(page.contains("Secret: set"))
                #expect(!page.contains(Self.token) && !page.contains("/club"))
            }
        }
    }

    @Test(arguments: [
        (503, "A real message would be tried again."),
        (404, "A real message would go through another channel."),
        (401, "Real messages wait until this is put right."),
    ])
    func `A test shows who refused the message, with which words`(
        status: Int, words: String
    ) async throws {
        try await withServer(status: status) { site, browser, server in
            _ = await browser.submit(Self.path, ntfy(server.url))
            let name = try await name(site.planner)
            let page = await browser.submit(Self.path, "do=test&channel=\(name)").text
            #expect(page.contains(": \(status): full") && page.contains(words))
        }
    }

    @Test func `A person can test channels five times, then once a minute`() async throws {
        try await withServer { site, browser, server in
            _ = await browser.submit(Self.path, ntfy(server.url))
            let test = "do=test&channel=\(try await name(site.planner))"
            for _ in 1...5 { _ = await browser.submit(Self.path, test) }
            let refused = await browser.submit(Self.path, test).text
            #expect(refused.contains("You have tried too often."))
            #expect(server.requests.count == 5)
            site.world.clock.advance(bySeconds: 61)
            _ = await browser.submit(Self.path, test)
            #expect(server.requests.count == 6)
        }
    }

    @Test func `Channels of members do not reach addresses that are allowed for the owner`()
        async throws
    {
        try await withServer { site, _, server in
            let anna = try await site.browser(of: "Anna")
            let refused = await anna.submit(Self.path, ntfy(server.url))
            #expect(refused.status == .badRequest)
            #expect(refused.text.contains("belongs to this machine"))
            #expect(!refused.text.contains(Self.token))
            // The address stands in the description, and is checked when something is sent.
            let request = [
                "method: POST", "url: \"\(server.url)/x\"", "headers:",
                "  Content-Type: text/plain", "body: hello",
            ].joined(separator: "\r\n")
            let added = await anna.submit(
                Self.path, form([("kind", "http"), ("target", request)]))
            #expect(added.status == .seeOther)
            let known = try await site.planner.knownPerson(named: "Anna")
            let name = try await name(site.planner.acting(as: known))
            let test = await anna.submit(Self.path, "do=test&channel=\(name)").text
            #expect(test.contains("Not sent: this address belongs to a private network"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1/x", "http://[::1]/x", "http://10.1.2.3/x", "ftp://a.example/x",
    ])
    func `A hostile address is refused, also for the owner`(url: String) async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let page = await browser.submit(
                Self.path, form([("kind", "webhook"), ("url", url)]))
            #expect(page.status == .badRequest)
            #expect(try await site.planner.personalChannels().isEmpty)
        }
    }

    @Test func `Nobody tests, pauses or removes the channels of others, and no other site does`()
        async throws
    {
        try await withServer { site, browser, server in
            _ = await browser.submit(Self.path, ntfy(server.url))
            let name = try await name(site.planner)
            let anna = try await site.browser(of: "Anna")
            #expect(!(await anna.open(Self.path).text.contains(name)))
            for deed in ["test", "pause", "remove"] {
                _ = await anna.submit(Self.path, "do=\(deed)&channel=\(name)")
                let forged = await browser.submit(
                    Self.path, "do=\(deed)&channel=\(name)", [("Sec-Fetch-Site", "cross-site")])
                #expect(forged.status == .forbidden)
            }
            let known = try await site.planner.personalChannels()
            #expect(known.map(\.channel.isPaused) == [false])
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `A generated secret is shown once, also after a double click`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let key = try #require(await browser.open(Self.path).input("key"))
            let fields = form([
                ("kind", "webhook"), ("url", "https://hook.example/x"), ("key", key),
            ])
            let first = await browser.submit(Self.path, fields)
            #expect(first.status == .created && first.text.contains("whsec_"))
            #expect(first.field("Cache-Control") == "private, no-store")
            #expect(await browser.submit(Self.path, fields).text == first.text)
            #expect(try await site.planner.personalChannels().count == 1)
            #expect(!(await browser.open(Self.path).text.contains("whsec_")))
        }
    }

    @Test func `Members send mail to addresses that were proven to be theirs only`() async throws {
        try await TestSite.with(
            environment: [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_SINKS": "mail",
                "LETSMEET_MAIL_FROM": "letsmeet@example.org",
            ]
        ) { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let anna = try await site.browser(of: "Anna")
            let victim = await anna.submit(
                Self.path, form([("kind", "mail"), ("target", "victim@example.org")]))
            #expect(victim.status == .badRequest)
            #expect(victim.text.contains("It is not known that victim@example.org is yours."))
            let known = try await site.planner.knownPerson(named: "Anna")
            try await site.planner.store.verify("anna@work.example", of: known.id)
            let own = await anna.submit(
                Self.path, form([("kind", "mail"), ("target", "anna@work.example")]))
            #expect(own.status == .seeOther)
        }
    }

    @Test func `A member has at most 20 channels`() async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let anna = try await site.browser(of: "Anna")
            for number in 1...Planner.channelsEachMax {
                let url = "https://ntfy.example/t\(number)"
                let added = await anna.submit(Self.path, form([("kind", "ntfy"), ("url", url)]))
                #expect(added.status == .seeOther)
            }
            let more = await anna.submit(
                Self.path, form([("kind", "ntfy"), ("url", "https://ntfy.example/more")]))
            #expect(more.status == .badRequest && more.text.contains("Remove one first."))
        }
    }

    @Test func `Nothing goes through a paused channel until it is used again`() async throws {
        try await TestSite.with { site in
            _ = try await site.planner.add("Anna", "anna@example.org")
            let known = try await site.planner.knownPerson(named: "Anna")
            let browser = try await site.browser(of: "Anna")
            _ = await browser.submit(
                Self.path, form([("kind", "ntfy"), ("url", "https://ntfy.example/club")]))
            let name = try await name(site.planner.acting(as: known))
            for (deed, sink) in [("pause", "stdout"), ("resume", "ntfy")] {
                let done = await browser.submit(Self.path, "do=\(deed)&channel=\(name)")
                #expect(done.field("Location") == "/me/channels?saved=channel-\(deed)d")
                var request = MeetingRequest()
                (request.title, request.start) = ("Lunch", "2026-12-05T12:00")
                request.with = ["Anna"]
                let made = try await site.planner.createMeeting(request, saving: true)
                let told = made.notifications.added
                    .filter { $0.person == known.id.text && !$0.isForInbox }
                #expect(!told.isEmpty && told.allSatisfy { $0.channel == sink })
            }
            #expect(try await site.planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `The owner adds, tests and removes the channels of their circles`() async throws {
        try await withServer { site, browser, server in
            try await site.planner.addCircle("Choir", members: ["Anna"])
            let path = "/circles/Choir/channels"
            #expect(await browser.open("/circles/Choir/edit").text.contains(path))
            let added = await browser.submit(
                path, form([("kind", "slack"), ("url", "\(server.url)/hooks/unguessed")]))
            #expect(added.field("Location") == "\(path)?saved=channel")
            let choir = try await site.planner.circle(named: "Choir")
            let names = try await site.planner.channels(of: choir).map(\.name)
            let name = try #require(names.first)
            let test = await browser.submit(path, "do=test&channel=\(name)").text
            #expect(test.contains("Sent: ") && !test.contains("unguessed"))
            // The page of one's own channels does not reach those of a circle.
            _ = await browser.submit(Self.path, "do=remove&channel=\(name)")
            #expect(try await site.planner.channels(of: choir).count == 1)
            _ = await browser.submit(path, "do=remove&channel=\(name)")
            #expect(try await site.planner.channels(of: choir).isEmpty)
        }
    }

    @Test func `Only the owner sees which ways are enabled for everybody`() async throws {
        try await withServer { site, browser, _ in
            #expect(await browser.open(Self.path).text.contains("Channels of this installation"))
            let anna = try await site.browser(of: "Anna")
            #expect(!(await anna.open(Self.path).text.contains("Channels of this installation")))
        }
    }

    @Test(arguments: ["mail", "webhook", "ntfy", "gotify", "matrix", "slack", "http"])
    func `Each kind of channel has a form with its fields`(kind: String) async throws {
        try await TestSite.with { site in
            let page = await (try await site.browser()).open("\(Self.path)?add=\(kind)").text
            #expect(page.contains("name=\"kind\" value=\"\(kind)\""))
            let fields = ChannelKinds.help.first { $0.kind == kind }?.hints.map(\.key) ?? []
            #expect(page.contains("id=\"url\"") == fields.contains(.url))
            #expect(page.contains("id=\"secret\"") == fields.contains(.secret))
            let hasTarget = fields.contains(.target) || fields.contains(.requestFile)
            #expect(page.contains("id=\"target\"") == hasTarget)
        }
    }
}
