import Agenda
import Interchange
import Ledger
import Synchronization
import TestKit
import Testing
import Timekeeping
import Transport

import Sinks

/// A mail server with scripted behaviour, and a sink connected to it.
struct MailCounterpart: SinkCounterpart {
    let server: FakeSMTPServer
    let sink: any Sink

    init(from: String = "letsmeet@example.org", _ script: @escaping FakeSMTPServer.Script) throws {
        server = try FakeSMTPServer(script)
        sink = MailSink(
            client: try SMTPClient(
                server: SMTPServer(host: "127.0.0.1", port: server.port, encryption: .none),
                connectionsMax: 4, uptime: { .zero }), from: try Mailbox(from))
    }

    func arrivals() async throws -> [String] {
        server.mails.compactMap { mail in
            mail.firstMatch(of: /Message-ID: <([^>]*)>/).map { String($0.1) }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct MailSinkTests {
    private let many = (0..<40).map { OutgoingMessage.sample("id\($0)@letsmeet") }

    private func faults(
        when behaviour: SinkConformance.Behaviour, _ script: @escaping FakeSMTPServer.Script
    ) async throws -> [String] {
        let counterpart = try MailCounterpart(script)
        defer { counterpart.server.stop() }
        if case .isAway = behaviour { counterpart.server.stop() }
        return try await SinkConformance.faults(of: counterpart, when: behaviour, messages: many)
    }

    @Test func `Every behaviour of a server gets the right outcome`() async throws {
        #expect(try await faults(when: .answersWell) { _ in nil } == [])
        #expect(
            try await faults(when: .answersSlowly) { step in
                step.verb == "." ? .drip("250 2.0.0 queued") : nil
            } == [])
        for verb in ["CONNECT", "MAIL", "RCPT", "."] {
            let faults = try await faults(when: .answersWrongly) {
                $0.verb == verb ? .say("777 \u{0}\u{FF}???") : nil
            }
            #expect(faults == [], "\(verb)")
        }
        #expect(
            try await faults(when: .breaksOff) { $0.verb == "." ? .hangUp : nil } == [])
        #expect(
            try await faults(when: .refuses) {
                $0.verb == "RCPT" ? .say("450 4.2.0 greylisted") : nil
            } == [])
        #expect(try await faults(when: .isAway) { _ in nil } == [])
    }

