import Foundation
import Synchronization
import TestKit
import Testing
import Transport

@Suite(.timeLimit(.minutes(5))) struct HTTPClientTests {
    private let client: HTTPClient

    init() throws {
        client = try HTTPClient(userAgent: "letsmeet/test")
    }

    private func get(_ server: FakeHTTPServer, _ path: String = "/") throws -> HTTPRequest {
        HTTPRequest(.get, try HTTPURL(server.url + path))
    }

    @Test func `A response arrives complete, with status, headers and body`() async throws {
        let server = try FakeHTTPServer { _ in
            FakeAnswer(
                418, headers: [("Link", "<a>"), ("X-Two", "1"), ("x-two", "2")],
                body: Array("tea\0pot".utf8))
        }
        defer { server.stop() }
        let response = try await client.send(try get(server, "/pot?x=%20y"))
        #expect(response.status == 418)
        #expect(response.headers["link"] == "<a>")
        #expect(response.headers.values(of: "X-Two") == ["1", "2"])
        #expect(response.body == Array("tea\0pot".utf8))
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.path == "/pot")
        #expect(request.fields == ["x": " y"])
        #expect(request.headers["user-agent"] == "letsmeet/test")
    }

    @Test(arguments: ["", "data=a%20b", "\0\r\n\u{FF}", "long"])
    func `A body arrives unchanged`(_ text: String) async throws {
        // Longer than what libcurl sends without asking the server first.
        let body = text == "long" ? [UInt8](repeating: 7, count: 3 << 20) : Array(text.utf8)
        let server = try FakeHTTPServer { _ in FakeAnswer(200) }
        defer { server.stop() }
        var request = try get(server)
        request.method = .post
        request.body = body
        request.headers = ["Content-Type": "text/plain", "X-Empty": ""]
        #expect(try await client.send(request).status == 200)
        let received = try #require(server.requests.first)
        #expect(received.method == "POST")
        let isWhole = received.body == body
        #expect(isWhole)
        #expect(received.headers["content-type"] == "text/plain")
        #expect(received.headers["x-empty"] == "")
    }

    @Test func `A redirect is returned as a response and is not followed`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(302, headers: [("Location", "/there")]) }
        defer { server.stop() }
        let response = try await client.send(try get(server))
        #expect(response.status == 302)
        #expect(server.requests.map(\.path) == ["/"])
    }

    @Test func `The connection is reused for the next request`() async throws {
        let server = try FakeHTTPServer { request in
            FakeAnswer(200, body: Array(request.path.utf8))
        }
        defer { server.stop() }
        for path in ["/1", "/2", "/3"] {
            #expect(try await client.send(try get(server, path)).body == Array(path.utf8))
        }
        #expect(server.connectionsCount == 1)
    }

    @Test func `A delivery is sent at most once, even if the connection closes`() async throws {
        let server = try FakeHTTPServer { request in
            FakeAnswer(200, manner: request.path == "/once" ? .hangUp : .whole)
        }
        defer { server.stop() }
        for isDelivery in [false, true] {
            // The connection was opened by the request before.
            #expect(try await client.send(try get(server, "/before")).status == 200)
            var request = try get(server, "/once")
            request.method = .post
            request.body = Array("x".utf8)
            request.isDelivery = isDelivery
            do throws(TransportError) {
                _ = try await client.send(request)
                Issue.record("there was no response")
            } catch {
                guard case .unanswered = error else {
                    #expect(!isDelivery)
                    continue
                }
                #expect(isDelivery)
            }
        }
        #expect(server.requests.count { $0.path == "/once" } == 3)
    }

    @Test func `A server that accepts a delivery and disappears leaves it unanswered`()
        async throws
    {
        let gone = Mutex<FakeHTTPServer?>(nil)
        let server = try FakeHTTPServer { request in
            guard request.path == "/once" else { return FakeAnswer(200) }
            // The connection was open, and nobody listens for another one.
            gone.withLock(\.self)?.stop()
            return FakeAnswer(200, manner: .hangUp)
        }
        gone.withLock { $0 = server }
        defer { gone.withLock { $0 = nil } }
        #expect(try await client.send(try get(server, "/before")).status == 200)
        var request = try get(server, "/once")
        request.method = .post
        request.isDelivery = true
        do throws(TransportError) {
            _ = try await client.send(request)
            Issue.record("there was no response")
        } catch {
            guard case .unanswered = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `A queue sends its requests in order, up to its concurrency at once`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200, manner: .late(milliseconds: 2)) }
        defer { server.stop() }
        let client = client
        for concurrency in [1, 3] {
            let before = server.connectionsCount
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    var request = try get(server, "/\(concurrency)/\(number)")
                    request.queue = HTTPQueue("\(concurrency)", concurrency: concurrency)
                    group.addTask { [request] in try await client.send(request).status }
                }
                for try await status in group { #expect(status == 200) }
            }
            #expect(server.connectionsCount - before <= concurrency)
        }
        #expect(Set(server.requests.map(\.path)).count == 40)
    }

    @Test func `A request that is no longer wanted when its turn comes is not sent`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200) }
        defer { server.stop() }
        let asked = Mutex(0)
        for answer in [true, false, true] {
            var request = try get(server, "/\(answer)")
            request.queue = HTTPQueue("one", concurrency: 1) {
                asked.withLock { $0 += 1 }
                return answer
            }
            do throws(TransportError) {
                #expect(try await client.send(request).status == 200)
                #expect(answer)
            } catch {
                #expect(error == .unwanted && !answer)
            }
        }
        #expect(server.requests.map(\.path) == ["/true", "/true"])
        #expect(asked.withLock(\.self) == 3)
    }

    @Test func `A waiting request can be cancelled and does not delay the others`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try FakeHTTPServer { request in
            arrival.yield()
            return FakeAnswer(200, manner: request.path == "/slow" ? .silent : .whole)
        }
        defer { server.stop() }
        func start(_ path: String) throws -> Task<Int, any Error> {
            var request = try get(server, path)
            // Far longer than the time limit of this test.
            request.timeoutMilliseconds = 3_600_000
            request.queue = HTTPQueue("one", concurrency: 1)
            return Task { [client, request] in try await client.send(request).status }
        }
        let slow = try start("/slow")
        var waiting = arrivals.makeAsyncIterator()
        await waiting.next()
        let (gone, next) = (try start("/gone"), try start("/next"))
        gone.cancel()
        await #expect(throws: TransportError.cancelled) { try await gone.value }
        slow.cancel()
        await #expect(throws: TransportError.cancelled) { try await slow.value }
        #expect(try await next.value == 200)
        #expect(server.requests.map(\.path) == ["/slow", "/next"])
    }

    @Test func `A failure is reported before the next request is asked whether it is wanted`()
        async throws
    {
        let server = try FakeHTTPServer { _ in FakeAnswer(503) }
        defer { server.stop() }
        let isSick = Mutex(false)
        let outcomes = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<5 {
                var request = try get(server)
                request.queue = HTTPQueue("one", concurrency: 1) {
                    !isSick.withLock(\.self)
                } onEnd: { _ in
                    isSick.withLock { $0 = true }
                }
                group.addTask { [client, request] in try? await client.send(request).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.compactMap(\.self) == [503])
        #expect(server.requests.count == 1)
    }

    @Test func `Each of many concurrent requests gets its own response`() async throws {
        let server = try FakeHTTPServer { request in
            FakeAnswer(200, body: Array(request.path.utf8), manner: .late(milliseconds: 5))
        }
        defer { server.stop() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                let request = try get(server, "/\(number)")
                group.addTask {
                    try await client.send(request).body == Array("/\(number)".utf8)
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(server.requests.count == 100)
    }

    @Test(arguments: [(100_000, true), (99_999, false)])
    func `The size limit applies to the decompressed response`(
        _ bytesMax: Int, _ isTaken: Bool
    ) async throws {
        let packed = try #require(Data(base64Encoded: Self.packedZeros))
        let server = try FakeHTTPServer { _ in
            FakeAnswer(200, headers: [("Content-Encoding", "gzip")], body: Array(packed))
        }
        defer { server.stop() }
        var request = try get(server)
        request.bodyBytesMax = bytesMax
        if isTaken {
            let body = try await client.send(request).body
            #expect(body.count == 100_000)
            #expect(body.allSatisfy { $0 == 0 })
        } else {
            await #expect(throws: TransportError.tooLarge(bytesMax: bytesMax)) {
                try await client.send(request)
            }
        }
    }

    /// 100,000 zeros, compressed by gzip.
    private static let packedZeros = """
        H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32V\
        EdSghgEA
        """

    @Test(arguments: [(1000, 100), (1 << 20, 1)])
    func `Endless headers are refused`(characters: Int, lines: Int) async throws {
        let line = (name: "X", value: String(repeating: "x", count: characters))
        let server = try FakeHTTPServer { _ in
            FakeAnswer(200, headers: Array(repeating: line, count: lines))
        }
        defer { server.stop() }
        var request = try get(server)
        let words = "the headers of the response are larger than 65536 bytes"
        await #expect(throws: TransportError.failed(words)) { try await client.send(request) }
        request.isDelivery = true
        #expect(try await client.send(request).status == 200)
    }

    @Test func `A silent server ends in a timeout`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200, manner: .silent) }
        defer { server.stop() }
        var request = try get(server)
        request.timeoutMilliseconds = 50
        await #expect(throws: TransportError.timedOut(milliseconds: 50)) {
            try await client.send(request)
        }
    }

    @Test(arguments: [FakeAnswer.Manner.hangUp, .brokenOff(afterBytes: 3)])
    func `A response that breaks off is an error`(_ manner: FakeAnswer.Manner) async throws {
        let server = try FakeHTTPServer { _ in
            FakeAnswer(200, body: Array("complete".utf8), manner: manner)
        }
        defer { server.stop() }
        let request = try get(server)
        let error = await #expect(throws: TransportError.self) { try await client.send(request) }
        guard case .failed(let words) = error else {
            Issue.record("reported as \(String(describing: error))")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test func `A slow response is received to its end`() async throws {
        let server = try FakeHTTPServer { _ in
            FakeAnswer(
                200, body: Array("slow and steady".utf8),
                manner: .trickling(bytes: 4, everyMilliseconds: 5))
        }
        defer { server.stop() }
        #expect(try await client.send(try get(server)).body == Array("slow and steady".utf8))
    }

    @Test func `A port without a server is reported`() async throws {
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:1/"))
        let expected = TransportError.couldNotConnect(host: "127.0.0.1", port: 1)
        await #expect(throws: expected) { try await client.send(request) }
        #expect(expected.message == "Cannot connect to 127.0.0.1, port 1.")
    }

    @Test func `A server without TLS is not trusted`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200) }
        defer { server.stop() }
        let request = HTTPRequest(.get, try HTTPURL("https://127.0.0.1:\(server.port)/"))
        let error = await #expect(throws: TransportError.self) { try await client.send(request) }
        guard case .tlsFailed = error else {
            Issue.record("reported as \(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `A header with a line break is refused before anything is sent`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200) }
        defer { server.stop() }
        var request = try get(server)
        request.headers = ["X": "a\r\nY: b"]
        let broken = request
        await #expect(throws: TransportError.badHeader(name: "X")) {
            try await client.send(broken)
        }
        #expect(server.connectionsCount == 0)
        #expect(throws: TransportError.badHeader(name: "User-Agent")) {
            try HTTPClient(userAgent: "a\r\nb")
        }
    }

    @Test func `Cancelling the task ends the exchange at once`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try FakeHTTPServer { _ in
            arrival.yield()
            return FakeAnswer(200, manner: .silent)
        }
        defer { server.stop() }
        var request = try get(server)
        // Far longer than the time limit of this test.
        request.timeoutMilliseconds = 3_600_000
        let sent = request
        let task = Task { try await client.send(sent) }
        var waiting = arrivals.makeAsyncIterator()
        await waiting.next()
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }

    @Test func `A task cancelled before the start sends nothing`() async throws {
        let server = try FakeHTTPServer { _ in FakeAnswer(200, manner: .silent) }
        defer { server.stop() }
        let request = try get(server)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(request)
        }
        await #expect(throws: TransportError.cancelled) { try await task.value }
    }
}
