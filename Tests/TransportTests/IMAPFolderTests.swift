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
    func `Mails are read once and left unchanged`(offersLogin: Bool) async throws {
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

    @Test func `The first read of a folder skips old mails`() async throws {
        let server = try FakeIMAPServer { line in
            // A search by date finds none of the mails in the folder.
            line.contains("SINCE") ? "* SEARCH\r\n\(line.prefix { $0 != " " }) OK done" : nil
        }
        defer { server.stop() }
        for _ in 1...3 { server.put("Old\r\n\r\n".utf8) }
        let news = try await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news.mails.isEmpty && news.last == 3 && !news.isMore)
        #expect(server.commands.contains { $0.hasSuffix("SINCE 1-Jan-1") })
    }

    @Test(arguments: [
        "NO [UNAVAILABLE] Temporary failure", "NO Server Unavailable. 15",
        "NO [ALERT] Too many simultaneous connections",
    ])
    func `A server that is not available at the login is no wrong password`(
        _ words: String
    ) async throws {
        let server = try FakeIMAPServer { line in
            let isLogin = line.contains("AUTHENTICATE") || line.contains("LOGIN")
            return isLogin ? "\(line.prefix { $0 != " " }) \(words)" : nil
        }
        defer { server.stop() }
        server.put("Small\r\n".utf8)
        let error = await #expect(throws: TransportError.self) {
            _ = try await Self.folder(server).news(behind: nil, since: Self.today)
        }
        let said = words.dropFirst(3)
        #expect(error?.message.contains("not available at present: \(said)") == true)
    }

    @Test func `Many mails are read in parts, and of large mails only the beginning is read`()
        async throws
    {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        for _ in 1...IMAPFolder.mailsMax { server.put("Small\r\n".utf8) }
        server.put(String(repeating: "x", count: 10_001).utf8)
        let folder = Self.folder(server)
        let first = try await folder.news(behind: nil, since: Self.today)
        #expect(first.mails.count == IMAPFolder.mailsMax && first.isMore)
        let rest = try await folder.news(
            behind: FolderPlace(validity: first.validity, last: first.last), since: Self.today)
        let mail = try #require(rest.mails.first)
        #expect(rest.mails.count == 1 && mail.isCut && mail.octets?.count == 10_000)
        #expect(!rest.isMore)
    }

    @Test func `The first of the found mails are read, in any order, each once`() async throws {
        let all = (1...40).map(Int64.init)
        let server = try FakeIMAPServer { line in
            let found = (all.reversed() + all).map(String.init).joined(separator: " ")
            return line.contains("SEARCH")
                ? "* SEARCH \(found)\r\n\(line.prefix { $0 != " " }) OK done" : nil
        }
        defer { server.stop() }
        for _ in all { server.put("Small\r\n".utf8) }
        let news = try await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == Array(all.prefix(IMAPFolder.mailsMax)))
        #expect(news.isMore && news.last == Int64(IMAPFolder.mailsMax))
    }

    @Test func `Mails are not marked after their numbers changed`() async throws {
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
        ("AUTHENTICATE", "NO [AUTHENTICATIONFAILED] no", "rejects this user"),
    ])
    func `A refusal of the server is quoted`(
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
    func `A malformed reply is not a mail`(words: String) async throws {
        let server = try FakeIMAPServer { line in
            line.contains("UID") ? "\(words)\r\n\(line.prefix { $0 != " " }) OK done" : nil
        }
        defer { server.stop() }
        server.put("One\r\n".utf8)
        let news = try? await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news?.mails ?? [] == [])
        // It must not make later mails be skipped either.
        #expect(news?.last ?? 0 <= Int64(UInt32.max))
    }

    @Test(arguments: ["NO corrupt", "NO Server Unavailable. 15", "NO temporary failure"])
    func `A mail that the server cannot deliver does not block the next`(
        _ words: String
    ) async throws {
        let server = try FakeIMAPServer { line in
            line.contains("FETCH 2 ") ? "\(line.prefix { $0 != " " }) \(words)" : nil
        }
        defer { server.stop() }
        for number in 1...3 { server.put("\(number)\r\n".utf8) }
        let news = try await Self.folder(server).news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == [1, 2, 3] && news.mails[1].octets == nil)
        #expect(news.mails.map(\.isRefused) == [false, true, false])
        #expect(!news.isMore && news.last == 3)
    }

    @Test(arguments: ["NO System error (Failure)", "NO Server Unavailable. 15", "OK done"])
    func `Mails that the server does not deliver at the moment are read later`(
        _ words: String
    ) async throws {
        let isIll = Mutex(true)
        let server = try FakeIMAPServer { line in
            let isRefused = line.contains("BODY.PEEK") && isIll.withLock(\.self)
            return isRefused && !line.contains("FETCH 1 ")
                ? "\(line.prefix { $0 != " " }) \(words)" : nil
        }
        defer { server.stop() }
        for number in 1...3 { server.put("\(number)\r\n".utf8) }
        let folder = Self.folder(server)
        let news = try await folder.news(behind: nil, since: Self.today)
        #expect(news.mails.map(\.number) == [1] && news.isMore && news.last == 1)
        let place = FolderPlace(validity: 7, last: 1)
        let error = await #expect(throws: TransportError.self) {
            try await folder.news(behind: place, since: Self.today)
        }
        #expect(error?.message.contains("refuses to deliver mails") == true)
        isIll.withLock { $0 = false }
        let later = try await folder.news(behind: place, since: Self.today)
        #expect(later.mails.map(\.octets) == [Array("2\r\n".utf8), Array("3\r\n".utf8)])
    }

    @Test func `Numbers of mails that do not exist are not read without end`() async throws {
        let server = try FakeIMAPServer { line in
            let tag = line.prefix { $0 != " " }
            if line.contains("SEARCH") {
                let numbers = (1...100).map(String.init).joined(separator: " ")
                return "* SEARCH \(numbers)\r\n\(tag) OK done"
            }
            return line.contains("FETCH") ? "\(tag) OK done" : nil
        }
        defer { server.stop() }
        let error = await #expect(throws: TransportError.self) {
            try await Self.folder(server).news(behind: nil, since: Self.today)
        }
        #expect(error?.message.contains("does not have") == true)
    }

    @Test func `A mail that the server refuses temporarily is not skipped`() async throws {
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

    @Test func `Mails read before a failure are kept`() async throws {
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

    @Test func `Flags set by another program do not hide a mail`() async throws {
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

    @Test func `An endless reply is refused`() async throws {
        let server = try FakeIMAPServer { line in
            line.contains("EXAMINE")
                ? String(repeating: "* OK and so on\r\n", count: 200_000) : nil
        }
        defer { server.stop() }
        await #expect(throws: TransportError.self) {
            try await Self.folder(server).news(behind: nil, since: Self.today)
        }
    }

    @Test func `Many empty lines are refused like a long reply`() async throws {
        let server = try FakeIMAPServer { line in
            line.contains("EXAMINE")
                ? String(repeating: "\r\n", count: 20_000) + "\(line.prefix { $0 != " " }) OK done"
                : nil
        }
        defer { server.stop() }
        await #expect(throws: TransportError.tooLarge(bytesMax: 10_000 + (1 << 20))) {
            try await Self.folder(server).news(behind: nil, since: Self.today)
        }
    }

    /// A server whose folder was restored, or that once sent a wrong number, would otherwise hide
    /// all mails for good.
    @Test(arguments: [4, 5, 4_294_967_295] as [Int64])
    func `A position that the folder has not reached does not apply`(last: Int64) async throws {
        let server = try FakeIMAPServer()
        defer { server.stop() }
        for number in 1...3 { server.put("\(number)\r\n".utf8) }
        let news = try await Self.folder(server).news(
            behind: FolderPlace(validity: 7, last: last), since: Self.today)
        #expect(news.mails.map(\.number) == [1, 2, 3])
        #expect(news.last == 3 && !news.isMore)
        #expect(server.commands.contains { $0.hasSuffix("SINCE 1-Jan-1") })
    }

    @Test func `A silent server ends in a timeout`() async throws {
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

    @Test func `A cancelled call returns without waiting`() async throws {
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