    /// The reply of the server at a step, and the result of the delivery.
    @Test(arguments: [
        // The server as a whole.
        ("CONNECT", "421 4.3.2 later", AttemptOutcome.retry, "421", false, false),
        ("CONNECT", "554 5.7.1 go away", .misconfigured, "554", false, false),
        ("MAIL", "451 4.3.0 busy", .retry, "451", false, false),
        ("MAIL", "550 5.7.1 not you", .misconfigured, "550", false, false),
        ("MAIL", "530 5.7.0 log in first", .misconfigured, "530", false, false),
        ("MAIL", "552 5.3.4 too big", .permanent, "552", false, false),
        // This receiver, temporarily.
        ("RCPT", "450 4.2.0 Greylisted", .retry, "450", true, false),
        ("RCPT", "452 4.2.2 full", .retry, "452", true, false),
        ("RCPT", "552 5.2.2 over quota", .retry, "552", true, false),
        ("RCPT", "552 no room", .retry, "552", true, false),
        (
            "RCPT", "550 5.2.1 receiving mail at a rate that prevents delivery", .retry, "550",
            true, false
        ),
        ("MAIL", "552 message size exceeds limit", .permanent, "552", false, false),
        (".", "552 message size exceeds limit", .permanent, "552", false, false),
        ("RCPT", "421 4.7.0 too many", .retry, "421", false, false),
        ("RCPT", "451 4.4.1 no route", .retry, "451", false, false),
        // This address, permanently.
        ("RCPT", "550 5.1.1 no such user", .permanent, "550", false, true),
        (
            "RCPT", "550 5.1.1 <a@privaterelay.example> unable to relay: unknown", .permanent,
            "550",
            false, true
        ),
        ("RCPT", "553 5.1.3 bad syntax", .permanent, "553", false, true),
        ("RCPT", "550 5.1.10 null MX", .permanent, "550", false, true),
        ("RCPT", "550 5.2.1 disabled", .permanent, "550", false, true),
        (".", "550 5.1.1 no such user", .permanent, "550", false, true),
        ("RCPT", "550 Unknown user", .permanent, "550", false, true),
        ("RCPT", "550 5.5.0 mailbox unavailable", .permanent, "550", false, true),
        ("RCPT", "550 sorry, no such mailbox (#5.1.1)", .permanent, "550", false, true),
        (
            "RCPT", "550 5.4.1 Recipient address rejected: Access denied.", .permanent, "550",
            false, true
        ),
        // This mail, or an unknown cause.
        (
            "RCPT", "550 5.1.1 <a@example.org>: Sender address rejected: User unknown", .permanent,
            "550", false, false
        ),
        ("RCPT", "550 no", .permanent, "550", false, false),
        ("RCPT", "550 unknown user, blocked by policy", .permanent, "550", false, false),
        ("RCPT", "550 not listed in Domino Directory", .permanent, "550", false, true),
        ("RCPT", "550 5.5.4 bad parameter", .permanent, "550", false, false),
        ("RCPT", "550 5.7.1 <a@relaying.denied> policy", .permanent, "550", false, false),
        ("RCPT", "550 5.7.1 policy", .permanent, "550", false, false),
        ("DATA", "554 5.5.1 no", .permanent, "554", false, false),
        (".", "554 5.7.1 spam", .permanent, "554", false, false),
        (".", "552 5.3.4 too big", .permanent, "552", false, false),
        (".", "451 4.3.0 later", .retry, "451", false, false),
        // This installation.
        ("RCPT", "554 5.7.1 Relay access denied", .misconfigured, "554", false, false),
        ("RCPT", "550 relaying not permitted", .misconfigured, "550", false, false),
        ("RCPT", "553 5.1.8 sender's domain not found", .misconfigured, "553", false, false),
        ("RCPT", "553 5.1.7 bad sender", .misconfigured, "553", false, false),
        ("RCPT", "550 5.7.1 Sender not authorized", .misconfigured, "550", false, false),
        ("RCPT", "550 5.7.0 Authentication required", .misconfigured, "550", false, false),
        ("RCPT", "550 5.7.23 SPF validation failed", .misconfigured, "550", false, false),
        (".", "550 5.7.1 DMARC policy of the sender", .misconfigured, "550", false, false),
        (
            "RCPT", "554 5.7.1 Client host blocked using bl.example", .misconfigured, "554", false,
            false
        ),
        (".", "550 5.7.26 no SPF, no DKIM", .misconfigured, "550", false, false),
    ])
    func `A refusal is attributed to the server, the receiver, the mail or the installation`(
        _ verb: String, _ words: String, _ outcome: AttemptOutcome, _ code: String,
        _ isOfReceiver: Bool, _ isAddressBad: Bool
    ) async throws {
        let counterpart = try MailCounterpart { $0.verb == verb ? .say(words) : nil }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(.sample("id@letsmeet"))
        #expect(report.outcome == outcome)
        #expect(report.code == code)
        #expect(report.reply == words.dropFirst(4))
        #expect(report.concernsReceiverOnly == isOfReceiver)
        #expect(report.isAddressBad == isAddressBad)
    }

    @Test func `A relay refusal concerns only the receiver once the server has accepted mails`()
        async throws
    {
        let counterpart = try MailCounterpart {
            $0.verb == "RCPT" && $0.line.contains("ben@")
                ? .say("550 5.7.54 Unable to relay recipient") : nil
        }
        defer { counterpart.server.stop() }
        let ben = OutgoingMessage.sample("id1@letsmeet", address: "ben@ext.example")
        #expect(await counterpart.sink.deliver(ben).outcome == .misconfigured)
        #expect(await counterpart.sink.deliver(.sample("id2@letsmeet")).outcome == .accepted)
        let report = await counterpart.sink.deliver(ben)
        #expect(report.outcome == .retry)
        #expect(report.concernsReceiverOnly)
    }

    @Test func `A refused sender concerns one mail once the server has accepted mails`()
        async throws
    {
        let counterpart = try MailCounterpart {
            $0.verb == "RCPT" && $0.line.contains("ben@")
                ? .say("550 5.7.1 Sender not authorized for this group") : nil
        }
        defer { counterpart.server.stop() }
        #expect(await counterpart.sink.deliver(.sample("id1@letsmeet")).outcome == .accepted)
        let ben = OutgoingMessage.sample("id2@letsmeet", address: "ben@ext.example")
        let report = await counterpart.sink.deliver(ben)
        #expect(report.outcome == .retry && report.concernsReceiverOnly && !report.isAddressBad)
    }

