import Ledger
import Notifications
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// One address of a person does not exist or is suppressed: the other addresses are used.
@Suite(.timeLimit(.minutes(5))) struct ListedAddressTests {
    private struct Site {
        let world: TestWorld
        let planner: Planner
        let server: FakeSMTPServer
        let environment: [String: String]

        func deliver() async throws {
            for _ in 0..<2 {
                let sinks = try world.surroundings(environment: environment).sinks()
                _ = try await world.engine(planner, sinks: sinks).runOnce()
                world.clock.advance(bySeconds: 60)
            }
        }

        func add(_ address: String, who: String? = nil) async throws {
            var request = ChannelRequest()
            request.kind = "mail"
            request.target = address
            request.readers = try await planner.readers(who: who)
            _ = try await planner.addChannel(request)
        }

        func move(to start: String) async throws {
            var edit = MeetingEdit()
            edit.start = start
            _ = try await planner.editMeeting("Lunch", edit, saving: true)
        }

        /// The number of mails accepted for an address.
        func taken(at address: String) -> Int {
            server.commands.count { $0 == "RCPT TO:<\(address)>" }
        }
    }

    /// An installation with Anna, whose mail server rejects addresses that begin with "gone".
    private func withSite(
        at address: String, _ body: (Site) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let server = try FakeSMTPServer {
                $0.verb == "RCPT" && $0.line.contains("<gone")
                    ? .say("550 5.1.1 no such user") : nil
            }
            defer { server.stop() }
            let environment = [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:\(server.port)",
                "LETSMEET_MAIL_FROM": "olga@example.org", "LETSMEET_SINKS": "mail",
            ]
            let planner = try await world.planner(environment: environment)
            var edit = ContactEdit()
            edit.name = "Anna"
            edit.emails = [address]
            _ = try await planner.addPerson(edit)
            try await body(
                Site(
                    world: world, planner: planner, server: server, environment: environment))
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private func lunch(_ site: Site) async throws {
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = ["Anna"]
        request.start = "2026-12-05T12:00"
        _ = try await site.planner.createMeeting(request, saving: true)
    }

    @Test func `After an address is replaced, a failed notification is sent to the new one`()
        async throws
    {
        try await withSite(at: "gone@example.org") { site in
            try await lunch(site)
            try await site.deliver()
            try await site.add("anna@good.example", who: "Anna")
            try await site.move(to: "2026-12-05T13:00")
            try await site.deliver()
            #expect(site.taken(at: "anna@good.example") == 1)
            let waiting = try await site.planner.outbox(kind: .reminder).rows.compactMap(
                \.to.address)
            #expect(Set(waiting) == ["anna@good.example", "olga@example.org"])
        }
    }

    @Test func `Mail that a channel's address rejects goes to the person's own address`()
        async throws
    {
        try await withSite(at: "anna@example.org") { site in
            try await site.add("gone@work.example", who: "Anna")
            try await lunch(site)
            try await site.deliver()
            #expect(site.taken(at: "anna@example.org") == 1)
            try await site.move(to: "2026-12-05T13:00")
            try await site.deliver()
            #expect(site.taken(at: "anna@example.org") == 2)
            #expect(site.taken(at: "gone@work.example") == 1)
            let waiting = try await site.planner.outbox(kind: .reminder).rows.compactMap(
                \.to.address)
            #expect(Set(waiting) == ["anna@example.org", "olga@example.org"])
        }
    }

    @Test func `A mailing list gets missed notifications when its suppression ends`() async throws {
        try await withSite(at: "anna@example.org") { site in
            try await site.add("club@lists.example")
            _ = try await site.planner.suppress(
                "club@lists.example", channel: nil, until: nil, reason: nil, saving: true)
            try await lunch(site)
            try await site.deliver()
            #expect(site.taken(at: "club@lists.example") == 0)
            _ = try await site.planner.unsuppress("club@lists.example", channel: nil, saving: true)
            try await site.deliver()
            #expect(site.taken(at: "club@lists.example") == 1)
        }
    }
}
