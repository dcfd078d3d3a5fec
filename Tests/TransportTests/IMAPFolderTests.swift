import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct IMAPFolderTests {
    private static let today = CivilDate.earliest

    private static func folder(
        _ server: FakeIMAPServer, octetsMax: Int = 10_000, user: String? = "olga",
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) -> IMAPFolder {
        IMAPFolder(
            IMAPServer(
                host: "127.0.0.1", port: server.port, encryption: .none, user: user,
                password: "hush"),
            mailOctetsMax: octetsMax, uptime: uptime)
    }

    @Test(arguments: [true, false])
    func `Mails are read once, and left as they are`(offersLogin: Bool) async throws {
        let server = try FakeIMAPServer(offersLogin: offersLogin)
        defer { server.stop() }
        for number in 1...3 { server.put("Subject: \(number)\r\n\r\n{3}\r\n".utf8) }
        let folder = Self.folder(server)
        let news = try await folder.news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == [1, 2, 3])
        #expect(news.mails[1].octets == Array("Subject: 2\r\n\r\n{3}\r\n".utf8))
        #expect((news.validity, news.last, news.isMore) == (7, 3, false))
        #expect(server.seen == [])
        let none = try await folder.news(
            behind: FolderPlace(validity: 7, last: 3), since: Self.today)
        #expect(none.mails.isEmpty && none.last == 3)
        try await folder.markRead([2], validity: 7)
        #expect(server.seen == [2])
        #expect(!server.commands.contains { $0.contains("hush") && !$0.contains("LOGIN") })
    }

    @Test func `Of a folder that was never read the past is left alone`() async throws {
        let server = try FakeIMAPServer { line in
            // A search by day finds none of those that are there.
            line.contains("SINCE") ? "* SEARCH\r\n\(line.prefix { $0 != " " }) OK done" : nil
        }
        defer { server.stop() }
        for _ in 1...3 { server.put("Old\r\n\r\n".utf8) }
        let news = try await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news.mails.isEmpty && news.last == 3 && !news.isMore)
        #expect(server.commands.contains { $0.hasSuffix("SINCE 1-Jan-1") })
    }

    @Test func `Many are read bit by bit, and large ones not at all`() async throws {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        for _ in 1...IMAPFolder.mailsMax { server.put("Small\r\n".utf8) }
        server.put(String(repeating: "x", count: 10_001).utf8)
        let folder = Self.folder(server)
        let first = try await folder.news(behind: nil, since: Self.today)
        #expect(first.mails.count == IMAPFolder.mailsMax && first.isMore)
        let rest = try await folder.news(
            behind: FolderPlace(validity: first.validity, last: first.last), since: Self.today)
        #expect(rest.mails.map(\.octets) == [nil] && !rest.isMore)
    }

    @Test func `Mails with other numbers are marked by nobody`() async throws {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        server.put("One\r\n".utf8)
        let folder = Self.folder(server)
        server.renumber()
        try await folder.markRead([1, 101], validity: 7)
        #expect(server.seen == [])
        let news = try await folder.news(
            behind: FolderPlace(validity: 7, last: 1), since: Self.today)
        #expect(news.validity == 8 && news.mails.map(\.number) == [101])
    }

    @Test(arguments: [
        ("EXAMINE", "NO no such folder", "no such folder"), ("SEARCH", "BAD what", "what"),
        ("AUTHENTICATE", "NO [AUTHENTICATIONFAILED] no", "takes neither"),
    ])
    func `A server that says no is quoted`(
        verb: String, words: String, said: String
    ) async throws {
        let server = try FakeIMAPServer { line in
            line.contains(verb) ? "\(line.prefix { $0 != " " }) \(words)" : nil
        }
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await Self.folder(server).news(behind: nil, since: Self.today)
        }
        #expect(error?.message.contains(said) == true && error?.message.contains("hush") == false)
    }

    @Test(arguments: [
        "* 1 FETCH (UID 1 BODY[] {99999999}", "* BYE", "* SEARCH 99999999999999999999", "+", "",
        "* OK [UIDNEXT -9223372036854775808] x", "* SEARCH 4294967295",
    ])
    func `What makes no sense is no mail`(words: String) async throws {
        let server = try FakeIMAPServer { line in
            line.contains("UID") ? "\(words)\r\n\(line.prefix { $0 != " " }) OK done" : nil
        }
        defer { server.stop() }
        server.put("One\r\n".utf8)
        let news = try? await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news?.mails ?? [] == [])
        // It is no reason either to leave out what comes.
        #expect(news?.last ?? 0 <= Int64(UInt32.max))
    }

    @Test func `One mail that the server does not give keeps nobody from the next`() async throws {
        let server = try FakeIMAPServer { line in
            line.contains("FETCH 2 ") ? "\(line.prefix { $0 != " " }) NO corrupt" : nil
        }
        defer { server.stop() }
        for number in 1...3 { server.put("\(number)\r\n".utf8) }
        let news = try await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == [1, 2, 3] && news.mails[1].octets == nil)
        #expect(!news.isMore && news.last == 3)
    }

    @Test func `What a server refuses for a while is not left out`() async throws {
        let server = try FakeIMAPServer { line in
            line.contains("FETCH 2 ")
                ? "\(line.prefix { $0 != " " }) NO [THROTTLED] too much of it" : nil
        }
        defer { server.stop() }
        for number in 1...3 { server.put("\(number)\r\n".utf8) }
        let folder = Self.folder(server)
        let news = try await folder.news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == [1] && news.isMore && news.last == 1)
        let error = await #expect(throws: TransportError.self) {
            try await folder.news(behind: FolderPlace(validity: 7, last: 1), since: Self.today)
        }
        #expect(error?.message.contains("THROTTLED") == true)
    }

    @Test func `What was read before a fault is kept`() async throws {
        let server = try FakeIMAPServer { line in
            line.contains("FETCH 3 ") ? "* BYE enough" : nil
        }
        defer { server.stop() }
        for number in 1...3 { server.put("\(number)\r\n".utf8) }
        let folder = Self.folder(server)
        let news = try await folder.news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == [1, 2] && news.isMore && news.last == 2)
        let error = await #expect(throws: TransportError.self) {
            try await folder.news(behind: FolderPlace(validity: 7, last: 2), since: Self.today)
        }
        #expect(error?.message.contains("enough") == true)
    }

    @Test func `Flags that another program sets hide no mail`() async throws {
        let server = try FakeIMAPServer { line in
            guard line.contains("BODY.PEEK") else { return nil }
            let tag = line.prefix { $0 != " " }
            return "* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n* 1 FETCH (UID 1 BODY[]<0> {3}\r\nabc)\r\n"
                + "\(tag) OK done"
        }
        defer { server.stop() }
        server.put("abc".utf8)
        let news = try await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.octets) == [Array("abc".utf8)])
    }

    @Test func `A server that talks without end is not listened to for ever`() async throws {
        let server = try FakeIMAPServer { line in
            line.contains("EXAMINE")
                ? String(repeating: "* OK and so on\r\n", count: 200_000) : nil
        }
        defer { server.stop() }
        await #expect(throws: TransportError.self) {
            try await Self.folder(server).news(behind: nil, since: Self.today)
        }
    }

    @Test func `Who says nothing is waited for a while`() async throws {
        let server = try FakeIMAPServer { $0.contains("EXAMINE") ? "" : nil }
        defer { server.stop() }
        let seconds = Atomic(0)
        let folder = Self.folder(server) {
            .seconds(seconds.add(10, ordering: .relaxed).newValue)
        }
        await #expect(throws: TransportError.timedOut(milliseconds: 60_000)) {
            try await folder.news(behind: nil, since: Self.today)
        }
    }

    @Test func `Who gives up does not wait`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let server = try FakeIMAPServer { line in
            guard line.contains("EXAMINE") else { return nil }
            ask.yield()
            return ""
        }
        defer { server.stop() }
        let task = Task { try await Self.folder(server).news(behind: nil, since: Self.today) }
        for await _ in asked { break }
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }
}