    @Test(arguments: [
        ("450 4.2.0 Greylisted, come back", 300 as Int?), ("451 4.7.1 try in 90 seconds", 90),
        ("450 4.7.1 Please try again in 5 minutes", 300), ("451 4.7.1 policy", 300),
        ("452 4.2.2 full", nil), ("450 4.2.1 <9999s@a.org> busy", nil),
        ("450 4.2.1 mailbox busy", nil),
        ("451 4.7.1 greylisted for 60s", 60), ("421 4.7.0 wait 2 min", 120),
    ])
    func `A retry waits as long as the server asks`(
        _ words: String, _ seconds: Int?
    ) async throws {
        let counterpart = try MailCounterpart { $0.verb == "RCPT" ? .say(words) : nil }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(.sample("id@letsmeet"))
        #expect(report.retryAfterSeconds == seconds)
    }

    @Test func `A mail names the organizer, has the permitted sender and continues the thread`()
        async throws
    {
        let counterpart = try MailCounterpart { _ in nil }
        defer { counterpart.server.stop() }
        var outgoing = OutgoingMessage.sample("second@letsmeet", name: "Änna")
        outgoing.enclosure = Enclosure(root: "first@letsmeet", entry: nil)
        #expect(await counterpart.sink.deliver(outgoing).outcome == .accepted)
        let mail = try #require(counterpart.server.mails.first)
        for line in [
            "Date: Mon, 30 Nov 2026 00:53:21 +0000",
            "From: \"Olga Own (letsmeet)\" <letsmeet@example.org>",
            "Reply-To: Olga Own <olga@example.org>", "To: =?utf-8?q?=C3=84nna?= <anna@example.org>",
            "Subject: Lunch", "Message-ID: <second@letsmeet>", "In-Reply-To: <first@letsmeet>",
            "References: <first@letsmeet>", "Auto-Submitted: auto-generated",
        ] {
            #expect(mail.contains("\(line)\r\n"), "\(line)")
        }
        #expect(counterpart.server.commands.contains("MAIL FROM:<letsmeet@example.org>"))
    }

    @Test func `Names do not turn the text behind them`() async throws {
        let counterpart = try MailCounterpart { _ in nil }
        defer { counterpart.server.stop() }
        let outgoing = OutgoingMessage.sample(
            "turned@letsmeet", name: "Anna \u{202E}gro.evil",
            organizer: "Support \u{202E}moc.knab\u{2067}")
        #expect(await counterpart.sink.deliver(outgoing).outcome == .accepted)
        let mail = try #require(counterpart.server.mails.first)
        #expect(mail.contains("From: \"Support moc.knab (letsmeet)\" <letsmeet@example.org>\r\n"))
        #expect(mail.contains("Reply-To: \"Support moc.knab\" <olga@example.org>\r\n"))
        #expect(mail.contains("To: \"Anna gro.evil\" <"))
    }

    @Test func `A mail from the organizer's own address has no Reply-To`() async throws {
        let counterpart = try MailCounterpart(from: "Olga@Example.org") { _ in nil }
        defer { counterpart.server.stop() }
        _ = await counterpart.sink.deliver(.sample("id@letsmeet"))
        let mail = try #require(counterpart.server.mails.first)
        #expect(mail.contains("From: Olga Own <Olga@Example.org>\r\n"))
        #expect(!mail.contains("Reply-To"))
    }

    @Test func `A non-ASCII address of the organizer does not block the mail`() async throws {
        let counterpart = try MailCounterpart { step in
            step.verb == "EHLO" ? .say("250 plain") : nil
        }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(
            .sample("id@letsmeet", planner: "j\u{FC}rgen@example.org"))
        #expect(report.outcome == .accepted)
        let mail = try #require(counterpart.server.mails.first)
        #expect(mail.utf8.allSatisfy { $0 < 0x80 } && !mail.contains("Reply-To"))
    }

    @Test func `A mail interrupted by shutdown counts as not sent`() async throws {
        let counterpart = try MailCounterpart { $0.verb == "RCPT" ? .silence : nil }
        defer { counterpart.server.stop() }
        let delivery = Task { await counterpart.sink.deliver(.sample("id@letsmeet")) }
        while !counterpart.server.commands.contains(where: { $0.hasPrefix("RCPT") }) {
            await Task.yield()
        }
        delivery.cancel()
        let report = await delivery.value
        #expect(report.outcome == .retry && report.code == AttemptReport.shutdownCode)
        #expect(report.destinationHealth == .unknown)
    }

    @Test(arguments: ["anna@exa mple.org", "anna@b\u{E4}d..example", "anna"])
    func `An invalid address never reaches the server`(_ address: String) async throws {
        let counterpart = try MailCounterpart { _ in nil }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(.sample("id@letsmeet", address: address))
        #expect(report.outcome == .permanent && report.isAddressBad)
        #expect(counterpart.server.commands.isEmpty)
    }
}
