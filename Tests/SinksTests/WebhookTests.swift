import Agenda
import Foundation
import Ledger
import Secrets
import TestKit
import Testing
import Timekeeping

@testable import Sinks

@Suite(.timeLimit(.minutes(5))) struct WebhookTests {
    private func request(
        _ change: (inout OutgoingMessage, ServiceCounterpart) -> Void = { _, _ in }
    ) async throws -> FakeRequest {
        let counterpart = try ServiceCounterpart("webhook") { _ in FakeAnswer(200) }
        defer { counterpart.server.stop() }
        var outgoing = counterpart.outgoing("mmmm")
        change(&outgoing, counterpart)
        let report = await counterpart.sink.deliver(outgoing)
        #expect(report.outcome == .accepted, "\(report)")
        return try #require(counterpart.server.requests.first)
    }

    private func body(_ request: FakeRequest) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
    }

    @Test func `A request has an id, a timestamp and a signature`() async throws {
        let request = try await request()
        #expect(request.method == "POST")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["webhook-id"] == "mmmm")
        #expect(request.headers["webhook-timestamp"] == "1614265330")
        let secret = try #require(WebhookSecret(ServiceCounterpart.secret))
        #expect(
            request.headers["webhook-signature"]
                == secret.signature(id: "mmmm", seconds: 1_614_265_330, body: request.body))
    }

    @Test func `After a rotation both the old and the new key sign`() async throws {
        let new = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
        let request = try await request { outgoing, counterpart in
            outgoing.target = ChannelTarget(
                url: counterpart.server.url, secret: new, oldSecret: ServiceCounterpart.secret)
        }
        let keys = try [new, ServiceCounterpart.secret].map { try #require(WebhookSecret($0)) }
        #expect(
            request.headers["webhook-signature"]
                == keys.map {
                    $0.signature(id: "mmmm", seconds: 1_614_265_330, body: request.body)
                }.joined(separator: " "))
    }

    @Test func `A single receiver is named, and an audience sees only counts`() async throws {
        let alone = try body(try await request())
        #expect(alone["type"] as? String == "invitation.sent")
        #expect(alone["timestamp"] as? String == "2026-11-30T00:53:20.000Z")
        let facts = try #require(alone["data"] as? [String: Any])
        #expect(
            facts["to"] as? [String: String] == [
                "name": "Anna Aalto", "address": "anna@example.org",
            ])
        #expect(facts["audience"] == nil)
        #expect(facts["id"] as? String == "mmmm")
        let many = try body(
            try await request { outgoing, _ in
                outgoing.audience = "hikers"
                outgoing.turnout = Turnout(
                    answers: AnswerCounts(of: [.going, .going, .invited]), plus: 2)
            })
        let shared = try #require(many["data"] as? [String: Any])
        #expect(shared["to"] == nil)
        #expect(shared["audience"] as? String == "hikers")
        let counts = [
            "going": 2, "invited": 1, "maybe": 0, "declined": 0, "waiting": 0,
            "outdated": 0, "plus": 2,
        ]
        #expect(shared["answers"] as? [String: Int] == counts)
        let fields = [
            "id", "kind", "audience", "answers", "meeting", "title", "start", "tz", "due",
            "subject", "text",
        ]
        #expect(Set(shared.keys) == Set(fields))
    }

    @Test func `The configured address is used, and requests are signed if a secret is set`()
        async throws
    {
        for secret in ["", ServiceCounterpart.secret] {
            let server = try FakeHTTPServer { _ in FakeAnswer(200) }
            defer { server.stop() }
            let counterpart = try ServiceCounterpart(
                "webhook",
                environment: [
                    "LETSMEET_WEBHOOK_URL": "\(server.url)/all", "LETSMEET_WEBHOOK_SECRET": secret,
                ]
            ) { _ in FakeAnswer(500) }
            defer { counterpart.server.stop() }
            #expect(await counterpart.sink.deliver(.sample("id")).outcome == .accepted)
            #expect(server.requests.map(\.path) == ["/all"])
            #expect((server.requests.first?.headers["webhook-signature"] == nil) == secret.isEmpty)
        }
    }

    @Test(arguments: [
        ("LETSMEET_WEBHOOK_URL", "ftp://example.org"),
        ("LETSMEET_WEBHOOK_URL", "http://user:pass@example.org/"),
        ("LETSMEET_WEBHOOK_URL", "not an address"), ("LETSMEET_WEBHOOK_SECRET", "whsec_c2hvcnQ="),
        ("LETSMEET_WEBHOOK_SECRET", "hunter2"),
    ])
    func `An invalid setting is reported at the start, without its value`(
        _ variable: String, _ value: String
    ) throws {
        var environment = ["LETSMEET_WEBHOOK_URL": "https://example.org/hook"]
        environment[variable] = value
        let fault = #expect(throws: SinkFault.self) {
            try ServiceCounterpart("webhook", environment: environment) { _ in FakeAnswer(200) }
        }
        #expect(fault?.reason.contains(value) == false)
        #expect(throws: SinkFault.self) {
            try ServiceCounterpart("ntfy", allowing: "300.1.2.3/99") { _ in FakeAnswer(200) }
        }
    }
}
