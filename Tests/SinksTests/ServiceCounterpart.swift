import Agenda
import Foundation
import Ledger
import Settings
import Synchronization
import TestKit
import Timekeeping

@testable import Sinks

/// A service with scripted behaviour, and a sink connected to it.
struct ServiceCounterpart: SinkCounterpart {
    /// The secret of the example in Standard Webhooks.
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let names = ["webhook", "ntfy", "gotify", "matrix", "slack", "http"]

    let server: FakeHTTPServer
    let sink: any Sink
    let name: String
    private let taken = Taken()

    /// The requests that were accepted.
    private final class Taken: Sendable {
        let requests = Mutex<[FakeRequest]>([])
    }

    init(
        _ name: String, allowing list: String = "127.0.0.1",
        environment: [String: String] = [:], answer: @escaping FakeHTTPServer.Handler
    ) throws {
        self.name = name
        let taken = taken
        server = try FakeHTTPServer { request in
            let answer = answer(request)
            if (200...299).contains(answer.status) {
                taken.requests.withLock { $0.append(request) }
            }
            return answer
        }
        var environment = environment
        environment["LETSMEET_WEBHOOK_ALLOW"] = list
        let world = SinkContext(
            configuration: try Configuration(
                home: Home(option: "/nowhere", environment: [:]), environment: environment),
            clock: ManualClock(Moment(seconds: 1_614_265_330)), uptime: { .zero },
            hostName: "localhost", userAgent: "letsmeet/test")
        guard let definition = SinkTable.definitions.first(where: { $0.kind.name == name }) else {
            throw SinkFault(sink: name, reason: "there is no such sink")
        }
        sink = try definition.make(in: world, isOn: environment["LETSMEET_WEBHOOK_URL"] != nil)
    }

    /// The target of a channel of this service.
    func target(secret: String? = nil) -> ChannelTarget {
        switch name {
        case "webhook": ChannelTarget(url: "\(server.url)/hook", secret: secret ?? Self.secret)
        case "ntfy": ChannelTarget(url: "\(server.url)/our-club", secret: secret ?? "")
        case "matrix":
            ChannelTarget(url: server.url, target: "!abc:example", secret: secret ?? "token")
        case "http":
            ChannelTarget(
                url: "",
                target: """
                    url: "\(server.url)/{{id_url}}"
                    headers:
                      Content-Type: application/json
                      X-Id: "{{id}}"
                      Authorization: "Bearer {{secret}}"
                    body: '{"text": {{text_json}}, "title": {{title_json}}}'
                    retry: 418
                    permanent: 500-501, 504
                    """, secret: secret ?? "token")
        default: ChannelTarget(url: "\(server.url)/some/place", secret: secret ?? "token")
        }
    }

    func outgoing(_ identity: String, text: String = "Lunch at noon.") -> OutgoingMessage {
        var outgoing = OutgoingMessage.sample(identity, text: "\(text) [\(identity)]")
        outgoing.channel = "room"
        outgoing.target = target()
        return outgoing
    }

    /// The identities of the deliveries, which each text contains.
    func arrivals() async throws -> [String] {
        taken.requests.withLock(\.self).compactMap { request in
            String(decoding: request.body, as: UTF8.self)
                .firstMatch(of: /\[([^\]"]+)\]/).map { String($0.1) }
        }
    }
}
