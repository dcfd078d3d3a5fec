import Agenda
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import TestKit
import Testing

/// The links in messages.
@Suite(.timeLimit(.minutes(5))) struct DeliveryLinksTests {
    private static let mail: [SettingName: String] = [
        .sinks: "mail", .smtpURL: "smtp://localhost", .mailFrom: "olga@example.org",
    ]
    private static let pages: [SettingName: String] =
        mail.merging([.baseURL: "https://meet.example.org"]) { $1 }

    /// Passes the mails to the guests of a party to `body`.
    private func deliveries(
        _ settings: [SettingName: String], minutes: Int64 = 0,
        before: (Planner) async throws -> Void = { _ in },
        _ body: (_ messages: [OutgoingMessage], _ planner: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: settings)
            var request = MeetingRequest()
            request.title = "Tea & cake?"
            request.with = ["anna@example.org", "ben@example.org"]
            request.start = "2026-12-01T18:00"
            _ = try await planner.createMeeting(request, saving: true)
            try await before(planner)
            let sink = ScriptedSink(name: "mail", schedule: .mail, takesEnclosures: true)
            let later = world.later(minutes: minutes)
            let engine = try later.engine(
                try await later.planner(settings: settings), sinks: [sink],
                links: try planner.surroundings.linkBuilder())
            _ = try await engine.runOnce()
            try await body(sink.messages, planner)
        }
    }

    @Test func `Each guest gets a personal link, in the text and as buttons`() async throws {
        try await deliveries(Self.pages) { messages, planner in
            #expect(messages.count == 2)
            for outgoing in messages {
                let links = try await planner.guestLinks(
                    of: "Tea", to: [outgoing.address], change: .none)
                let link = try #require(links.links.first?.url)
                #expect(outgoing.text.contains("\n\(link)"))
                for word in ["yes", "maybe", "no"] {
                    #expect(
                        outgoing.enclosure?.page?.contains("\"\(link)?answer=\(word)\"") == true)
                }
                #expect(outgoing.enclosure?.unsubscribing == nil)
                let token = String(link.suffix(32))
                #expect(try await planner.visit(by: token)?.readerName == outgoing.name)
            }
        }
    }

    @Test func `A reminder has a link to stop reminders, and the link works`() async throws {
        try await deliveries(Self.pages, minutes: 185) { messages, planner in
            let reminder = try #require(messages.first { $0.kind == .reminder })
            let stop = try #require(reminder.enclosure?.unsubscribing)
            #expect(stop.isOneClick && stop.link.hasPrefix("https://meet.example.org/u/"))
            #expect(reminder.text.contains(stop.link))
            let token = String(stop.link.suffix(32))
            let before = try #require(try await planner.subscription(by: token))
            #expect(before.kind == .reminders && before.isOn)
            for isOn in [false, false, true] {
                try await planner.set(isOn, by: token)
                #expect(try await planner.subscription(by: token)?.isOn == isOn)
            }
            #expect(try await planner.visit(by: token) == nil)
        }
    }

    @Test func `A digest has a link to stop digests, and the link works`() async throws {
        let withDigest: (Planner) async throws -> Void = { planner in
            var edit = PolicyEdit()
            edit.digest = .each(.daily)
            _ = try await planner.setPolicy(edit, of: "anna@example.org", saving: true)
            _ = try await planner.planDigests(.daily, for: planner.now)
        }
        try await deliveries(Self.pages, before: withDigest) { messages, planner in
            let digest = try #require(messages.first { $0.kind == .digest })
            let stop = try #require(digest.enclosure?.unsubscribing)
            #expect(digest.text.contains("Stop these messages for all meetings:\n\(stop.link)"))
            #expect(digest.enclosure?.page?.contains("<a href=\"\(stop.link)\">") == true)
            let token = String(stop.link.suffix(32))
            #expect(try await planner.subscription(by: token)?.isOn == true)
            try await planner.set(false, by: token)
            #expect(try await planner.policy(of: "anna@example.org").digest == nil)
        }
    }

    @Test func `A mail with a link to sign in has that link alone, and it works`() async throws {
        let asking: (Planner) async throws -> Void = { planner in
            try await planner.mailLinks(
                to: "olga@example.org", askedIn: planner.newBrowserToken())
            let anna = try await planner.knownPerson(named: "anna@example.org")
            _ = try await planner.inviteToSignIn(anna)
        }
        try await deliveries(Self.pages, before: asking) { messages, planner in
            let mail = try #require(messages.first { $0.kind == .signIn })
            #expect(messages.count { $0.kind == .signIn } == 1)
            #expect(mail.address == "anna@example.org" && mail.enclosure == nil)
            let start = "https://meet.example.org/enter#"
            let line = mail.text.split(separator: "\n").first { $0.hasPrefix(start) }
            let token = String(try #require(line).dropFirst(start.count))
            let (_, person) = try await planner.enter(by: token, device: "Test")
            #expect(person.address == "anna@example.org")
        }
    }

    @Test func `Without a public address, guests answer by mail to the organizer`() async throws {
        try await deliveries(Self.mail) { messages, planner in
            let id = try await planner.meeting("Tea").id
            let page = try #require(messages.first?.enclosure?.page)
            for word in ["Yes", "Maybe", "No"] {
                let link =
                    "mailto:olga@example.org?subject=\(word)%3A%20Tea%20%26%20cake%3F%20%5B\(id)%5D"
                #expect(page.contains("\"\(link)\""), "\(page)")
            }
            #expect(messages.allSatisfy { !$0.text.contains("https://") })
            #expect(messages.first?.enclosure?.unsubscribing == nil)
        }
    }

    @Test func `Without HTTPS, no one-click unsubscribing is offered`() async throws {
        let open = Self.pages.merging([.baseURL: "http://meet.example.org"]) { $1 }
        try await deliveries(open, minutes: 185) { messages, _ in
            let reminder = try #require(messages.first { $0.kind == .reminder })
            #expect(reminder.enclosure?.unsubscribing?.isOneClick == false)
        }
    }

    @Test func `A revoked link is replaced in the next message`() async throws {
        var old: [String] = []
        let revoked: (Planner) async throws -> Void = { planner in
            let links = try await planner.guestLinks(of: "Tea", to: [], change: .none).links
            old = links.compactMap(\.url).map { String($0.suffix(32)) }
            _ = try await planner.guestLinks(of: "Tea", to: [], change: .revoked)
        }
        try await deliveries(Self.pages, before: revoked) { messages, planner in
            #expect(messages.count == 2 && old.count == 2)
            for outgoing in messages {
                let link = try #require(outgoing.text.firstMatch(of: /https:\S+\/g\/(\S{32})/))
                #expect(!old.contains(String(link.output.1)))
                #expect(try await planner.visit(by: link.output.1)?.readerName == outgoing.name)
            }
            for token in old { #expect(try await planner.visit(by: token) == nil) }
        }
    }
}
