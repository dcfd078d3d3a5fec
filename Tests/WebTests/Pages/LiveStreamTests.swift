import Agenda
import Foundation
import Ledger
import Logging
import NIOCore
import NIOHTTP1
import Planning
import ServiceLifecycle
import Storage
import Synchronization
import TestKit
import Testing

@testable import Web

/// The event streams that tell open pages what has changed.
@Suite(.timeLimit(.minutes(5))) struct LiveStreamTests {
    /// The request of a browser for its event stream.
    private static func request(_ browser: TestSite.Browser, _ fields: String = "") -> String {
        "GET /events HTTP/1.1\r\nHost: localhost:8420\r\nCookie: \(browser.cookie ?? "")\r\n"
            + fields + "\r\n"
    }

    /// Runs a test on a site that is also served on a port.
    private static func with(
        _ body: @escaping @Sendable (TestSite, RunningServer) async throws -> Void
    ) async throws {
        try await TestSite.with { site in
            try await RunningServer.with(routes: site.site.routes) { try await body(site, $0) }
        }
    }

    /// Opens a stream and waits for its first event.
    private static func open(
        _ browser: TestSite.Browser, _ server: RunningServer, _ fields: String = ""
    ) async throws -> (connection: RawConnection, beginning: String) {
        let connection = try server.connect()
        connection.send(request(browser, fields))
        return (connection, await connection.answer(upTo: "data: "))
    }

    /// Waits until this number of streams is open.
    private static func wait(for count: Int, _ site: TestSite) async {
        while site.site.live.count != count { await Task.yield() }
    }

    /// Ends all streams, and returns everything that came over one.
    private static func heard(
        _ stream: (connection: RawConnection, beginning: String), _ site: TestSite
    ) async -> String {
        for _ in 0..<LiveBoard.beatsMax { site.site.live.beatOnce() }
        return stream.beginning + (await stream.connection.answers())
    }

    @Test func `A change of a meeting is told to its people, and to nobody else`() async throws {
        try await Self.with { site, server in
            let id = try await site.plan(with: ["anna@example.org"]).id
            _ = try await site.plan("Another", with: ["ben@example.org"])
            let olga = try await site.browser()
            let anna = try await Self.open(try await site.browser(of: "anna@example.org"), server)
            let ben = try await Self.open(try await site.browser(of: "ben@example.org"), server)
            _ = await olga.submit("/m/\(id)/cancel", "")
            await site.site.live.look(site.planner.store)
            let told = await Self.heard(anna, site)
            #expect(told.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(told)")
            #expect(told.contains("\r\nContent-Type: text/event-stream; charset=utf-8\r\n"))
            #expect(told.contains("\r\nX-Accel-Buffering: no\r\n"))
            #expect(!told.contains("Content-Length"))
            #expect(told.contains("event: ready\n"))
            #expect(told.contains("event: change\ndata: m/\(id)\n\n"))
            let other = ben.beginning + (await ben.connection.answers())
            #expect(other.contains("event: ready\n") && !other.contains("m/\(id)"))
        }
    }

    @Test func `A browser that was away hears what it has missed`() async throws {
        try await Self.with { site, server in
            let id = try await site.plan(with: ["anna@example.org"]).id
            let olga = try await site.browser()
            let browser = try await site.browser(of: "anna@example.org")
            let mark = try await site.planner.store.changeMark()
            let last = "Last-Event-ID: \(mark.text)\r\n"
            let before = try await Self.open(browser, server, last)
            #expect(!(await Self.heard(before, site)).contains("event: change"))
            _ = await olga.submit("/m/\(id)/cancel", "")
            let after = try await Self.open(browser, server, last)
            #expect((await Self.heard(after, site)).contains("data: m/\(id)\n"))
            let strange = try await Self.open(browser, server, "Last-Event-ID: 999999.0\r\n")
            #expect((await Self.heard(strange, site)).contains("data: *\n"))
            for text in ["x", "-1.0", "7", "1.2.3", "1.99999999999999999999"] {
                let odd = try await Self.open(browser, server, "Last-Event-ID: \(text)\r\n")
                #expect((await Self.heard(odd, site)).contains("event: ready\n"), "\(text)")
            }
        }
    }

    @Test func `The fifth stream of an account ends the first`() async throws {
        try await Self.with { site, server in
            let browser = try await site.browser()
            let first = try await Self.open(browser, server)
            var others: [(connection: RawConnection, beginning: String)] = []
            for _ in 0..<LiveBoard.streamsEachMax {
                others.append(try await Self.open(browser, server))
            }
            #expect((await first.connection.answers()).contains("event: bye\n"))
            await Self.wait(for: LiveBoard.streamsEachMax, site)
            for other in others {
                #expect(!(await Self.heard(other, site)).contains("event: bye\n"))
            }
        }
    }

    @Test func `Signing out ends the streams of the session alone`() async throws {
        try await Self.with { site, server in
            let browser = try await site.browser()
            let own = try await Self.open(browser, server)
            let other = try await Self.open(try await site.browser(), server)
            #expect((await browser.submit("/sign-out", "")).status == .seeOther)
            #expect((await own.connection.answers()).contains("event: bye\n"))
            await Self.wait(for: 1, site)
            #expect(!(await Self.heard(other, site)).contains("event: bye\n"))
        }
    }

    @Test func `An open stream keeps no task of its request in memory`() async throws {
        let (notes, note) = AsyncStream.makeStream(of: Bool.self)
        let route = Route(.get, "/stream") { _ in
            var answer = PageAnswer(.ok, "text/plain", "")
            answer.stream = NotingStream(note: note)
            return answer
        }
        try await RunningServer.with(routes: [route]) { server in
            let answer = try await server.ask("GET /stream HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.0 200 "), "\(answer)")
        }
        note.finish()
        let noted: [Bool] = await notes.reduce(into: []) { $0.append($1) }
        #expect(noted == [false])
    }

    @Test func `Only accounts get a stream, and HEAD gets none`() async throws {
        try await Self.with { site, server in
            let stranger = try await server.ask(
                Self.request(site.stranger, "Connection: close\r\n"))
            #expect(stranger.hasPrefix("HTTP/1.1 303 "), "\(stranger)")
            let browser = try await site.browser()
            let head = Self.request(browser, "Connection: close\r\n").replacing("GET", with: "HEAD")
            let answer = try await server.ask(head)
            #expect(answer.hasPrefix("HTTP/1.0 200 "), "\(answer)")
            // The end of the header is the end of the answer, without a chunk.
            #expect(answer.components(separatedBy: "\r\n\r\n").count == 2, "\(answer)")
            #expect(site.site.live.count == 0)
        }
    }

    @Test func `A client of HTTP 1.0 gets its stream without chunks`() async throws {
        try await Self.with { site, server in
            let browser = try await site.browser()
            let connection = try server.connect()
            connection.send(Self.request(browser).replacing("HTTP/1.1", with: "HTTP/1.0"))
            let stream = (connection, await connection.answer(upTo: "data: "))
            let heard = await Self.heard(stream, site)
            #expect(heard.hasPrefix("HTTP/1.0 200 "), "\(heard)")
            #expect(heard.contains("\r\n\r\nretry: "), "\(heard)")
            #expect(!heard.lowercased().contains("chunked"))
        }
    }

    @Test func `Streams live on signs of life, and do not count as connections`() async throws {
        var limits = PageLimits()
        limits.connectionsMax = 2
        (limits.patience, limits.headPatience) = (.milliseconds(300), .milliseconds(300))
        try await TestSite.with { site in
            let routes = site.site.routes + RunningServer.routes
            try await RunningServer.with(limits: limits, routes: routes) { server in
                let browser = try await site.browser()
                var streams: [(connection: RawConnection, beginning: String)] = []
                for _ in 0..<LiveBoard.streamsEachMax {
                    streams.append(try await Self.open(browser, server))
                }
                // By then, the patience for other connections is over.
                #expect(try await server.ask("").isEmpty)
                #expect(try await server.ask("GET /hello HTTP/1.0\r\n\r\n").hasSuffix("Hello\n"))
                site.site.live.beatOnce()
                #expect(site.site.live.count == LiveBoard.streamsEachMax)
                let heard = await Self.heard(streams[0], site)
                #expect(heard.contains("\r\n:\n\n") && !heard.contains("event: bye"))
            }
        }
    }

    @Test func `A browser that closes its stream is forgotten, and the server ends`() async throws {
        try await Self.with { site, server in
            let browser = try await site.browser()
            let left = try await Self.open(browser, server)
            left.connection.finish()
            await Self.wait(for: 0, site)
            let open = try await Self.open(browser, server)
            await server.group.triggerGracefulShutdown()
            #expect(open.beginning.contains("event: ready\n"))
            _ = await open.connection.answers()
        }
    }

    @Test func `After the report of a write, it is looked for until it can be read`() async {
        let board = LiveBoard(clock: MachineClock(), logger: .silent)
        let (reports, report) = AsyncStream.makeStream(of: Void.self)
        report.yield()
        report.finish()
        let looks = Mutex(0)
        await board.follow(reports) { looks.withLock { $0 += 1 } }
        #expect(looks.withLock { $0 } == 10)
    }

    @Test func `Many changes at once are told as one`() {
        let person = PersonID(text: "anna")
        let changes = (1...21).map { AccountChanges.Change(topic: "m/\($0)", person: person) }
        let mark = ChangeMark(meetings: 7, others: 2)
        func event(_ changes: [AccountChanges.Change], areTooMany: Bool = false) -> LiveEvent? {
            LiveEvent.event(
                of: AccountChanges(mark: mark, changes: changes, areTooMany: areTooMany),
                for: person)
        }
        #expect(event(changes) == .all)
        #expect(event(Array(changes.prefix(20))) == .topics(changes.prefix(20).map(\.topic)))
        #expect(event([], areTooMany: true) == .all)
        #expect(event([]) == nil)
        #expect(event([AccountChanges.Change(topic: "sessions", person: person)]) == nil)
        #expect(LiveEvent.all.lines(mark) == "id: 7.2\nevent: change\ndata: *\n\n")
    }

    @Test func `A change of an address book is told to its owner alone`() async throws {
        try await Self.with { site, server in
            _ = try await site.plan(with: ["anna@example.org"])
            let browser = try await site.browser()
            let olga = try await Self.open(browser, server)
            let anna = try await Self.open(try await site.browser(of: "anna@example.org"), server)
            let added = await browser.submit("/people", "name=Cleo&address=cleo%40example.org")
            #expect(added.status == .seeOther)
            await site.site.live.look(site.planner.store)
            let told = await Self.heard(olga, site)
            #expect(told.contains("event: change\ndata: people\n\n"), "\(told)")
            let other = anna.beginning + (await anna.connection.answers())
            #expect(other.contains("event: ready\n") && !other.contains("people"))
        }
    }

    @Test func `A disabled account loses its stream, and so does one that was deleted`()
        async throws
    {
        try await Self.with { site, server in
            _ = try await site.plan(with: ["anna@example.org", "ben@example.org"])
            let (store, live) = (site.planner.store, site.site.live)
            let olga = try await Self.open(try await site.browser(), server)
            let anna = try await Self.open(try await site.browser(of: "anna@example.org"), server)
            let ben = try await Self.open(try await site.browser(of: "ben@example.org"), server)
            let disabled: Person = try await site.planner.knownPerson(named: "anna@example.org")
            _ = try await store.changeAccount(of: disabled.id, isEnabled: false)
            await live.look(store)
            #expect((await anna.connection.answers()).contains("event: bye\n"))
            await Self.wait(for: 2, site)
            let deleted: Person = try await site.planner.knownPerson(named: "ben@example.org")
            try await store.closeAccount(of: deleted.id, now: site.planner.now)
            await live.checkSessions(store)
            await Self.wait(for: 1, site)
            #expect((await ben.connection.answers()).contains("event: bye\n"))
            #expect(!(await Self.heard(olga, site)).contains("event: bye\n"))
        }
    }

    @Test func `A session that another process ends loses its stream, and no other`() async throws {
        try await Self.with { site, server in
            let first = try await Self.open(try await site.browser(), server)
            let planner = site.planner
            let known = try await planner.store.sessionIDs(of: planner.owner.id)
            let second = try await Self.open(try await site.browser(), server)
            let ended = try #require(known.first)
            #expect(known.count == 1)
            try await planner.store.endSessions(of: planner.owner.id, ended)
            await site.site.live.look(planner.store)
            #expect((await first.connection.answers()).contains("event: bye\n"))
            await Self.wait(for: 1, site)
            #expect(!(await Self.heard(second, site)).contains("event: bye\n"))
        }
    }
}

/// A stream that notes whether its connection still keeps the task of its request.
private struct NotingStream: AnswerStream {
    let note: AsyncStream<Bool>.Continuation

    func begin(on channel: any Channel) {
        let handlers = channel.pipeline.syncOperations
        let connection = try? handlers.handler(type: ClientConnection.self)
        note.yield(connection?.isAtWork ?? true)
        channel.close(promise: nil)
    }
}
