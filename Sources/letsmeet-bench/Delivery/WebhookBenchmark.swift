import ArgumentParser
import Planning
import Sinks
import Transport

/// The benchmark that sends signed webhooks to one receiver.
struct WebhookBenchmark: SendBenchmark {
    /// Not a real secret: the receiver of a benchmark accepts everything.
    private static let secret = "whsec_bGV0c21lZXQgYmVuY2htYXJrIHNlY3JldA=="

    let url: HTTPURL
    /// The hosts allowed in addition to that of the URL, in the form of ``settings``.
    var alsoAllowed = ""
    let guestCount = 0

    var settings: [String: String] {
        [
            "LETSMEET_SINKS": "webhook", "LETSMEET_WEBHOOK_URL": url.text,
            "LETSMEET_WEBHOOK_SECRET": Self.secret,
            "LETSMEET_WEBHOOK_ALLOW": url.host + alsoAllowed,
        ]
    }

    func sink(in surroundings: PlannerSurroundings, connectionCount: Int) throws -> any Sink {
        var sink = try sink(in: surroundings)
        sink.connectionsMax = connectionCount
        return sink
    }

    /// The sink, with as many connections as in a daemon.
    func sink(in surroundings: PlannerSurroundings) throws -> HTTPSink {
        let sinks = try surroundings.sinks()
        guard let sink = sinks.first(where: { $0.name == "webhook" }) as? HTTPSink else {
            throw BenchFault("webhooks are not enabled")
        }
        return sink
    }

    func message(_ outgoing: OutgoingMessage, through sink: any Sink) throws -> ReadyMessage {
        guard let request = try (sink as? HTTPSink)?.request(for: outgoing) else {
            throw BenchFault("this is not a webhook sink")
        }
        let client = try HTTPClient(
            userAgent: "letsmeet-bench", guardian: try AddressGuard(allowing: url.host))
        return ReadyMessage(octets: request.body) {
            let response = try await client.send(request)
            guard (200...299).contains(response.status) else {
                throw BenchFault("a request was answered with \(response.status)")
            }
        }
    }
}

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Time webhooks: the client alone, and from end to end.",
        discussion: """
            Sends the webhook of one invitation n times over persistent connections. Then plans n \
            meetings in a separate home and delivers the webhook of each, from the due delivery to \
            the durable outcome. The receiver must answer each with 2xx. Times are wall-clock times.

            With --destinations, n webhooks go through that many channels, all to the same \
            receiver, as a daemon sends them: once while all answer, and once next to an extra \
            one that accepts connections and never answers.

            EXAMPLE: letsmeet-bench webhook --url http://127.0.0.1:8080/ --n 20000
            """)

    @Option(
        help: "The URL that receives the requests.",
        transform: { text in
            do throws(TransportError) {
                return try HTTPURL(text)
            } catch {
                throw ValidationError("--url cannot be used: \(error.message)")
            }
        })
    var url: HTTPURL
    @OptionGroup var size: SendSize
    @Option(help: "The number of destinations; measures the effect of a dead one on the others.")
    var destinations: Int?
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        guard destinations.map((2...1000).contains) ?? true else {
            throw ValidationError("--destinations must be from 2 to 1000.")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) {
            if let destinations {
                return try await DestinationsRun(
                    url: url, count: size.n, destinationCount: destinations
                ).report()
            }
            return try await size.run("webhook", WebhookBenchmark(url: url)).report()
        }
    }
}
