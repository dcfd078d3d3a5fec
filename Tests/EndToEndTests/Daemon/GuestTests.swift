import Foundation
import TestKit
import Testing

/// The way of an invitation and its answer: from the mail to the page and back to the organizer.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GuestTests {
    private static func settings(_ server: FakeSMTPServer) -> [String: String] {
        [
            "LETSMEET_SMTP_URL": "smtp://127.0.0.1:\(server.port)",
            "LETSMEET_MAIL_FROM": "olga@example.org",
            "LETSMEET_BASE_URL": "https://meet.example.org",
            "LETSMEET_LISTEN": "127.0.0.1:0",
        ]
    }

    /// The text of a mail with the quoted-printable encoding removed.
    private static func plain(_ mail: String) -> String {
        mail.replacing("=\r\n", with: "").replacing("=3D", with: "=")
    }

    private static func request(_ line: String, _ form: String? = nil) -> String {
        let length = form.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        return "\(line) HTTP/1.1\r\nHost: meet.example.org\r\nConnection: close\r\n\(length)\r\n"
            + (form ?? "")
    }

    /// A running daemon, its mail server, and a command line on the same home.
    private struct Site {
        let letsmeet: Program
        let server: FakeSMTPServer
        let daemon: RunningDaemon
        let port: Int

        init(_ folder: String, _ server: FakeSMTPServer) async throws {
            let settings = GuestTests.settings(server)
            letsmeet = Program("letsmeet", home: folder + "/home", settings: settings)
            self.server = server
            daemon = try await RunningDaemon(home: folder + "/home", settings: settings)
            let lines = await daemon.errors.wait { $0.contains { $0.contains("listening") } }
            port = try #require(
                lines.lazy.compactMap { $0.firstMatch(of: /127\.0\.0\.1:(\d+)/) }.first
                    .flatMap { Int($0.output.1) })
        }

        func ask(_ line: String, _ form: String? = nil) async throws -> String {
            try await RawConnection(port: port).ask(GuestTests.request(line, form))
        }

        /// The mail with this number, in the order in which mails went out.
        func mail(_ number: Int) async throws -> String {
            _ = await daemon.errors.wait { lines in
                lines.count { $0.contains("msg=delivered channel=mail") } >= number
            }
            return GuestTests.plain(try #require(server.mails.dropFirst(number - 1).first))
        }

        /// Ends the daemon, and checks that it logged no link.
        func end() async {
            daemon.send(SIGTERM)
            #expect(await daemon.end() == 0)
            let log = daemon.errors.lines.joined(separator: "\n")
            for mail in server.mails {
                for link in GuestTests.plain(mail).matches(of: /\/[gu]\/([a-z2-7]{32})/) {
                    #expect(!log.contains(link.output.1))
                }
            }
        }
    }

    private func withSite(_ body: (_ site: Site) async throws -> Void) async throws {
        let server = try FakeSMTPServer()
        defer { server.stop() }
        try await withFolderOnDisk { folder in
            let site = try await Site(folder, server)
            let made = try await site.letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-02T12:00", "--json")
            #expect(made.status == 0, "\(made.errors)")
            try await body(site)
            await site.end()
        }
    }

    @Test func `The link in a mail opens the page, and the answer reaches the organizer`()
        async throws
    {
        try await withSite { site in
            let mail = try await site.mail(1)
            let link = try #require(mail.firstMatch(of: /https:\/\/meet.example.org(\/g\/\S{32})/))
            let path = String(link.output.1)
            let page = try await site.ask("GET \(path)?answer=yes")
            #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("<h1>Lunch</h1>"))
            let said = try await site.ask("POST \(path)", "answer=yes&plus=1&note=Hello")
            #expect(said.hasPrefix("HTTP/1.1 303 "))
            let news = try await site.mail(2)
            #expect(news.contains("olga@example.org>\r\n"))
            #expect(news.contains("\r\nSubject: anna@example.org is coming: Lunch\r\n"))
            #expect(news.contains("anna@example.org is coming, plus one.\r\n> Hello"))
            let shown = try await site.letsmeet.run("meeting", "show", "lunch", "--json")
            let guests = try #require(shown.json["participants"] as? [[String: Any]])
            let anna = guests.first { $0["address"] as? String == "anna@example.org" }
            #expect(anna?["answer"] as? String == "going" && anna?["plus"] as? Int == 1)
            let renewed = try await site.letsmeet.run(
                "meeting", "link", "lunch", "--renew", "--json")
            let links = try #require(renewed.json["links"] as? [[String: Any]])
            let url = try #require(links.first?["url"] as? String)
            #expect(try await site.ask("GET \(path)").hasPrefix("HTTP/1.1 404 "))
            let new = url.replacing("https://meet.example.org", with: "")
            let after = try await site.ask("GET \(new)")
            #expect(after.contains("Your answer: <strong>Yes</strong>"))
        }
    }

    @Test func `A guest who lost the mail gets the link again, an unknown address gets nothing`()
        async throws
    {
        try await withSite { site in
            let first = try await site.mail(1)
            let answers = try await [
                site.ask("POST /g/links", "address=nobody%40example.org"),
                site.ask("POST /g/links", "address=anna%40example.org"),
                site.ask("POST /g/links", "address=anna%40example.org"),
            ].map { $0.replacing(/Date: .*\r\n/, with: "") }
            #expect(Set(answers).count == 1)
            let second = try await site.mail(2)
            #expect(second.contains("\r\nSubject: Your link to Lunch\r\n"))
            #expect(second.contains("\r\nIn-Reply-To: <"))
            let links = try [first, second].map {
                try #require($0.firstMatch(of: /https:\/\/meet.example.org\/g\/\S{32}/)).output
            }
            #expect(links[0] == links[1])
            let rows = try await site.letsmeet.run(
                "ledger", "list", "--state", "accepted", "--json")
            #expect((rows.json["deliveries"] as? [Any])?.count == 2)
        }
    }

    @Test func `One click stops reminders, and opening the page does not`() async throws {
        try await withFolderOnDisk { folder in
            let server = try FakeSMTPServer()
            defer { server.stop() }
            let settings = Self.settings(server)
            let letsmeet = Program("letsmeet", home: folder + "/home", settings: settings)
            let letsmeetd = Program("letsmeetd", home: folder + "/home", settings: settings)
            _ = try await letsmeet.run(
                "meeting", "new", "Lunch", "--with", "anna@example.org", "--start",
                "2099-01-02T12:00Z", "--remind", "1h", "--json")
            _ = try await letsmeetd.run("once")
            _ = try await letsmeetd.run("once", "--now", "2099-01-02T11:00:01Z")
            // The organizer is reminded, too.
            let reminder = Self.plain(
                try #require(server.mails.last { $0.contains("anna@example.org") }))
            #expect(
                reminder.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
            let header = /List-Unsubscribe:\s+<https:\/\/meet.example.org(\/u\/\S{32})>\r\n/
            let path = try #require(reminder.firstMatch(of: header)).output.1
            let site = try await Site(folder, server)
            func policy() async throws -> String {
                try await letsmeet.run("remind", "policy", "show", "--who", "anna@example.org")
                    .output
            }
            #expect(try await site.ask("GET \(path)").contains("Stop all reminders</button>"))
            #expect(try await policy().contains("reminders as each meeting sets them"))
            let stopped = try await site.ask("POST \(path)", "List-Unsubscribe=One-Click")
            #expect(stopped.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(try await policy().contains("no reminders"))
            _ = try await site.ask("POST \(path)", "want=yes")
            #expect(try await policy().contains("reminders as each meeting sets them"))
            await site.end()
        }
    }
}
