import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Settings
import Synchronization
import TestKit
import Testing

@testable import Web

/// Forms as browsers submit them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FormTests {
    @Test(arguments: [
        ("a=1&b=2", "1", "2"), ("a=x%20y+z&b=%C3%A4", "x y z", "ä"), ("a=1&a=2", "1", ""),
        ("a=2&b=1&a=3", "2", "1"),
        ("a", "", ""), ("", "", ""), ("&&=&a=%", "%", ""), ("a=%4&b=%zz", "%4", "%zz"),
        ("a=%+1&b=%-1", "% 1", "%-1"), ("%61=1", "1", ""), ("a=b=c&b=%26%3D", "b=c", "&="),
        ("a=%FF&b=%00", "\u{FFFD}", "\0"),
    ])
    func `Fields are decoded as browsers encode them`(_ text: String, _ a: String, _ b: String) {
        let fields = FormFields(text)
        #expect(fields["a"] == a && fields["b"] == b)
    }

    @Test(arguments: [
        ("a=7", 7), ("a=0", 0), ("a=-1", 0), ("a=x", 0), ("", 0), ("a=1000001", 1_000_000),
        ("a=9223372036854775807", 1_000_000), ("a=-9223372036854775808", 0),
        ("a=9223372036854775808", 0), ("a=1e9", 0),
    ])
    func `A number in a field has limits`(_ text: String, _ number: Int) {
        #expect(FormFields(text).count("a") == number)
    }

    @Test func `Fields beyond the limit are ignored`() {
        let fields = FormFields((0..<1500).map { "f\($0)=x" }.joined(separator: "&"))
        #expect(fields["f499"] == "x" && fields["f500"].isEmpty && fields["f1499"].isEmpty)
    }

    private static let routes =
        [Route(.get, "/hello") { _ in PageAnswer(.ok, "text/plain", "Hello\n") }]
        + [Verb.get, .post].map { verb in
            Route(verb, "/form/*") { request in
                PageAnswer(
                    .ok, "text/plain",
                    "\(request.verb == .post ? "did" : "shows") \(request["*"]) "
                        + "q=\(request.query["q"]) a=\(request.form["a"].utf8.count)\n")
            }
        }

    private static func post(
        _ path: String, _ body: String, _ fields: String = "", length: Int? = nil
    ) -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(length ?? body.utf8.count)\r\n"
            + "\(fields)\r\n\(body)"
    }

    private func answers(
        _ text: String, limits: PageLimits = PageLimits()
    ) async throws -> String {
        let answers = Mutex("")
        try await RunningServer.with(limits: limits, routes: Self.routes) { server in
            let all = try await server.ask(text)
            answers.withLock { $0 = all }
        }
        return answers.withLock { $0 }
    }

    @Test func `A form is read, and the connection stays open`() async throws {
        let answers = try await answers(
            Self.post("/form/x?q=1", "a=12345") + Self.post("/form/", "")
                + "GET /form/y?q=%3F HTTP/1.1\r\nHost: x\r\n\r\n"
                + Self.post("/form/z", "a=1", "Connection: close\r\n")
                + "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        let bodies = answers.components(separatedBy: "\r\n\r\n").dropFirst()
            .map { $0.prefix { $0 != "\n" } }
        #expect(
            bodies == ["did x q=1 a=5", "did  q= a=0", "shows y q=? a=0", "did z q= a=1"],
            "\(answers)")
    }

    @Test func `A chunked body is read as a whole`() async throws {
        let answer = try await answers(
            "POST /form/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n2\r\n23\r\n0\r\n\r\n")
        #expect(answer.hasSuffix("did x q= a=3\n"), "\(answer)")
    }

    @Test(arguments: ["length", "pieces", "neither page"])
    func `A body that is too large or not wanted is refused and the connection closed`(
        _ how: String
    ) async throws {
        let much = String(repeating: "a", count: 70_000)
        let text =
            switch how {
            case "length": Self.post("/form/x", "a=1", length: 5_000_000_000)
            case "pieces":
                "POST /form/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(70_000, radix: 16) + "\r\n\(much)\r\n0\r\n\r\n"
            default: Self.post("/hello", "a=1")
            }
        let answer = try await answers(text + "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(answer.hasPrefix(how == "neither page" ? "HTTP/1.1 405 " : "HTTP/1.1 413 "))
        #expect(answer.contains("\r\nConnection: close\r\n") && !answer.contains("Hello"))
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH", "OPTIONS"])
    func `A form refuses every method but GET, HEAD and POST`(_ method: String) async throws {
        let answer = try await answers(
            "\(method) /form/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 405 "))
        #expect(answer.contains("\r\nAllow: GET, HEAD, POST\r\n"))
    }

    @Test(arguments: [
        "POST /form/x HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\na=1",
        "POST /form/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n",
    ])
    func `An incomplete body has no effect`(_ text: String) async throws {
        var limits = PageLimits()
        limits.patience = .milliseconds(300)
        limits.headPatience = .milliseconds(300)
        #expect(try await answers(text, limits: limits).isEmpty)
    }

    @Test func `A client that expects 100-continue gets it`() async throws {
        try await RunningServer.with(routes: Self.routes) { server in
            let connection = try server.connect()
            connection.send(
                "POST /form/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            let word = await connection.answers(1)
            #expect(word == "HTTP/1.1 100 Continue\r\n\r\n")
            let answer = await connection.ask("a=1")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("a=1\n"))
        }
    }

    @Test func `Pages are found if a proxy passes on the public path prefix`() async throws {
        let responder = PageResponder(
            Self.routes,
            site: { SiteAddress(base: try? BaseURL("http://x/meet"), listen: nil) },
            clock: MachineClock(), logger: .silent)
        for (path, status) in [
            ("/meet/form/x", 200), ("/form/x", 200), ("/meetx/form/x", 404), ("/meet", 404),
            ("/meet/meet/form/x", 404),
        ] {
            let head = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: path, headers: ["Host": "x"])
            let answer = await responder.answer(to: head, form: nil)
            #expect(Int(answer.status.code) == status, "\(path)")
        }
    }
}
