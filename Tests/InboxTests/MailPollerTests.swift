import Agenda
import Foundation
import Inbox
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

@Suite(.timeLimit(.minutes(5))) struct MailPollerTests {
    /// A reply from Anna's calendar program.
    private static func reply(_ id: String, _ word: String, minute: Int) -> [UInt8] {
        Array(
            """
            From: Anna <anna@example.org>\r
            Content-Type: text/calendar; method=REPLY; charset=utf-8\r
            \r
            BEGIN:VCALENDAR\r
            METHOD:REPLY\r
            BEGIN:VEVENT\r
            UID:\(id)@letsmeet\r
            SEQUENCE:0\r
            DTSTAMP:20261201T12\(minute)00Z\r
            ATTENDEE;PARTSTAT=\(word):mailto:anna@example.org\r
            END:VEVENT\r
            END:VCALENDAR\r

            """.utf8)
    }

    private func withLunch(
        _ environment: [String: String], _ body: (Planner, String) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let mail = [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ]
            let planner = try await world.planner(
                environment: mail.merging(environment) { $1 })
            try await planner.add("Anna", "anna@example.org")
            try await body(planner, try await planner.create(.lunch(with: "Anna")).meeting.id)
        }
    }

    private func answer(_ planner: Planner, _ id: String) async throws -> Answer? {
        try await planner.meeting(id).participants.first { $0.name == "Anna" }?.answer
    }

    @Test func `A folder on a server is read once, and processed mails are marked as read`()
        async throws
    {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        let url = "imap://olga:hush@127.0.0.1:\(server.port)/INBOX"
        try await withLunch(["LETSMEET_IMAP_URL": url]) { planner, id in
            server.put("Subject: Hello\r\n\r\nNone of yours.\r\n".utf8)
            server.put(Self.reply(id, "ACCEPTED", minute: 10))
            let round = try await planner.fetchMail()
            #expect(round.folders == ["olga@127.0.0.1:\(server.port)/INBOX"])
            #expect(round.looked == 2 && round.taken.map(\.answer) == [.going])
            #expect(server.seen == [2])
            #expect(try await answer(planner, id) == .going)
            // The position is saved in the home, so that other programs know it, too.
            #expect(try await planner.fetchMail().looked == 0)
            server.renumber()
            server.put(Self.reply(id, "DECLINED", minute: 20))
            let again = try await planner.fetchMail()
            #expect(again.looked == 3 && again.taken.map(\.answer) == [.declined])
            #expect(try await planner.fetchMail().looked == 0)
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A mail that counted before a crash is marked as read, and does not count again`()
        async throws
    {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        let url = "imap://olga:hush@127.0.0.1:\(server.port)/INBOX"
        try await withLunch(["LETSMEET_IMAP_URL": url]) { planner, id in
            let reply = Self.reply(id, "ACCEPTED", minute: 10)
            #expect(try await planner.receiveMail(reply, isKept: true).outcome == .answered)
            server.put(reply)
            let round = try await planner.fetchMail()
            #expect(round.looked == 1 && round.taken.isEmpty && round.ignored.isEmpty)
            #expect(server.seen == [1])
        }
    }

    @Test func `More mails than one round reads are read in several rounds`() async throws {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        try await withLunch(["LETSMEET_IMAP_URL": "imap://127.0.0.1:\(server.port)"]) {
            planner, id in
            for _ in 0..<80 { server.put("Subject: Hello\r\n\r\n".utf8) }
            server.put(Self.reply(id, "TENTATIVE", minute: 10))
            let first = try await planner.fetchMail(countMax: 40)
            #expect(first.looked == 64 && first.taken.isEmpty)
            #expect(
                first.remarks.map(\.text) == ["There are more mails. To read them, fetch again."])
            let second = try await planner.fetchMail()
            #expect(second.looked == 17 && second.taken.map(\.answer) == [.maybe])
            #expect(second.remarks.isEmpty)
        }
    }

    @Test func `Each file of a Maildir is read once`() async throws {
        try await withMaildir { folder in
            try await withLunch(["LETSMEET_MAILDIR": folder]) { planner, id in
                try put(Array("Subject: Hello\r\n\r\n".utf8), "\(folder)/new/1.a", planner)
                try put(Self.reply(id, "ACCEPTED", minute: 10), "\(folder)/cur/2.b:2,", planner)
                let poller = MailPoller()
                #expect(try await poller.look(planner).looked == 2)
                #expect(try await poller.look(planner).looked == 0)
                #expect(try await answer(planner, id) == .going)
                let names = try ["new", "cur"].flatMap {
                    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\($0)")
                }
                #expect(names == ["1.a", "2.b:2,S"])
            }
        }
    }

    @Test func `Of two answers of the same time, each counts once, and the later arrival holds`()
        async throws
    {
        try await withMaildir { folder in
            try await withLunch(["LETSMEET_MAILDIR": folder]) { planner, id in
                try put(Self.reply(id, "ACCEPTED", minute: 10), "\(folder)/new/200.a", planner)
                #expect(try await planner.fetchMail().taken.map(\.answer) == [.going])
                try put(Self.reply(id, "DECLINED", minute: 10), "\(folder)/new/100.b", planner)
                #expect(try await planner.fetchMail().taken.map(\.answer) == [.declined])
                for _ in 1...2 { #expect(try await planner.fetchMail().taken.isEmpty) }
                #expect(try await answer(planner, id) == .declined)
            }
        }
    }

    @Test func `A misconfigured folder is reported without its password`() async throws {
        for environment in [
            ["LETSMEET_IMAP_URL": "imap://olga:hush@127.0.0.1:1"],
            ["LETSMEET_MAILDIR": "/nonexistent"], ["LETSMEET_IMAP_URL": "pop://olga:hush@h"],
            ["LETSMEET_IMAP_URL_FILE": "/nonexistent"],
        ] {
            try await withLunch(environment) { planner, _ in
                let round = try await planner.fetchMail()
                #expect(round.problems.count == 1 && round.looked == 0, "\(environment)")
                #expect(!round.problems.joined().contains("hush"))
            }
        }
        try await withLunch([:]) { planner, _ in
            let refusal = await #expect(throws: Refusal.self) {
                _ = try await planner.fetchMail()
            }
            #expect(refusal?.code == "no_mail_folder")
        }
    }

    @Test func `If one folder cannot be read, the other one is still read`() async throws {
        try await withMaildir { folder in
            let environment = [
                "LETSMEET_IMAP_URL": "imap://olga:hush@127.0.0.1:1", "LETSMEET_MAILDIR": folder,
            ]
            try await withLunch(environment) { planner, id in
                try put(Self.reply(id, "ACCEPTED", minute: 10), "\(folder)/new/1.a", planner)
                let round = try await planner.fetchMail()
                #expect(round.problems.count == 1 && round.taken.map(\.answer) == [.going])
            }
        }
    }

    @Test func `A mail that is read again changes nothing`() async throws {
        try await withMaildir { folder in
            try await withLunch(["LETSMEET_MAILDIR": folder]) { planner, id in
                try put(Self.reply(id, "ACCEPTED", minute: 10), "\(folder)/new/2.b", planner)
                #expect(try await planner.fetchMail().taken.count == 1)
                let again = try await planner.fetchMail()
                #expect(again.looked == 1 && again.taken.isEmpty)
            }
        }
    }

    @Test func `A mail without a date is ignored in a folder, but not from standard input`()
        async throws
    {
        try await withMaildir { folder in
            try await withLunch(["LETSMEET_MAILDIR": folder]) { planner, id in
                let words = "From: anna@example.org\r\nSubject: Yes: Lunch [\(id)]\r\n\r\nIch\r\n"
                try put(Array(words.utf8), "\(folder)/new/1.a", planner)
                #expect(try await planner.fetchMail().taken.isEmpty)
                #expect(try await planner.receiveMail(Array(words.utf8)).outcome == .answered)
            }
        }
    }

    /// A mail with a part, and an attachment that makes it too large.
    private static func large(_ head: String, _ part: String) -> [UInt8] {
        let attachment = String(repeating: "AAAA", count: Planner.mailOctetsMax / 4 + 1)
        return Array(
            """
            From: Anna <anna@example.org>
            Subject: \(head)
            Date: Tue, 01 Dec 2026 12:00:00 +0000
            Content-Type: multipart/mixed; boundary=B

            --B
            \(part)
            --B
            Content-Type: image/png
            Content-Transfer-Encoding: base64

            \(attachment)
            --B--

            """.utf8)
    }

    @Test(arguments: [true, false])
    func `The answer at the beginning of a mail that is too large counts`(
        _ isOnServer: Bool
    ) async throws {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        try await withMaildir { folder in
            let imap = ["LETSMEET_IMAP_URL": "imap://127.0.0.1:\(server.port)"]
            let files = ["LETSMEET_MAILDIR": folder]
            try await withLunch(isOnServer ? imap : files) { planner, id in
                let reply = String(decoding: Self.reply(id, "ACCEPTED", minute: 10), as: UTF8.self)
                let part = reply.split(separator: "\r\n", maxSplits: 1)[1]
                let octets = Self.large("Yes", String(part))
                if isOnServer {
                    server.put(octets)
                } else {
                    try put(octets, "\(folder)/new/1.a", planner)
                }
                let round = try await planner.fetchMail()
                #expect(round.taken.map(\.answer) == [.going])
                #expect(try await answer(planner, id) == .going)
            }
        }
    }

    @Test func `A mail that is too large and holds no answer is listed with its sender`()
        async throws
    {
        try await withLunch([:]) { planner, _ in
            let octets = Self.large("My holiday", "Content-Type: text/plain\n\nSee these")
            let receipt = try await planner.receiveMail(octets)
            let reason = "the mail is larger than 10 MiB, and only its beginning was read: "
            #expect(receipt.outcome == .ignored && receipt.reason.hasPrefix(reason))
            let rows: [IgnoredMailView] = try await planner.ignoredMails().rows
            #expect(rows.map(\.sender) == ["anna@example.org"])
            #expect(rows.map(\.subject) == ["My holiday"])
            #expect(rows.first?.reason == receipt.reason)
        }
    }

    @Test func `A calendar object that is cut off is not read`() async throws {
        try await withLunch([:]) { planner, id in
            let reply = String(decoding: Self.reply(id, "ACCEPTED", minute: 10), as: UTF8.self)
            let padding = String(repeating: "X-PAD:AAAA\r\n", count: 1 << 20)
            let long = reply.replacing("END:VEVENT", with: "\(padding)END:VEVENT")
            let receipt = try await planner.receiveMail(Array(long.utf8))
            #expect(receipt.outcome == .ignored)
            #expect(try await answer(planner, id) == .invited)
        }
    }

    private func withMaildir(_ body: (String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            for name in ["new", "cur"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try await body(folder)
        }
    }

    private func put(
        _ octets: [UInt8], _ file: String, _ planner: Planner
    ) throws {
        try Data(octets).write(to: URL(filePath: file))
        let date = Date(timeIntervalSince1970: Double(planner.now.seconds))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }
}
