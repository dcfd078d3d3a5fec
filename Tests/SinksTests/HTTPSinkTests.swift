import Agenda
import Foundation
import Ledger
import Testing
import TestKit
import Timekeeping
import Transport
@testable import Sinks

@Suite(.timeLimit(.minutes(5))) struct HTTPSinkTests {
    private func faults(
        _ name: String, when behaviour: SinkConformance.Behaviour,
        answer: @escaping FakeHTTPServer.Handler
    ) async throws -> [String] {
        let counterpart = try ServiceCounterpart(name, answer: answer)
        defer { counterpart.server.stop() }
        let messages = (0..<20).map { counterpart.outgoing("id\($0)") }
        if case .isAway = behaviour { counterpart.server.stop() }
        return try await SinkConformance.faults(
            of: counterpart, when: behaviour, messages: messages)
    }

    @Test(arguments: ServiceCounterpart.names)
    func `Every behaviour of a service gets the right outcome`(
        _ name: String
    ) async throws {
        #expect(try await faults(name, when: .answersWell) { _ in .json("{}") } == [])
        #expect(
            try await faults(name, when: .answersSlowly) { _ in
                .json(#"{"id":"x"}"#, manner: .trickling(bytes: 2, everyMilliseconds: 10))
            } == [])
        #expect(
            try await faults(name, when: .answersWrongly) { _ in
                FakeAnswer(299 + 700, body: Array("\0\u{FF}???".utf8))
            } == [])
        #expect(
            try await faults(name, when: .breaksOff) { _ in FakeAnswer(503, manner: .hangUp) }
                == [])
        #expect(
            try await faults(name, when: .refuses) { _ in
                FakeAnswer(503, body: Array("later".utf8))
            } == [])
        #expect(try await faults(name, when: .isAway) { _ in .json("{}") } == [])
    }

    private func report(
        _ name: String, _ status: Int, _ body: String = "no",
        headers: [(name: String, value: String)] = []
    ) async throws -> AttemptReport {
        let counterpart = try ServiceCounterpart(name) { _ in
            FakeAnswer(status, headers: headers, body: Array(body.utf8))
        }
        defer { counterpart.server.stop() }
        return await counterpart.sink.deliver(counterpart.outgoing("id"))
    }

    /// The outcome of a delivery by the status of the response.
    @Test(arguments: [
        ("webhook", 200, AttemptOutcome.accepted), ("webhook", 204, .accepted),
        ("webhook", 301, .retry), ("webhook", 304, .retry), ("webhook", 400, .retry),
        ("webhook", 401, .retry), ("webhook", 404, .retry), ("webhook", 410, .permanent),
        ("webhook", 413, .permanent), ("webhook", 429, .retry), ("webhook", 500, .retry),
        ("ntfy", 200, .accepted), ("ntfy", 302, .retry), ("ntfy", 400, .permanent),
        ("ntfy", 401, .misconfigured), ("ntfy", 403, .misconfigured), ("ntfy", 413, .permanent),
        ("ntfy", 429, .retry), ("ntfy", 507, .retry),
        ("gotify", 400, .permanent), ("gotify", 401, .misconfigured), ("gotify", 404, .permanent),
        ("gotify", 500, .retry),
        ("matrix", 401, .misconfigured), ("matrix", 403, .misconfigured),
        ("matrix", 413, .permanent), ("matrix", 429, .retry),
        ("slack", 400, .permanent), ("slack", 403, .permanent), ("slack", 404, .permanent),
        ("slack", 500, .retry),
        ("http", 418, .retry), ("http", 500, .permanent), ("http", 504, .permanent),
        ("http", 503, .retry), ("http", 200, .accepted),
    ])
    func `A status means what the service documents`(
        _ name: String, _ status: Int, _ outcome: AttemptOutcome
    ) async throws {
        let report = try await report(name, status)
        #expect(report.outcome == outcome, "\(report)")
        #expect(report.code == "\(status)")
    }

    @Test func `A retry waits as long as the service asks`() async throws {
        let wait = [(name: "Retry-After", value: "120")]
        #expect(try await report("webhook", 429, headers: wait).retryAfterSeconds == 120)
        #expect(try await report("slack", 503, headers: wait).retryAfterSeconds == 120)
        let matrix = try await report(
            "matrix", 429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2000}"#)
        #expect(matrix.retryAfterSeconds == 3)
        #expect(try await report("matrix", 429, "not JSON").retryAfterSeconds == nil)
    }

    @Test func `A Slack-style service reports a missing room by its words`() async throws {
        #expect(try await report("slack", 407, "no_service").outcome == .permanent)
        #expect(try await report("slack", 400, "invalid_payload").outcome == .permanent)
    }

    @Test func `A closed address gets no more requests, and a new address does`() async throws {
        let counterpart = try ServiceCounterpart("webhook") { _ in FakeAnswer(410) }
        defer { counterpart.server.stop() }
        let first = await counterpart.sink.deliver(counterpart.outgoing("id1"))
        let hash = try #require(first.closedAddressHash)
        var second = counterpart.outgoing("id2")
        second.closure = ChannelClosure(addressHash: hash, reason: "gone")
        let report = await counterpart.sink.deliver(second)
        #expect(report.outcome == .permanent)
        #expect(report.reply.contains("gone"))
        #expect(counterpart.server.requests.count == 1)
        second.target = ChannelTarget(url: "\(counterpart.server.url)/other")
        _ = await counterpart.sink.deliver(second)
        #expect(counterpart.server.requests.map(\.path) == ["/hook", "/other"])
    }

    @Test(arguments: ServiceCounterpart.names)
    func `Nothing is sent to a private address that is not allowed`(_ name: String) async throws {
        let counterpart = try ServiceCounterpart(name, allowing: "10.0.0.0/8") { _ in .json("{}") }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(counterpart.outgoing("id"))
        #expect(report.outcome == .misconfigured)
        #expect(report.reply.contains("LETSMEET_WEBHOOK_ALLOW"))
        #expect(counterpart.server.connectionsCount == 0)
    }

    @Test(arguments: ServiceCounterpart.names)
    func `A removed channel and an invalid channel have different outcomes`(
        _ name: String
    ) async throws {
        let counterpart = try ServiceCounterpart(name) { _ in .json("{}") }
        defer { counterpart.server.stop() }
        var outgoing = counterpart.outgoing("id")
        outgoing.target = nil
        let removed = await counterpart.sink.deliver(outgoing)
        #expect(removed.outcome == .permanent)
        #expect(removed.reply.contains("room"))
        outgoing.target = ChannelTarget(url: "ftp://example.org", target: "nothing")
        let wrong = await counterpart.sink.deliver(outgoing)
        #expect(wrong.outcome == .misconfigured)
        #expect(!wrong.reply.isEmpty)
        outgoing.channel = ""
        outgoing.target = nil
        #expect(await counterpart.sink.deliver(outgoing).outcome == .misconfigured)
        #expect(counterpart.server.requests.isEmpty)
    }

    @Test(arguments: ServiceCounterpart.names)
    func `A huge response counts by its status`(
        _ name: String
    ) async throws {
        let counterpart = try ServiceCounterpart(name) { _ in
            FakeAnswer(200, body: [UInt8](repeating: 65, count: 1 << 20))
        }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(counterpart.outgoing("id"))
        #expect(report.outcome == .accepted)
        #expect(report.reply.utf8.count <= 500)
    }

    @Test(arguments: ServiceCounterpart.names)
    func `A secret that the receiver repeats is not stored`(_ name: String) async throws {
        let secret = name == "webhook" ? ServiceCounterpart.secret : "s3cret+/=token"
        let counterpart = try ServiceCounterpart(name) { request in
            let headers = request.headers.map { "\($0): \($1)" }.joined(separator: "\n")
            return FakeAnswer(
                500, body: Array("\(request.path)/private-path \(secret) \(headers)".utf8))
        }
        defer { counterpart.server.stop() }
        var outgoing = counterpart.outgoing("id")
        let target = counterpart.target(secret: secret)
        outgoing.target = ChannelTarget(
            url: target.url.isEmpty ? "" : "\(counterpart.server.url)/private-path",
            target: target.target, secret: secret)
        let report = await counterpart.sink.deliver(outgoing)
        #expect(!report.reply.contains(secret), "\(report.reply)")
        #expect(name == "http" || !report.reply.contains("private-path"), "\(report.reply)")
    }

    @Test func `Oversized headers do not hide the status`() async throws {
        let counterpart = try ServiceCounterpart("webhook") { _ in
            FakeAnswer(200, headers: [("X-Large", String(repeating: "x", count: 90_000))])
        }
        defer { counterpart.server.stop() }
        #expect(await counterpart.sink.deliver(counterpart.outgoing("id")).outcome == .accepted)
    }

    @Test func `A request cancelled after it was sent is ambiguous`() async throws {
        let counterpart = try ServiceCounterpart("webhook") { _ in
            FakeAnswer(200, manner: .silent)
        }
        defer { counterpart.server.stop() }
        let sink = counterpart.sink
        let outgoing = counterpart.outgoing("id")
        let sending = Task { await sink.deliver(outgoing) }
        while counterpart.server.requests.isEmpty { await Task.yield() }
        sending.cancel()
        #expect(await sending.value.outcome == .ambiguous)
    }

    /// Invalid descriptions of requests.
    @Test(arguments: [
        "url: ftp://a.example", "url: https://a.example\nheaders: [x]",
        "url: https://a.example\nheaders: {'Bad Name': x}",
        "url: https://a.example\nheaders: {Content-Length: 3}",
        "url: https://a.example\nheaders: {X: '{{text}}'}",
        "url: 'https://a.example/{{text}}'", "url: https://a.example\nbody: 'a={{title}}'",
        "url: https://a.example\nbody: '{\"a\": \"{{title}}\"}'",
        "url: https://a.example\nheaders: {Content-Type: application/json}\nbody: '{{{text_json}}'",
        "url: https://a.example\naccepted: [[200]]", "url: https://a.example\nretry: 99",
        "url: https://a.example\nretry: 300-200", "url: https://a.example\nsurprise: 1",
        "url: https://a.example\nmethod: GET", "method: POST", "", "[]", "- a", "{",
        "url: https://a.example\na: &a [x, x]\nb: &b [*a, *a]\naccepted: [*b, *b]",
    ])
    func `An invalid description is refused`(_ description: String) {
        #expect(throws: (any Error).self) {
            try RequestTemplate(description).check(hasSecret: true)
        }
    }

    @Test func `A description with too many aliases is refused before it is expanded`() {
        let bomb = (1..<30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
        let fault = #expect(throws: SinkFault.self) {
            try RequestTemplate("url: &a0 https://a.example\n\(bomb)? *a29 : x\n")
        }
        #expect(fault?.reason.contains("line 7: there are more than 10 aliases") == true)
    }

    @Test func `A body that is not valid JSON is refused with the place of the mistake`() throws {
        let body = "{\n  \"a\": 1,\n  \"text\": \"{{text_json}}\"\n}"
        let description =
            "url: https://a.example\nbody: |\n  "
            + body.replacing("\n", with: "\n  ")
        let fault = #expect(throws: SinkFault.self) {
            try RequestTemplate(description).check(hasSecret: false)
        }
        #expect(fault?.reason.contains("line 3") == true, "\(fault?.reason ?? "")")
        #expect(fault?.reason.contains("\"text\": \"\"Two") == true)
    }

    /// Bodies with a mistake, and the place that the refusal names. As JSON, the sample text has 25
    /// characters.
    @Test(arguments: [
        (#"{"text": {{text_json}},}"#, "The mistake is in line 1, column 36: "),
        ("[{{text_json}},]", "The mistake is in line 1, column 28: "),
        (#"{"a": {"b": 1,},}"#, #"The mistake is in line 1, column 15: {"a": {"b": 1,},}"#),
        (#"{"a": tru}"#, #"The mistake is in line 1, column 10: {"a": tru}"#),
        (#"{"a": "\ud800"}"#, #"The mistake is in line 1, column 8: {"a": "\ud800"}"#),
        (#"{"text": {{text_json}}"#, "It ends too early, in line 1, column 35."),
        ("[{{text_json}}", "It ends too early, in line 1, column 27."),
        (#"{"ä": "x"#, "It ends too early, in line 1, column 9."),
    ])
    func `A body that is almost JSON is refused with the place of the mistake`(
        _ body: String, _ place: String
    ) throws {
        let template = try RequestTemplate("url: https://a.example\nbody: '\(body)'")
        let fault = #expect(throws: SinkFault.self) { try template.check(hasSecret: false) }
        #expect(fault?.reason.contains(place) == true, "\(fault?.reason ?? "")")
    }

    @Test func `A body in JSON gets its content type`() throws {
        let counterpart = try ServiceCounterpart("http") { _ in .json("{}") }
        defer { counterpart.server.stop() }
        let template = try RequestTemplate("url: https://a.example\nbody: '{\"a\": {{text_json}}}'")
        let request = try template.request(for: counterpart.outgoing("id"), secret: "")
        #expect(request.headers["Content-Type"] == "application/json")
    }

    @Test func `A description that needs a secret is refused without one`() throws {
        let template = try RequestTemplate(
            "url: https://a.example\nheaders: {Authorization: 'Bearer {{ secret }}'}")
        #expect(throws: SinkFault.self) { try template.check(hasSecret: false) }
        try template.check(hasSecret: true)
    }

    @Test func `A text too long for an address fails, and the channel stays open`() async throws {
        let counterpart = try ServiceCounterpart("http") { _ in .json("{}") }
        defer { counterpart.server.stop() }
        let url = "\(counterpart.server.url)/x?a={{text_url}}"
        var outgoing = counterpart.outgoing("id", text: String(repeating: "ж", count: 3000))
        outgoing.target = ChannelTarget(url: "", target: "url: '\(url)'")
        #expect(await counterpart.sink.deliver(outgoing).outcome == .permanent)
        outgoing = counterpart.outgoing("id", text: "short")
        outgoing.target = ChannelTarget(url: "", target: "url: '\(url)'")
        #expect(await counterpart.sink.deliver(outgoing).outcome == .accepted)
    }

    /// The text as written, and as sent to Discord.
    @Test(arguments: [
        ("a @everyone b", "a @\u{200B}everyone b"), ("x@here", "x@\u{200B}here"),
        ("(@Anna)", "(@\u{200B}Anna)"), ("anna@example.org", "anna@example.org"),
        ("https://m.example/@60.1,24.9z", "https://m.example/@60.1,24.9z"),
        ("https://m.example/@everyone", "https://m.example/@\u{200B}everyone"),
        ("x://<@12>", "x://<\u{200B}@\u{200B}12>"),
        ("![p](https://t.example/p.png)", "![p]\u{200B}(https://t.example/p.png)"),
    ])
    func `Mentions are disabled, and links show their address`(
        _ text: String, _ sent: String
    ) async throws {
        let shown = try await discord(text)
        #expect(shown.contains("\n\n\(sent) ["), "\(shown)")
    }

    @Test func `An escaped text stays within the size limit`() async throws {
        for text in [String(repeating: "@all ", count: 900), String(repeating: "<", count: 3000)] {
            let shown = try await discord(text)
            #expect(shown.utf8.count <= 2000)
            #expect(shown.hasSuffix("…"))
        }
    }

    @Test func `A name that is cut off does not turn the text behind it`() {
        let name = "\u{2068}" + String(repeating: "א", count: 20) + "\u{2069}"
        for octets in [9, 16, 17, 40] {
            let cut = "From \(name) to all".fitting(octets: octets)
            let starts = cut.count { $0 == "\u{2068}" }
            #expect(cut.count { $0 == "\u{2069}" } == starts, "\(octets)")
            #expect(cut.utf8.count <= octets && cut.contains("…"))
        }
        #expect(name.fitting(octets: 100) == name)
    }

    private func discord(_ text: String) async throws -> String {
        let counterpart = try ServiceCounterpart("slack") { _ in .json("{}") }
        defer { counterpart.server.stop() }
        var outgoing = counterpart.outgoing("id", text: text)
        outgoing.target = ChannelTarget(url: "\(counterpart.server.url)/api/webhooks/1/x/slack")
        #expect(await counterpart.sink.deliver(outgoing).outcome == .accepted)
        let request = try #require(counterpart.server.requests.first)
        let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
        return body?["text"] as? String ?? ""
    }

    @Test func `Words are encoded in forms and unchanged in plain text`() async throws {
        for (type, word) in [
            ("application/x-www-form-urlencoded", "title_url"), ("text/plain", "title"),
        ] {
            let counterpart = try ServiceCounterpart("http") { _ in .json("{}") }
            defer { counterpart.server.stop() }
            var outgoing = counterpart.outgoing("id")
            outgoing.target = ChannelTarget(
                url: "",
                target: """
                    url: "\(counterpart.server.url)/x"
                    method: put
                    headers: {Content-Type: \(type)}
                    body: "a={{\(word)}}&b=1"
                    """)
            #expect(await counterpart.sink.deliver(outgoing).outcome == .accepted)
            let request = try #require(counterpart.server.requests.first)
            #expect(request.method == "PUT")
            #expect(String(decoding: request.body, as: UTF8.self) == "a=Lunch&b=1")
        }
    }

    /// User text that must not be taken for anything but text.
    static let hostile = [
        "a\r\nX-Injected: 1\r\n\r\n", "nul\0nul", "\u{202E}drawkcab", "=?utf-8?B?aGk=?=",
        "<script>&\"'</script>", "{{#text}}{{/text}} {{secret}}", "😀🧑‍🚀", "\\\"},\"x\":{\"",
        String(repeating: "ä", count: 10_000), "@channel @everyone <!here>", "a&b=c%20?#",
    ]

    @Test(arguments: ServiceCounterpart.names, hostile)
    func `User text arrives as text and changes nothing else`(
        _ name: String, _ text: String
    ) async throws {
        let counterpart = try ServiceCounterpart(name) { _ in .json("{}") }
        defer { counterpart.server.stop() }
        let report = await counterpart.sink.deliver(counterpart.outgoing("id", text: text))
        #expect(report.outcome == .accepted, "\(report)")
        let request = try #require(counterpart.server.requests.first)
        #expect(counterpart.server.requests.count == 1)
        #expect(request.headers["x-injected"] == nil)
        let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
        #expect(body?["x"] == nil)
        #expect(body?.isEmpty == false)
        if name == "ntfy" {
            #expect((body?["message"] as? String ?? "").utf8.count <= 4096)
        }
        if name == "slack" {
            let shown = body?["text"] as? String ?? ""
            #expect(!shown.contains("@channel") && !shown.contains("<"))
        }
    }
}
