import Agenda
import Foundation
import Ledger
import Notifications
import Planning
import Settings
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

/// Channels of people and audiences, from the command to the receiver.
@Suite(.timeLimit(.minutes(5))) struct ChannelDeliveryTests {
    /// An installation with a server that receives the deliveries of its channels.
    private struct Site {
        let world: TestWorld
        let planner: Planner
        let server: FakeHTTPServer
        let environment: [String: String]

        /// Delivers everything due through the real sinks.
        @discardableResult
        func deliver() async throws -> DeliveryTally {
            let surroundings = try world.surroundings(environment: environment)
            let engine = try world.engine(planner, sinks: try surroundings.sinks())
            return try await engine.runOnce()
        }

        /// The path and the event type of each request.
        var heard: [String] {
            server.requests.map { request in
                let body = String(decoding: request.body, as: UTF8.self)
                let type = body.firstMatch(of: /"type":"([a-z.]+)"/).map { String($0.1) } ?? ""
                return "\(request.path) \(type)"
            }.sorted()
        }

        var bodies: String {
            server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        }

        @discardableResult
        func add(
            _ kind: String, _ path: String, who: String? = nil, circle: String? = nil,
            kinds: Set<NotificationKind> = []
        ) async throws -> ChannelOutcome {
            var request = ChannelRequest()
            request.kind = kind
            request.url = server.url + path
            request.readers = try await planner.readers(who: who, circle: circle)
            request.label = circle ?? who
            request.kinds = kinds
            if kind == "gotify" { request.secret = Secret("token") }
            return try await planner.addChannel(request)
        }

        func create(_ title: String, with names: [String]) async throws {
            var request = MeetingRequest()
            request.title = title
            request.with = names
            request.start = "2026-12-05T12:00"
            _ = try await planner.createMeeting(request, saving: true)
        }

        func person(_ name: String, _ address: String) async throws {
            var edit = ContactEdit()
            edit.name = name
            edit.emails = [address]
            _ = try await planner.addPerson(edit)
        }

        func checkLedger() async throws {
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private func withSite(
        webhook: Bool = false, _ answer: @escaping FakeHTTPServer.Handler = { _ in .json("{}") },
        _ body: (Site) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let server = try FakeHTTPServer(answer)
            defer { server.stop() }
            var environment = ["LETSMEET_WEBHOOK_ALLOW": "127.0.0.1", "LETSMEET_SINKS": "stdout"]
            if webhook {
                environment["LETSMEET_SINKS"] = "webhook"
                environment["LETSMEET_WEBHOOK_URL"] = server.url + "/all"
            }
            try await body(
                Site(
                    world: world, planner: try await world.planner(environment: environment),
                    server: server, environment: environment))
        }
    }

    @Test func `The installation channel gets each event once, without addresses or private notes`()
        async throws
    {
        try await withSite(webhook: true) { site in
            try await site.create(
                "Lunch", with: ["anna@example.org", "Ben Berg <ben@example.org>"])
            try await site.deliver()
            #expect(site.heard == ["/all invitation.sent"])
            _ = try await site.planner.answer(
                "Lunch", .going, who: "anna@example.org", plus: 2, note: "my secret",
                saving: true)
            _ = try await site.planner.message("Lunch", "Bring hats", to: [], saving: true)
            _ = try await site.planner.nudge("Lunch", who: [], note: "well?", saving: true)
            var edit = MeetingEdit()
            edit.start = "2026-12-05T13:00"
            _ = try await site.planner.editMeeting("Lunch", edit, saving: true)
            try await site.deliver()
            _ = try await site.planner.cancelMeeting("Lunch", saving: true)
            try await site.deliver()
            #expect(
                site.heard == [
                    "/all answer.received", "/all invitation.sent", "/all meeting.cancelled",
                    "/all meeting.changed", "/all message.sent",
                ])
            #expect(!site.bodies.contains("anna@"))
            #expect(!site.bodies.contains("ben@"))
            #expect(!site.bodies.contains("my secret"))
            #expect(site.bodies.contains("Somebody is coming, plus 2."))
            #expect(site.bodies.contains("Bring hats"))
            let stories = try await site.planner.deliveries(of: "Lunch", to: "installation")
            #expect(stories.map(\.name).allSatisfy { $0 == "installation" })
            #expect(stories.count { $0.delivery.state == .accepted } == 5)
            try await site.checkLedger()
        }
    }

    @Test func `A circle's channel gets the meetings that its members are invited to`()
        async throws
    {
        try await withSite { site in
            try await site.person("Anna", "anna@example.org")
            _ = try await site.planner.addCircle("chess", members: ["Anna"])
            try await site.add("webhook", "/chess", circle: "chess")
            try await site.create("Lunch", with: ["Anna"])
            try await site.create("Chess", with: ["chess"])
            try await site.deliver()
            #expect(site.heard == ["/chess invitation.sent"])
            #expect(site.bodies.contains(#""audience":"chess""#))
            _ = try await site.planner.deleteCircle("chess")
            _ = try await site.planner.cancelMeeting("Chess", saving: true)
            try await site.deliver()
            #expect(site.server.requests.count == 1)
            try await site.checkLedger()
        }
    }

    @Test func `A channel for changes only gets changes and cancellations`() async throws {
        try await withSite { site in
            try await site.add("webhook", "/room", kinds: [.change, .cancellation])
            try await site.create("Lunch", with: ["anna@example.org"])
            try await site.deliver()
            #expect(site.heard == [])
            var edit = MeetingEdit()
            edit.start = "2026-12-05T13:00"
            _ = try await site.planner.editMeeting("Lunch", edit, saving: true)
            try await site.checkLedger()
            try await site.deliver()
            _ = try await site.planner.cancelMeeting("Lunch", saving: true)
            try await site.deliver()
            #expect(site.heard == ["/room meeting.cancelled", "/room meeting.changed"])
            try await site.add("webhook", "/late")
            try await site.deliver()
            #expect(site.heard.count == 2)
            try await site.checkLedger()
        }
    }

    @Test func `A channel gets no notifications from before it was added, but later reminders`()
        async throws
    {
        try await withSite { site in
            try await site.create("Lunch", with: ["anna@example.org"])
            try await site.deliver()
            site.world.clock.advance(bySeconds: 60)
            try await site.add("webhook", "/room")
            try await site.deliver()
            #expect(site.heard == [])
            site.world.clock.advance(bySeconds: 4 * 86_400 - 3 * 3600)
            try await site.deliver()
            #expect(site.heard == ["/room reminder.due"])
            try await site.checkLedger()
        }
    }

    @Test func `A person's channel replaces the default, and removing it restores the default`()
        async throws
    {
        try await withSite { site in
            try await site.person("Anna", "anna@example.org")
            let added = try await site.add("ntfy", "/topic", who: "Anna")
            #expect(added.channel.name == "ntfy-anna")
            try await site.create("Lunch", with: ["Anna"])
            try await site.deliver()
            #expect(site.server.requests.map(\.path) == ["/"])
            _ = try await site.planner.removeChannel("ntfy-anna")
            try await site.checkLedger()
            _ = try await site.planner.cancelMeeting("Lunch", saving: true)
            let tally = try await site.deliver()
            #expect(tally.accepted == 1)
            #expect(site.server.requests.count == 1)
            try await site.checkLedger()
        }
    }

    @Test func `A delivery that a person's channel refuses for good goes through the next channel`()
        async throws
    {
        try await withSite({ _ in FakeAnswer(413) }) { site in
            try await site.person("Anna", "anna@example.org")
            try await site.add("ntfy", "/topic", who: "Anna")
            try await site.create("Lunch", with: ["Anna"])
            try await site.deliver()
            try await site.checkLedger()
            let rows = try await site.planner.ledger(states: [], meeting: "Lunch", limit: 99)
            let invitations = rows.filter { $0.delivery.kind == .invitation }
            #expect(
                Set(invitations.map { "\($0.delivery.channel) \($0.delivery.state)" })
                    == ["ntfy failed", "stdout accepted"])
        }
    }

    @Test func `A receiver that closed its channel gets nothing more until the channel is tested`()
        async throws
    {
        let status = FakeStatus(410)
        try await withSite(webhook: true, { _ in FakeAnswer(status.value) }) { site in
            try await site.create("Lunch", with: ["anna@example.org"])
            try await site.deliver()
            try await site.create("Chess", with: ["anna@example.org"])
            try await site.deliver()
            #expect(site.server.requests.count == 1)
            try await site.create("Bridge", with: ["anna@example.org"])
            try await site.deliver()
            let closed = try #require(
                try await site.planner.channelViews().first { $0.name == "webhook" })
            #expect(closed.isClosed)
            #expect(closed.trouble?.reason == "answered 410")
            status.value = 200
            let report = try await site.planner.testSink("webhook", to: nil) { _ in }
            #expect(report.isAccepted)
            let open = try await site.planner.channelViews().first { $0.name == "webhook" }
            #expect(open?.isClosed == false)
            _ = try await site.planner.cancelMeeting("Chess", saving: true)
            try await site.create("Go", with: ["anna@example.org"])
            try await site.deliver()
            #expect(site.server.requests.count == 3)
            try await site.checkLedger()
        }
    }

    @Test func `Mail goes to the channel's address, and a mailing list gets no calendar file`()
        async throws
    {
        try await withTemporaryHome { world in
            let server = try FakeSMTPServer { _ in nil }
            defer { server.stop() }
            let environment = [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:\(server.port)",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ]
            let planner = try await world.planner(environment: environment)
            let site = Site(
                world: world, planner: planner, server: try FakeHTTPServer { _ in .json("{}") },
                environment: environment)
            defer { site.server.stop() }
            try await site.person("Anna", "anna@example.org")
            _ = try await planner.addCircle("chess", members: ["Anna"])
            for (who, circle, address) in [
                ("Anna", nil, "anna@work.example"), (nil, "chess", "chess@lists.example"),
            ] {
                var request = ChannelRequest()
                request.kind = "mail"
                request.readers = try await planner.readers(who: who, circle: circle)
                request.target = address
                _ = try await planner.addChannel(request)
            }
            try await site.create("Lunch", with: ["chess"])
            try await site.deliver()
            let mails = Dictionary(
                server.mails.map {
                    ($0.firstMatch(of: /To: .*?([\w.]+@[\w.]+)/).map { String($0.1) } ?? "", $0)
                },
                uniquingKeysWith: { $1 })
            #expect(Set(mails.keys) == ["anna@work.example", "chess@lists.example"])
            #expect(mails["anna@work.example"]?.contains("text/calendar") == true)
            #expect(mails["chess@lists.example"]?.contains("text/calendar") == false)
            #expect(mails["chess@lists.example"]?.contains("Reply-To") == false)
            try await site.checkLedger()
        }
    }

    @Test func `A sample carries the name of its receiver only to their own address`()
        async throws
    {
        try await withTemporaryHome { world in
            let server = try FakeSMTPServer { _ in nil }
            defer { server.stop() }
            let planner = try await world.planner(environment: [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:\(server.port)",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ])
            let (owner, address) = (planner.owner.name, planner.owner.address)
            for to in [nil, address, "anna@example.org"] {
                _ = try await planner.testSink("mail", to: to) { _ in }
            }
            let receivers = server.mails.compactMap { mail in
                mail.split(whereSeparator: \.isNewline).first { $0.hasPrefix("To: ") }
            }
            let own = "To: \(owner) <\(address)>"
            #expect(receivers == [own[...], own[...], "To: anna@example.org"])
        }
    }

    @Test func `The sample of standard output is a part of the conversation`() async throws {
        try await withTemporaryHome { world in
            let report = try await world.planner().testSink("stdout", to: nil) { _ in }
            #expect(report.isAccepted)
            #expect(report.dialogue.allSatisfy { $0.from == "letsmeet" })
            #expect(report.dialogue.map(\.text).joined().contains("Test message from letsmeet"))
        }
    }

    @Test func `A failing channel shows the reason until it delivers again`() async throws {
        let status = FakeStatus(500)
        try await withSite({ _ in FakeAnswer(status.value, body: Array("down".utf8)) }) { site in
            try await site.add("webhook", "/room")
            try await site.create("Lunch", with: ["anna@example.org"])
            try await site.deliver()
            let troubled = try await site.planner.channelViews().compactMap(\.trouble)
            #expect(troubled.map(\.reason) == ["answered 500: down"])
            status.value = 200
            site.world.clock.advance(bySeconds: 10)
            try await site.deliver()
            #expect(try await site.planner.channelViews().compactMap(\.trouble).isEmpty)
            try await site.checkLedger()
        }
    }

    @Test func `A merged person keeps their channels, and an erased person has none`()
        async throws
    {
        try await withSite { site in
            try await site.person("Anna", "a@example.org")
            try await site.person("Annie", "b@example.org")
            try await site.add("ntfy", "/topic", who: "Anna")
            try await site.create("Lunch", with: ["Anna"])
            _ = try await site.planner.mergePeople("Annie", "Anna")
            try await site.checkLedger()
            try await site.deliver()
            #expect(site.server.requests.count == 1)
            #expect(try await site.planner.channelViews().last?.owner == "Annie")
            _ = try await site.planner.erasePerson("Annie")
            #expect(try await site.planner.channelViews().map(\.name) == ["stdout", "page"])
            try await site.checkLedger()
        }
    }
}

/// The status code of a server's answers; a test can change it.
private final class FakeStatus: Sendable {
    private let status: Mutex<Int>

    init(_ status: Int) {
        self.status = Mutex(status)
    }

    var value: Int {
        get { status.withLock(\.self) }
        set { status.withLock { $0 = newValue } }
    }
}
