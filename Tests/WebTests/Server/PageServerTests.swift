import NIOCore
import NIOHTTP1
import ServiceLifecycle
import TestKit
import Storage
import Testing

@testable import Web

@Suite(.serialized, .timeLimit(.minutes(5))) struct PageServerTests {
    private static func request(_ line: String, _ fields: String = "") -> String {
        "\(line) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    }

    /// A server with a short time limit.
    private static var hasty: PageLimits {
        var limits = PageLimits()
        limits.patience = .milliseconds(300)
        limits.headPatience = .milliseconds(300)
        limits.farewell = .milliseconds(300)
        limits.bytesPerSecond = 1 << 30
        return limits
    }

    @Test func `GET and HEAD get the page, with the same header`() async throws {
        try await RunningServer.with { server in
            let get = try await server.ask(Self.request("GET /hello", "Connection: close\r\n"))
            let head = try await server.ask(Self.request("HEAD /hello", "Connection: close\r\n"))
            #expect(get.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(get.hasSuffix("\r\n\r\nHello\n"))
            for field in [
                "Content-Type: text/plain", "Content-Length: 6", "Cache-Control: no-store",
                "X-Content-Type-Options: nosniff", "Connection: close", "Date: ",
            ] {
                #expect(get.contains("\r\n" + field), "\(field)")
                #expect(head.contains("\r\n" + field), "\(field)")
            }
            #expect(head.hasSuffix("\r\n\r\n"))
        }
    }

    @Test(arguments: [
        ("GET /", 404, "not_found"), ("GET /hello/", 404, "not_found"),
        ("POST /nowhere", 404, "not_found"), ("OPTIONS *", 404, "not_found"),
        ("POST /hello", 405, "method_not_allowed"), ("DELETE /hello", 405, "method_not_allowed"),
        ("OPTIONS /hello", 405, "method_not_allowed"), ("GET /broken", 500, "internal"),
        ("GET /../hello", 404, "not_found"), ("GET //hello", 404, "not_found"),
    ])
    func `A request that no page answers gets a problem in JSON`(
        line: String, status: Int, code: String
    ) async throws {
        try await RunningServer.with { server in
            let answer = try await server.ask(Self.request(line, "Connection: close\r\n"))
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains("\r\nContent-Type: application/problem+json\r\n"))
            #expect(answer.contains("\"code\":\"\(code)\""))
            #expect(answer.contains("\"status\":\(status)"))
            #expect(answer.contains("\r\nAllow: GET, HEAD\r\n") == (status == 405))
            #expect(!answer.contains("CancellationError"))
        }
    }

    @Test(arguments: [
        "GET /hello?x=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET http://x/hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /hello HTTP/1.0\r\n\r\n", "GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        "\r\nGET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ])
    func `Other valid forms of a request are answered`(
        request: String
    ) async throws {
        try await RunningServer.with { server in
            let answer = try await server.ask(request)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            #expect(answer.hasSuffix("Hello\n"))
        }
    }

    @Test(arguments: [
        "GET /hello HTTP/1.1\r\n\r\n", "GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET /hello HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        "\0\u{1}\u{2}\r\n\r\n", "FROB /hello HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /hello HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n", "GET /hello HTTP/7.7\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET  HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: -3\r\n\r\n",
    ])
    func `An invalid request is refused and the connection closed`(
        request: String
    ) async throws {
        try await RunningServer.with { server in
            let answer = try await server.ask(request)
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(answer)")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(answer.contains("\"code\":\"bad_request\""))
            #expect(!answer.contains("Hello"))
            #expect(try await server.ask("GET /hello HTTP/1.0\r\n\r\n").hasSuffix("Hello\n"))
        }
    }

    @Test(arguments: [
        ("gzip, chunked", 501), ("identity, chunked", 501), ("gzip", 501), ("chunked, gzip", 400),
        ("\r\nContent-Length: 3", 501), (" ", 501),
    ])
    func `Other transfer encodings than chunked are refused`(
        coding: String, status: Int
    ) async throws {
        try await RunningServer.with { server in
            let answer = try await server.ask(
                "POST /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \(coding)\r\n\r\n"
                    + "0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test(arguments: [
        "GET /hello HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: 70_000)
            + "\r\n\r\n",
        "GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /hello HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: a\r\n", count: 9000) + "\r\n",
    ])
    func `A head that is too large is refused and the connection closed`(
        request: String
    ) async throws {
        try await RunningServer.with { server in
            let answer = try await server.ask(request)
            #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(answer.prefix(200))")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(try await server.ask("GET /hello HTTP/1.0\r\n\r\n").hasSuffix("Hello\n"))
        }
    }

    @Test(arguments: [
        "Content-Length: 5\r\n", "Content-Length: 5000000000\r\n",
        "Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\nExpect: 100-continue\r\n",
    ])
    func `A request with a body is refused before the body arrives`(fields: String) async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let answer = await connection.ask(Self.request("GET /hello", fields))
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
            #expect(answer.contains("\"code\":\"no_body_wanted\""))
            #expect(answer.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test func `Pipelined requests are answered in order`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            let requests = ["GET /hello", "GET /nowhere", "POST /hello"]
                .map { Self.request($0) }.joined()
            let answers = await connection.ask(
                String(repeating: requests, count: 200)
                    + Self.request("GET /hello", "Connection: close\r\n") + requests)
            let statuses = answers.split(separator: "HTTP/1.1 ").map { Int($0.prefix(3)) ?? 0 }
            #expect(
                statuses == (0..<200).flatMap { _ in [200, 404, 405] } + [200],
                "\(statuses.count)")
            #expect(answers.hasSuffix("Hello\n"))
        }
    }

    @Test func `A connection stays open after an answer`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            for _ in 0..<3 {
                let answer = await connection.ask(
                    Self.request("GET /hello"), untilItHangsUp: false)
                #expect(answer.hasSuffix("Hello\n"))
                #expect(!answer.contains("close"))
            }
            connection.finish()
            #expect(await connection.answers().isEmpty)
        }
    }

    @Test(arguments: ["", "GET /hello HTTP/1.1\r\nHos", "GET /hello HTTP/1.1\r\nHost: x\r\n"])
    func `A client that does not finish a request is cut off`(beginning: String) async throws {
        try await RunningServer.with(limits: Self.hasty) { server in
            let answer = try await server.ask(beginning)
            #expect(answer.isEmpty)
        }
    }

    @Test func `A client that sends very slowly is cut off`() async throws {
        try await RunningServer.with(limits: Self.hasty) { server in
            let connection = try server.connect()
            connection.send("GET /hello HTTP/1.1\r\nHost: x\r\n")
            await connection.drip("X: y\r\n")
            #expect(!(await connection.answers()).contains("200"))
        }
    }

    @Test(arguments: ["/slow", "/long"])
    func `A client that waits too long or does not read is cut off`(path: String) async throws {
        try await RunningServer.with(limits: Self.hasty) { server in
            let connection = try server.connect()
            connection.send(Self.request("GET \(path)"))
            _ = try await server.ask("GET /hello HTTP/1.0\r\n\r\n")
            // A connection opened later is closed later, so by then the first one has been closed.
            #expect(try await server.ask("").isEmpty)
            #expect(await connection.answers().utf8.count < 20_000_000)
        }
    }

    @Test func `Idle connections keep nobody out`() async throws {
        var limits = PageLimits()
        (limits.connectionsMax, limits.connectionsEachMax) = (4, 100)
        try await RunningServer.with(limits: limits) { [limits] server in
            let idle = try (0..<limits.connectionsMax * 3).map { _ in try server.connect() }
            let half = try server.connect()
            half.send("GET /hello HTTP/1.1\r\nHo")
            for _ in 0..<limits.connectionsMax {
                let answer = try await server.ask("GET /hello HTTP/1.0\r\n\r\n")
                #expect(answer.hasSuffix("Hello\n"))
            }
            for connection in idle { #expect(await connection.answers().isEmpty) }
            #expect(await half.answers().isEmpty)
        }
    }

    /// A page that asks for its body and never ends.
    private static let endless = Route(.post, "/endless") { _ in
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        end.finish()
        return PageAnswer(.ok, "text/plain", "late\n")
    }

    /// Connections whose requests the server has begun to read, or works on.
    private static func busy(
        _ count: Int, _ server: RunningServer, sending body: String = "x"
    ) async throws -> [RawConnection] {
        var connections: [RawConnection] = []
        for _ in 0..<count {
            let connection = try server.connect()
            connection.send(
                request("POST /endless", "Content-Length: 1\r\nExpect: 100-continue\r\n"))
            #expect(await connection.answers(1).contains("100 Continue"))
            connection.send(body)
            connections.append(connection)
        }
        return connections
    }

    @Test func `One address holds only some of the connections, and may check the health`()
        async throws
    {
        var limits = PageLimits()
        limits.connectionsEachMax = 2
        var health = Route(.get, "/healthz") { _ in PageAnswer(.ok, "text/plain", "well") }
        health.isOperation = true
        let routes = RunningServer.routes + [health, Self.endless]
        try await RunningServer.with(limits: limits, routes: routes) { server in
            let busy = try await Self.busy(2, server)
            #expect(try await server.ask("GET /healthz HTTP/1.0\r\n\r\n").hasSuffix("well"))
            let answer = try await server.ask("GET /hello HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\"code\":\"busy\""))
            #expect(busy.count == 2)
        }
    }

    @Test func `If all connections are busy, only the health check is answered`() async throws {
        var limits = PageLimits()
        (limits.connectionsMax, limits.connectionsEachMax) = (2, 100)
        var health = Route(.get, "/healthz") { _ in PageAnswer(.ok, "text/plain", "well") }
        health.isOperation = true
        let routes = RunningServer.routes + [health, Self.endless]
        try await RunningServer.with(limits: limits, routes: routes) { server in
            let busy = try await Self.busy(2, server)
            #expect(busy.count == 2)
            #expect(try await server.ask("GET /healthz HTTP/1.0\r\n\r\n").hasSuffix("well"))
            let answer = try await server.ask("GET /hello HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\"code\":\"busy\""))
        }
    }

    @Test func `A client that does not send its requests to their end keeps nobody out`()
        async throws
    {
        var limits = PageLimits()
        (limits.connectionsMax, limits.connectionsEachMax) = (4, 100)
        let routes = RunningServer.routes + [Self.endless]
        try await RunningServer.with(limits: limits, routes: routes) { server in
            let slow = try await Self.busy(4, server, sending: "")
            let answer = try await server.ask("GET /hello HTTP/1.0\r\n\r\n")
            #expect(answer.hasSuffix("Hello\n"))
            #expect(await slow[0].answers().isEmpty)
        }
    }

    @Test func `A client that does not send or read for a while keeps nobody out`() async throws {
        var limits = PageLimits()
        (limits.connectionsMax, limits.connectionsEachMax) = (1, 100)
        limits.stallPatience = .zero
        let routes = RunningServer.routes + [Self.endless]
        try await RunningServer.with(limits: limits, routes: routes) { server in
            let slow = try await Self.busy(1, server, sending: "")
            #expect(try await server.ask("GET /hello HTTP/1.0\r\n\r\n").hasSuffix("Hello\n"))
            #expect(await slow[0].answers().isEmpty)
            let deaf = try server.connect()
            deaf.send(Self.request("GET /long"))
            #expect(await deaf.answers(1).contains("200 OK"))
            #expect(try await server.ask("GET /hello HTTP/1.0\r\n\r\n").hasSuffix("Hello\n"))
        }
    }

    @Test(arguments: [
        (StoreError.full(path: "/secret"), "disk_full"), (.busy(path: "/secret"), "busy"),
        (.late(path: "/secret"), "too_slow"),
    ])
    func `Without room or time for a change, the client is asked to try again later`(
        _ error: StoreError, _ code: String
    ) async throws {
        let route = Route(.get, "/change") { _ in throw error }
        try await RunningServer.with(routes: [route]) { server in
            let answer = try await server.ask("GET /change HTTP/1.0\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\"code\":\"\(code)\""))
            #expect(answer.contains("Nothing was saved") && !answer.contains("/secret"))
        }
    }

    @Test func `Shutdown does not wait for clients`() async throws {
        let clock = ContinuousClock()
        var begun = clock.now
        try await RunningServer.with { server in
            let idle = try server.connect()
            _ = await idle.ask(Self.request("GET /hello"), untilItHangsUp: false)
            let partial = try server.connect()
            partial.send("GET /hello HTT")
            let slow = try server.connect()
            slow.send(Self.request("GET /slow"))
            let deaf = try server.connect()
            deaf.send(Self.request("GET /long"))
            _ = try await server.ask("GET /hello HTTP/1.0\r\n\r\n")
            await server.group.triggerGracefulShutdown()
            for connection in [idle, partial, slow] {
                #expect(!(await connection.answers()).contains("200"))
            }
        }
        begun = clock.now
        try await RunningServer.with { server in
            let idle = try server.connect()
            _ = await idle.ask(Self.request("GET /hello"), untilItHangsUp: false)
        }
        #expect(clock.now - begun < .seconds(5))
    }

    @Test func `A client that has closed its output still gets its answer`() async throws {
        try await RunningServer.with { server in
            let connection = try server.connect()
            connection.send(Self.request("GET /hello"))
            connection.finish()
            #expect(await connection.answers().hasSuffix("Hello\n"))
        }
    }

    @Test func `The server can listen on IPv6`() async throws {
        try await RunningServer.with(host: "::1") { server in
            let connection = try RawConnection(port: server.port, isIPv6: true)
            #expect(await connection.ask("GET /hello HTTP/1.0\r\n\r\n").hasSuffix("Hello\n"))
        }
    }
}
