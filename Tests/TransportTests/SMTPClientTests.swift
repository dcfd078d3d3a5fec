import Foundation
import Synchronization
import TestKit
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct SMTPClientTests {
    private static func client(
        _ server: FakeSMTPServer, connectionsMax: Int = 1, user: String? = nil,
        encryption: SMTPServer.Encryption = .none,
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) throws -> SMTPClient {
        try SMTPClient(
            server: SMTPServer(
                host: "127.0.0.1", port: server.port, encryption: encryption, user: user,
                password: "hush"),
            connectionsMax: connectionsMax, uptime: uptime)
    }

    private static func message(
        _ number: Int = 0, to receiver: String = "anna@example.org", needsUTF8: Bool = false
    ) -> SMTPMessage {
        SMTPMessage(
            sender: "letsmeet@example.org", receiver: receiver,
            octets: Array("Subject: \(number)\r\n\r\n.hidden\r\n..\r\n.\r\nend\r\n".utf8),
            needsUTF8: needsUTF8)
    }

    @Test func `A mail arrives unchanged, and the connection is reused for the next`()
        async throws
    {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        let client = try Self.client(server)
        for number in 0..<3 {
            let outcome = await client.send(Self.message(number))
            #expect(outcome == .accepted(SMTPReply(code: 250, text: "2.0.0 queued as 7F00A")))
        }
        #expect(
            server.mails == (0..<3).map { "Subject: \($0)\r\n\r\n.hidden\r\n..\r\n.\r\nend\r\n" })
        #expect(server.connectionsCount == 1)
        #expect(server.commands.filter { $0.hasPrefix("EHLO") } == ["EHLO localhost"])
        #expect(server.commands.contains("RCPT TO:<anna@example.org>"))
        client.close()
    }

    @Test func `Mails use at most the maximum number of connections`() async throws {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        let client = try Self.client(server, connectionsMax: 4)
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    if case .accepted = await client.send(Self.message(number)) {
                        true
                    } else {
                        false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == 200)
        #expect(Set(server.mails).count == 200)
        #expect((1...4).contains(server.connectionsCount))
    }

    @Test func `A mail that is no longer wanted when its turn comes is not sent`() async throws {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        let client = try Self.client(server)
        let asked = Mutex(0)
        let late = SMTPMessage(
            sender: "letsmeet@example.org", receiver: "ben@example.org", octets: Array("x".utf8)
        ) {
            asked.withLock { $0 += 1 }
            return false
        }
        async let first = client.send(Self.message(1))
        async let second = client.send(late)
        guard case .accepted = await first else { return #expect(Bool(false)) }
        #expect(await second == .unwanted)
        #expect(asked.withLock(\.self) == 1)
        #expect(server.mails.count == 1)
        guard case .accepted = await client.send(Self.message(2)) else {
            return #expect(Bool(false))
        }
        #expect(server.connectionsCount == 1)
    }

    @Test func `A refusal is reported before the next mail is asked whether it is wanted`()
        async throws
    {
        let server = try FakeSMTPServer { $0.verb == "RCPT" ? .say("451 4.3.0 sick") : nil }
        defer { server.stop() }
        let client = try Self.client(server)
        let isSick = Mutex(false)
        let outcomes = await withTaskGroup(of: SMTPOutcome.self) { group in
            for _ in 0..<3 {
                let message = SMTPMessage(
                    sender: "letsmeet@example.org", receiver: "ben@example.org",
                    octets: Array("x".utf8)
                ) {
                    !isSick.withLock(\.self)
                } onEnd: { outcome in
                    if outcome != .unwanted { isSick.withLock { $0 = true } }
                }
                group.addTask { await client.send(message) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .unwanted } == 2)
        #expect(server.commands.count { $0.hasPrefix("RCPT") } == 1)
    }

    /// The reply of the server at a step, and its meaning.
    @Test(arguments: [
        ("CONNECT", "554 no", SMTPOutcome.refused(.greeting, SMTPReply(code: 554, text: "no"))),
        ("CONNECT", "421 later", .refused(.greeting, SMTPReply(code: 421, text: "later"))),
        (
            "MAIL", "550 5.7.1 not you",
            .refused(.sender, SMTPReply(code: 550, text: "5.7.1 not you"))
        ),
        (
            "RCPT", "550-5.1.1 no such\r\n550 5.1.1 user",
            .refused(.receiver, SMTPReply(code: 550, text: "5.1.1 no such\n5.1.1 user"))
        ),
        ("RCPT", "451 4.7.1 grey", .refused(.receiver, SMTPReply(code: 451, text: "4.7.1 grey"))),
        ("DATA", "554 5.5.1 no", .refused(.content, SMTPReply(code: 554, text: "5.5.1 no"))),
        (".", "552 5.3.4 big", .refused(.content, SMTPReply(code: 552, text: "5.3.4 big"))),
        (".", "451 4.3.0 full", .refused(.content, SMTPReply(code: 451, text: "4.3.0 full"))),
    ])
    func `A refusal names its stage`(verb: String, words: String, outcome: SMTPOutcome)
        async throws
    {
        let server = try FakeSMTPServer { $0.verb == verb ? .say(words) : nil }
        defer { server.stop() }
        let client = try Self.client(server)
        let seen = await client.send(Self.message())
        #expect(seen == outcome)
        #expect(server.mails.isEmpty)
    }

    @Test(arguments: [
        ("CONNECT", SMTPOutcome.Stage.greeting), ("EHLO", .greeting), ("MAIL", .greeting),
        ("RCPT", .greeting), ("DATA", .greeting), (".", .content),
    ])
    func `A closed connection is ambiguous only after the server asked for the mail`(
        verb: String, stage: SMTPOutcome.Stage
    ) async throws {
        let server = try FakeSMTPServer { $0.verb == verb ? .hangUp : nil }
        defer { server.stop() }
        let outcome = try await Self.client(server).send(Self.message())
        guard case .broken(let where_, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(where_ == stage)
    }

    @Test func `After any failure the next mail uses another connection`() async throws {
        let server = try FakeSMTPServer { step in
            step.verb == "RCPT" && step.line.contains("bad@") ? .say("550 5.1.1 who") : nil
        }
        defer { server.stop() }
        let client = try Self.client(server)
        let first = await client.send(Self.message(1))
        let second = await client.send(Self.message(2, to: "bad@example.org"))
        let third = await client.send(Self.message(3))
        for outcome in [first, third] {
            #expect(outcome == .accepted(SMTPReply(code: 250, text: "2.0.0 queued as 7F00A")))
        }
        #expect(second == .refused(.receiver, SMTPReply(code: 550, text: "5.1.1 who")))
        #expect(server.connectionsCount == 2)
    }

    @Test func `A server that is down and an unknown host name are reported`() async throws {
        let server = try FakeSMTPServer()
        let port = server.port
        server.stop()
        while !RawConnection.isRefused(port: port) { await Task.yield() }
        let nobody = try await Self.client(server).send(Self.message())
        #expect(nobody == .broken(.greeting, .couldNotConnect(host: "127.0.0.1", port: port)))
        let lost = try SMTPClient(
            server: SMTPServer(host: "none.invalid", port: 25, encryption: .none),
            connectionsMax: 1, uptime: { .zero })
        let outcome = await lost.send(Self.message())
        #expect(outcome == .broken(.greeting, .couldNotResolve(host: "none.invalid")))
    }

    @Test func `Nothing is sent without the required encryption`() async throws {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        let outcome = try await Self.client(server, encryption: .startTLS).send(Self.message())
        #expect(
            outcome == .broken(.encryption, .tlsFailed("the server does not offer STARTTLS")))
        #expect(!server.commands.contains { $0.hasPrefix("MAIL") })
    }

    @Test(arguments: ["PLAIN", "LOGIN"])
    func `The client logs in with the supported methods and reports a failure`(way: String)
        async throws
    {
        let isRefused = Mutex(false)
        let server = try FakeSMTPServer { step in
            switch step.verb {
            case "EHLO": .say("250-fake\r\n250 AUTH CRAM-MD5 \(way)")
            case "AUTH": .say("334 VXNlcm5hbWU6")
            // The user name "anna", for servers that ask for the password separately.
            case "YW5UYQ==", "YW5UYQ": .say("334 UGFzc3dvcmQ6")
            case let verb where verb.hasSuffix("=") || verb == "AGFUBMEAAHVZAA":
                isRefused.withLock(\.self) ? .say("535 5.7.8 no") : .say("235 2.7.0 welcome")
            default: nil
            }
        }
        defer { server.stop() }
        let outcome = try await Self.client(server, user: "anna").send(Self.message())
        #expect(outcome == .accepted(SMTPReply(code: 250, text: "2.0.0 queued as 7F00A")))
        #expect(server.commands.contains { $0.hasPrefix("AUTH \(way)") })
        isRefused.withLock { $0 = true }
        let refused = try await Self.client(server, user: "anna").send(Self.message())
        #expect(refused == .refused(.login, SMTPReply(code: 535, text: "5.7.8 no")))
    }

    @Test func `A mail cancelled after it was sent is ambiguous`() async throws {
        let isAllHere = Mutex(false)
        let server = try FakeSMTPServer { step in
            guard step.verb == "." else { return nil }
            isAllHere.withLock { $0 = true }
            return .silence
        }
        defer { server.stop() }
        // The clock stands still until the mail is cancelled.
        let clock = Mutex((now: Duration.zero, step: Duration.zero))
        let client = try Self.client(server) {
            clock.withLock { clock in
                clock.now += clock.step
                return clock.now
            }
        }
        let task = Task { await client.send(Self.message()) }
        while !isAllHere.withLock(\.self) { await Task.yield() }
        clock.withLock { $0.step = .seconds(15) }
        task.cancel()
        let outcome = await task.value
        #expect(outcome == .broken(.content, .cancelled))
    }

    @Test func `The client waits for the reply to a cancelled mail that was fully sent`()
        async throws
    {
        let isGiven = Mutex(false)
        let isCancelled = Mutex(false)
        let server = try FakeSMTPServer { step in
            guard step.verb == "." else { return nil }
            isGiven.withLock { $0 = true }
            while !isCancelled.withLock(\.self) {}
            return nil
        }
        defer { server.stop() }
        let client = try Self.client(server)
        let task = Task { await client.send(Self.message()) }
        // The server is about to accept the mail only after it received all of it.
        while !isGiven.withLock(\.self) { await Task.yield() }
        task.cancel()
        isCancelled.withLock { $0 = true }
        let outcome = await task.value
        #expect(outcome == .accepted(SMTPReply(code: 250, text: "2.0.0 queued as 7F00A")))
    }

    @Test func `Any reply 2xx accepts a mail, and the next mail uses another connection`()
        async throws
    {
        let server = try FakeSMTPServer { $0.verb == "." ? .say("251 2.0.0 fine") : nil }
        defer { server.stop() }
        let client = try Self.client(server)
        for number in 0..<2 {
            let outcome = await client.send(Self.message(number))
            #expect(outcome == .accepted(SMTPReply(code: 251, text: "2.0.0 fine")))
        }
        #expect(server.connectionsCount == 2)
    }

    @Test(arguments: ["250 fake", "250-fake\r\n250 AUTH CRAM-MD5 XOAUTH2"])
    func `A server that offers no supported login gets no mail`(_ greeting: String) async throws {
        let server = try FakeSMTPServer { $0.verb == "EHLO" ? .say(greeting) : nil }
        defer { server.stop() }
        let outcome = try await Self.client(server, user: "anna").send(Self.message())
        guard case .broken(.login, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(server.mails.isEmpty)
    }

    @Test func `A refusal that was followed by a success is not reported`() async throws {
        let server = try FakeSMTPServer { step in
            switch step.verb {
            case "EHLO": .say("502 5.5.1 no")
            case "MAIL": .hangUp
            default: nil
            }
        }
        defer { server.stop() }
        let outcome = try await Self.client(server).send(Self.message())
        guard case .broken(.greeting, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `A temporary refusal of STARTTLS is reported as a refusal`() async throws {
        let server = try FakeSMTPServer { step in
            switch step.verb {
            case "EHLO": .say("250-fake\r\n250 STARTTLS")
            case "STARTTLS": .say("454 4.7.0 later")
            default: nil
            }
        }
        defer { server.stop() }
        let outcome = try await Self.client(server, encryption: .startTLS).send(Self.message())
        #expect(outcome == .refused(.encryption, SMTPReply(code: 454, text: "4.7.0 later")))
    }

    @Test func `A non-ASCII address is sent only to a server with SMTPUTF8`() async throws {
        for offers in [true, false] {
            let server = try FakeSMTPServer { step in
                step.verb == "EHLO" && !offers ? .say("250 fake") : nil
            }
            defer { server.stop() }
            let outcome = try await Self.client(server).send(
                Self.message(to: "änna@example.org", needsUTF8: true))
            let isAccepted = if case .accepted = outcome { true } else { false }
            #expect(isAccepted == offers)
            #expect(offers || outcome == .noUTF8)
            #expect(server.mails.count == (offers ? 1 : 0))
        }
    }

    @Test(arguments: [
        "anna@example.org>\r\nRCPT TO:<ben@example.org", "anna@example.org\n", "a b@example.org",
        "anna@example.org>", "\0@example.org",
    ])
    func `An address that would add an SMTP command is not sent`(receiver: String) async throws {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        let outcome = try await Self.client(server).send(Self.message(to: receiver))
        guard case .refused(.receiver, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(server.commands.isEmpty)
    }
}
