import Foundation
import TestKit
import Testing

/// Invitations by mail, from the command line to the server.
@Suite(.timeLimit(.minutes(5))) struct MailTests {
    private static func settings(_ server: FakeSMTPServer) -> [String: String] {
        [
            "LETSMEET_SMTP_URL": "smtp://127.0.0.1:\(server.port)",
            "LETSMEET_MAIL_FROM": "olga@example.org",
        ]
    }

    private func withLunch(
        _ server: FakeSMTPServer,
        _ body: (_ letsmeet: Program, _ letsmeetd: Program) async throws
            -> Void
    ) async throws {
        try await withFolderOnDisk { folder in
            let settings = Self.settings(server)
            let letsmeet = Program("letsmeet", home: folder + "/home", settings: settings)
            let made = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-02T12:00", "--json")
            #expect(made.status == 0, "\(made.errors)")
            try await body(
                letsmeet, Program("letsmeetd", home: folder + "/home", settings: settings))
        }
    }

    private func identity(_ mail: String, _ field: String) throws -> String {
        let line = try Regex("\(field): <([^>]*)>\\r\\n", as: (Substring, Substring).self)
        return try String(#require(mail.firstMatch(of: line)).output.1)
    }

    @Test func `Each mail has the identity from the ledger and replies to the invitation`()
        async throws
    {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        try await withLunch(server) { letsmeet, letsmeetd in
            #expect(try await letsmeetd.run("once").status == 0)
            _ = try await letsmeet.run("meeting", "move", "lunch", "2099-01-02T13:00", "--yes")
            #expect(try await letsmeetd.run("once").status == 0)
            let (first, second) = try (
                #require(server.mails.first), #require(server.mails.dropFirst().first)
            )
            #expect(first.contains("\r\nSubject: Invitation: Lunch\r\n"))
            #expect(second.contains("\r\nSubject: Changed: Lunch\r\n"))
            #expect(!first.contains("In-Reply-To"))
            let root = try identity(first, "Message-ID")
            #expect(try identity(second, "In-Reply-To") == root)
            #expect(try identity(second, "References") == root)
            let ledger = try await letsmeet.run("ledger", "list", "--state", "accepted", "--json")
            let rows = try #require(ledger.json["deliveries"] as? [[String: Any]])
            #expect(rows.count == 2)
            #expect(rows.allSatisfy { $0["channel"] as? String == "mail" })
            #expect(rows.allSatisfy { $0["address"] as? String == "anna@example.org" })
            let identities = rows.compactMap { $0["identity"] as? String }
            #expect(try Set(identities) == [root, identity(second, "Message-ID")])
            let attempt = (rows[0]["attempts"] as? [[String: Any]])?.first
            #expect(attempt?["code"] as? String == "250")
            #expect(attempt?["reply"] as? String == "2.0.0 queued as 7F00A")
        }
    }

    /// The calendar objects of a mail: the inline part that programs answer, and the attached file.
    private func calendars(_ mail: String) -> [String] {
        mail.components(separatedBy: "base64\r\n\r\n").dropFirst().compactMap { part in
            let lines = part.components(separatedBy: "\r\n").prefix { !$0.hasPrefix("--") }
            return Data(base64Encoded: lines.joined()).map {
                String(decoding: $0, as: UTF8.self).replacing("\r\n ", with: "")
            }
        }
    }

    @Test func `A calendar follows a meeting: invited, moved, removed, invited again, cancelled`()
        async throws
    {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        try await withLunch(server) { letsmeet, letsmeetd in
            let steps = [
                [], ["meeting", "move", "lunch", "2099-01-02T13:00"],
                ["meeting", "uninvite", "lunch", "anna@example.org"],
                ["meeting", "invite", "lunch", "anna@example.org"], ["meeting", "cancel", "lunch"],
            ]
            for step in steps {
                if !step.isEmpty {
                    let done = try await letsmeet.run(step + ["--yes"])
                    #expect(done.status == 0, "\(done.errors)")
                }
                _ = try await letsmeetd.run("once")
            }
            #expect(server.mails.count == 5)
            let told = try server.mails.map { mail in
                let objects = calendars(mail)
                #expect(objects.count == 2 && objects[0] == objects[1])
                #expect(mail.contains("\r\nContent-Type: text/calendar; charset=utf-8; method="))
                let object = try #require(objects.first)
                let method = object.firstMatch(of: /METHOD:(\w+)/).map { String($0.1) } ?? ""
                #expect(mail.contains("method=\(method)\r\n"))
                #expect(object.contains("ORGANIZER;CN="))
                #expect(object.contains(":mailto:olga@example.org\r\n"))
                #expect(object.matches(of: /mailto:anna@example.org\r\n/).count == 1)
                let number = object.firstMatch(of: /SEQUENCE:(\d+)/).map { String($0.1) } ?? "none"
                return "\(method) \(number)\(object.contains("STATUS:CANCELLED") ? " off" : "")"
            }
            #expect(
                told == ["REQUEST 0", "REQUEST 1", "CANCEL 2", "REQUEST 3", "CANCEL 4 off"])
            let uids = server.mails.flatMap(calendars).compactMap {
                $0.firstMatch(of: /UID:(.*)\r\n/).map { String($0.1) }
            }
            #expect(Set(uids).count == 1)
        }
    }

    @Test func `A nonexistent address gets nothing more`() async throws {
        let server = try FakeSMTPServer { step in
            step.verb == "RCPT" ? .say("550 5.1.1 no such user here") : nil
        }
        defer { server.stop() }
        try await withLunch(server) { letsmeet, letsmeetd in
            let once = try await letsmeetd.run("once")
            #expect(once.status == 3)
            #expect(once.errors.contains("no such user here"), "\(once.errors)")
            _ = try await letsmeet.run("meeting", "move", "lunch", "2099-01-02T13:00", "--yes")
            let ledger = try await letsmeet.run("ledger", "list", "--json")
            let rows = try #require(ledger.json["deliveries"] as? [[String: Any]])
            let states = rows.map { "\($0["kind"] ?? "") \($0["state"] ?? "")" }
            #expect(
                states.contains("invitation failed") && states.contains("invitation suppressed"))
        }
    }

    @Test func `A server that requires a login makes no delivery fail for good`() async throws {
        let server = try FakeSMTPServer { step in
            step.verb == "MAIL" ? .say("530 5.7.0 log in first") : nil
        }
        defer { server.stop() }
        try await withLunch(server) { letsmeet, letsmeetd in
            let once = try await letsmeetd.run("once", "--json")
            #expect(once.status == 3)
            #expect(once.json["misconfigured"] as? Int == 1)
            let ledger = try await letsmeet.run("ledger", "list", "--state", "planned", "--json")
            let rows = try #require(ledger.json["deliveries"] as? [[String: Any]])
            let invitation = try #require(rows.first { $0["kind"] as? String == "invitation" })
            #expect((invitation["reason"] as? String)?.contains("log in first") == true)
        }
    }

    /// Invalid settings for mail, and the words in the message about them.
    @Test(arguments: [
        (["LETSMEET_SINKS": "mail"], "no mail server is set"),
        (["LETSMEET_SMTP_URL": "smtp://localhost"], "no sender address is set"),
        (["LETSMEET_SMTP_URL": "ftp://u:hush@h"], "LETSMEET_SMTP_URL: "),
        (
            [
                "LETSMEET_SMTP_URL": "smtp://localhost", "LETSMEET_MAIL_FROM": "o@example.org",
                "LETSMEET_SMTP_PASSWORD_FILE": "/nope/secret",
            ], "/nope/secret"
        ),
    ])
    func `A daemon that cannot send mail does not start, and gives the reason`(
        _ settings: [String: String], _ words: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeetd = Program("letsmeetd", home: folder + "/home", settings: settings)
            let run = try await letsmeetd.run("run")
            #expect(run.status == 2, "\(run.errors)")
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(!run.errors.contains("hush"), "\(run.errors)")
            let check = try await letsmeetd.run("check")
            #expect(check.status == 1, "\(check.output)")
        }
    }

    /// Folders that cannot be read: nothing listens at the first address, and the third is missing.
    @Test func `Fetching mail ends with status 3 if a folder cannot be read, else with 0`()
        async throws
    {
        let shut = try FakeIMAPServer { line in
            ["AUTHENTICATE", "LOGIN"].contains { line.contains($0) }
                ? "\(line.prefix { $0 != " " }) NO [AUTHENTICATIONFAILED] wrong password" : nil
        }
        defer { shut.stop() }
        let open = try FakeIMAPServer()
        defer { open.stop() }
        let missing = ["LETSMEET_MAILDIR": "/nonexistent"]
        func folder(_ port: Int) -> [String: String] {
            ["LETSMEET_IMAP_URL": "imap://olga:hush@127.0.0.1:\(port)"]
        }
        try await withFolderOnDisk { home in
            for (settings, status) in [
                (folder(1), 3), (folder(shut.port), 3), (missing, 3), (folder(open.port), 0),
                (folder(open.port).merging(missing) { $1 }, 3),
            ] as [([String: String], Int32)] {
                let letsmeet = Program("letsmeet", home: home + "/home", settings: settings)
                let run = try await letsmeet.run("mail", "fetch")
                #expect(run.status == status, "\(settings): \(run.output)\(run.errors)")
                // The report is printed in either case.
                #expect(run.output.hasPrefix("Checked 0 mails, processed 0."))
                let json = try await letsmeet.run("mail", "fetch", "--json")
                #expect(json.status == status)
                let problems = try #require(json.json["problems"] as? [String])
                #expect(problems.count == (status == 0 ? 0 : 1), "\(problems)")
                #expect(!(run.output + run.errors + json.output).contains("hush"))
            }
        }
    }

    @Test func `A time that a guest proposes is shown, refused and accepted`() async throws {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        try await withLunch(server) { letsmeet, letsmeetd in
            #expect(try await letsmeetd.run("once").status == 0)
            let id = try #require(
                try await letsmeet.run("meeting", "show", "lunch", "--json").json["id"] as? String)
            func propose(_ minute: Int) async throws {
                let mail = """
                    From: anna@example.org
                    Content-Type: text/calendar; method=COUNTER

                    BEGIN:VCALENDAR
                    METHOD:COUNTER
                    BEGIN:VEVENT
                    UID:\(id)@letsmeet
                    DTSTAMP:20261201T12\(minute)00Z
                    ATTENDEE;PARTSTAT=TENTATIVE:mailto:anna@example.org
                    DTSTART:20990103T120000Z
                    END:VEVENT
                    END:VCALENDAR
                    """
                let taken = try await letsmeet.run(
                    ["mail", "receive", "--now", "2026-12-01T12:\(minute)Z"], input: mail)
                #expect(
                    taken.output.hasPrefix("anna@example.org proposes another time (Lunch): "),
                    "\(taken.output)\(taken.errors)")
            }
            try await propose(10)
            let shown = try await letsmeet.run("meeting", "show", "lunch").output
            #expect(shown.contains("To accept it: letsmeet meeting accept \(id.prefix(6))\n"))
            let refused = try await letsmeet.run("meeting", "refuse", "lunch", "--yes")
            #expect(refused.output.contains("1 refusal to send"), "\(refused.output)")
            #expect(try await letsmeetd.run("once").status == 0)
            #expect(server.mails.contains { $0.contains("method=DECLINECOUNTER") })
            try await propose(20)
            let taken = try await letsmeet.run(
                "meeting", "accept", "lunch", "anna@example.org", "--yes")
            #expect(taken.output.contains("1 change to send"), "\(taken.output)")
            #expect(try await letsmeet.run("meeting", "accept", "lunch").status == 1)
        }
    }
}
