import Agenda
import Inbox
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

/// Bounces of mails to people and to a mailing list.
@Suite(.timeLimit(.minutes(5))) struct BounceReceivingTests {
    static let anna = "anna@example.org"
    private static let list = "club@lists.example"
    private static let reason = "bounced: 5.1.1 550 no such user"

    /// A lunch with Anna, about which a mailing list is also notified. Both got their invitation.
    struct Site {
        let world: TestWorld
        let planner: Planner
        let meeting: String

        /// The delivery of one kind to an address.
        func row(
            to address: String, of kind: NotificationKind = .invitation
        ) async throws -> DeliveryView {
            let rows = try await planner.ledger(states: [], meeting: meeting, limit: 99)
            return try #require(
                rows.first { $0.delivery.kind == kind && $0.delivery.address == address }
            ).delivery
        }

        /// Receives a report about the invitation, or another mail, that was sent to an address.
        func receiveBounce(
            ofMailTo address: String, of kind: NotificationKind = .invitation,
            about recipient: String? = nil, _ status: String = "5.1.1",
            action: String = "failed", words: String = "550 no such user",
            naming name: (DeliveryView) -> String = { "Message-ID: <\($0.identity)>" }
        ) async throws -> MailReceipt {
            let row = try await self.row(to: address, of: kind)
            let mail = """
                From: MAILER-DAEMON@mx.example
                Content-Type: multipart/report; report-type=delivery-status; boundary=B

                --B
                Content-Type: message/delivery-status

                Reporting-MTA: dns; mx.example

                Final-Recipient: rfc822; \(recipient ?? address)
                Action: \(action)
                Status: \(status)
                Diagnostic-Code: smtp; \(words)

                --B
                Content-Type: text/rfc822-headers

                \(name(row))
                --B--
                """
            return try await planner.receiveMail(Array(mail.utf8))
        }

        /// Sends what is due, and returns it as "kind address", sorted.
        func send() async throws -> [String] {
            let sink = ScriptedSink(name: "mail")
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            return sink.messages.map { "\($0.kind) \($0.address)" }.sorted()
        }

        /// Moves the meeting, and returns what is sent as "kind address", sorted.
        func move() async throws -> [String] {
            _ = try await planner.edit(meeting) { $0.start = "2026-12-05T13:00" }
            return try await send()
        }

        /// The reason why Anna is not reached; `nil` if she is.
        func unreached() async throws -> String? {
            try await planner.meeting(meeting).participants.first { $0.name == "Anna" }?.unreached
        }

        func suppressions() async throws -> [Suppression] {
            try await planner.store.suppressions(limit: 9)
        }
    }

    func withInvitations(_ body: (Site) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_SINKS": "mail",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ])
            try await planner.add("Anna", Self.anna)
            var request = ChannelRequest()
            request.kind = "mail"
            request.target = Self.list
            request.readers = try await planner.readers()
            _ = try await planner.addChannel(request)
            let meeting = try await planner.create(.lunch(with: "Anna")).meeting.id
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            world.clock.advance(bySeconds: 60)
            try await body(Site(world: world, planner: planner, meeting: meeting))
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test func `A bounce of a mail to a mailing list is recorded, and the list still gets mail`()
        async throws
    {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(ofMailTo: Self.list)
            #expect(receipt.outcome == .bounced && receipt.reason == Self.reason)
            #expect(receipt.person == Self.list)
            #expect(try await site.suppressions() == [])
            #expect(try await site.row(to: Self.list).state == .accepted)
            #expect(try await site.move() == Self.changes)
        }
    }

    /// The messages about a move to those who have their invitation.
    private static let changes = ["change \(anna)", "change \(list)"]

    @Test func `Only a mark that replies do not repeat stops an address by a member's meeting`()
        async throws
    {
        try await withInvitations { site in
            let settings = [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_SINKS": "mail",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ]
            try await site.planner.add("Ben", "ben@example.org")
            let ben = try await Planner(
                site.world.surroundings(environment: settings, actingAs: "Ben"))
            var dinner = MeetingRequest.lunch(with: Self.anna, start: "2026-12-06T19:00")
            dinner.title = "Dinner"
            let meeting = try await ben.create(dinner).meeting.id
            let sink = ScriptedSink(name: "mail")
            _ = try await site.world.engine(site.planner, sinks: [sink]).runOnce()
            site.world.clock.advance(bySeconds: 60)
            let sent = try #require(sink.messages.first { $0.address == Self.anna })
            #expect(sent.returnIdentity.hasSuffix("@letsmeet"))
            #expect(sent.returnIdentity != sent.identity)
            let own = Site(world: site.world, planner: site.planner, meeting: meeting)
            // Ben has seen the Message-ID if Anna has replied to him.
            let seen = try await own.receiveBounce(ofMailTo: Self.anna)
            #expect(seen.outcome == .bounced && seen.meeting == meeting)
            #expect(try await own.suppressions() == [])
            #expect(try await own.row(to: Self.anna).state == .accepted)
            let returned = try await own.receiveBounce(ofMailTo: Self.anna) { _ in
                "Message-ID: <\(sent.identity)>\nX-Letsmeet-Delivery: \(sent.returnIdentity)"
            }
            #expect(returned.outcome == .bounced)
            #expect(try await own.suppressions().map(\.address) == [Self.anna])
            #expect(try await own.row(to: Self.anna).state == .failed)
        }
    }

    @Test(arguments: ["reader@example.org", anna])
    func `A bounce of a mailing list about one of its readers changes nothing`(
        _ reader: String
    ) async throws {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(ofMailTo: Self.list, about: reader)
            #expect(receipt.outcome == .ignored)
            #expect(receipt.reason.contains("a reader of a mailing list"))
            #expect(try await site.suppressions() == [])
            #expect(try await site.move() == Self.changes)
        }
    }

    @Test(arguments: ["", "\nOriginal-Recipient: rfc822; \(anna)"])
    func `A mail that failed behind a forwarding address is shown, and mails still go there`(
        _ original: String
    ) async throws {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(
                ofMailTo: Self.anna, about: "anna@elsewhere.example\(original)")
            #expect(receipt.outcome == .bounced && receipt.person == Self.anna)
            #expect(receipt.reason == "\(Self.reason) (forwarded to anna@elsewhere.example)")
            #expect(try await site.suppressions() == [])
            #expect(try await site.unreached() == receipt.reason)
            // Others may read there, and get changes and cancellations.
            #expect(try await site.row(to: Self.anna).state == .accepted)
            #expect(try await site.move() == Self.changes)
            #expect(try await site.unreached() == nil)
        }
    }

    @Test(arguments: [
        ("5.1.1", true), ("5.1.2", true), ("5.1.3", true), ("5.1.6", true), ("5.1.10", true),
        ("5.2.1", true), ("5.0.0", true), ("5.1.0", false), ("5.1.8", false), ("5.2.2", false),
        ("5.2.3", false), ("5.7.1", false), ("4.1.1", false), ("", true),
    ])
    func `Only a status that says that the address does not exist suppresses it`(
        _ status: String, _ isSuppressed: Bool
    ) async throws {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(ofMailTo: Self.anna, status)
            #expect(receipt.outcome == .bounced)
            let entry = try await site.suppressions().first
            #expect((entry != nil) == isSuppressed)
            guard let entry else { return }
            let now = site.world.clock.now
            #expect(entry.channel == "mail" && entry.origin == .bounce && entry.since == now)
            #expect(entry.until == now.advanced(bySeconds: 30 * 86_400))
        }
    }

    @Test func `A domain that takes no mail suppresses the address`() async throws {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(
                ofMailTo: Self.anna, "5.1.0",
                words: "Domain example.org does not accept mail (nullMX)")
            #expect(receipt.outcome == .bounced)
            #expect(try await site.suppressions().map(\.address) == [Self.anna])
        }
    }

    @Test func `A new address of a person who has moved is no forward`() async throws {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(
                ofMailTo: Self.anna, about: "anna@new.example", "5.1.6",
                words: "551 5.1.6 User has moved")
            #expect(receipt.reason == "bounced: 5.1.6 551 5.1.6 User has moved")
        }
    }

    @Test(arguments: ["delayed", "delivered", "relayed"])
    func `A report about a mail that did not fail suppresses nothing`(
        _ action: String
    ) async throws {
        try await withInvitations { site in
            let receipt = try await site.receiveBounce(ofMailTo: Self.anna, action: action)
            #expect(receipt.outcome == (action == "delayed" ? .bounced : .ignored))
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: [Suppression.Origin.hand, .unsubscribed], [nil, "mail"] as [String?])
    func `A bounce does not replace what a person decided about the address`(
        _ origin: Suppression.Origin, _ channel: String?
    ) async throws {
        try await withInvitations { site in
            let now = site.world.clock.now
            let entry = Suppression(
                address: Self.anna, channel: channel, origin: origin, reason: "on leave",
                since: now, until: now.advanced(bySeconds: 3600))
            _ = try await site.planner.store.suppress(
                entry, now: now, saving: true,
                replanning: site.planner.replanning(because: "a test"))
            let receipt = try await site.receiveBounce(ofMailTo: Self.anna)
            #expect(receipt.outcome == .bounced && receipt.reason == Self.reason)
            #expect(try await site.suppressions() == [entry])
        }
    }

    @Test(arguments: [("stdout", 3600), ("mail", -60)] as [(String, Int64)])
    func `A decision about another channel, or one that has ended, keeps no bounce away`(
        _ channel: String, _ seconds: Int64
    ) async throws {
        try await withInvitations { site in
            let now = site.world.clock.now
            let entry = Suppression(
                address: Self.anna, channel: channel, origin: .hand, reason: "on leave",
                since: now.advanced(bySeconds: -120), until: now.advanced(bySeconds: seconds))
            _ = try await site.planner.store.suppress(
                entry, now: now, saving: true,
                replanning: site.planner.replanning(because: "a test"))
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            let bounced = try await site.suppressions().filter { $0.origin == .bounce }
            #expect(bounced.map(\.channel) == ["mail"])
        }
    }

    @Test func `A bounce replaces an earlier one of the same address`() async throws {
        try await withInvitations { site in
            let now = site.world.clock.now
            let earlier = Suppression(
                address: Self.anna, channel: "mail", origin: .bounce, reason: "an earlier bounce",
                since: now.advanced(bySeconds: -3600), until: now.advanced(bySeconds: 3600))
            _ = try await site.planner.store.suppress(
                earlier, now: now, saving: true,
                replanning: site.planner.replanning(because: "a test"))
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            let entries = try await site.suppressions()
            #expect(entries.map(\.reason) == [Self.reason])
            #expect(entries.first?.until == now.advanced(bySeconds: 30 * 86_400))
        }
    }
}
