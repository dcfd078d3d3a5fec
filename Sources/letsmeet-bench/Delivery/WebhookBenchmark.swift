import ArgumentParser
import Planning
import Sinks
import Transport

/// Webhooks to one receiver, signed.
struct WebhookBenchmark: SendBenchmark {
    /// Nobody holds it: the receiver of a benchmark takes all.
    private static let secret = "whsec_bGV0c21lZXQgYmVuY2htYXJrIHNlY3JldA=="

    let url: HTTPURL
    /// Where requests may go beside the host of the address, as ``settings`` say it.
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

    /// What delivers, over as many connections as a daemon has.
    func sink(in surroundings: PlannerSurroundings) throws -> HTTPSink {
        let sinks = try surroundings.sinks()
        guard let sink = sinks.first(where: { $0.name == "webhook" }) as? HTTPSink else {
            throw BenchFault("webhooks are not on")
        }
        return sink
    }

    func message(_ outgoing: OutgoingMessage, through sink: any Sink) throws -> ReadyMessage {
        guard let request = try (sink as? HTTPSink)?.request(for: outgoing) else {
            throw BenchFault("this is no sink for webhooks")
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
        abstract: "Time webhooks: the client alone, and the whole way.",
        discussion: """
            Sends the webhook of an invitation n times over connections that are kept; then plans \
            n meetings in a home of its own and delivers the webhook of each, from what is due to \
            the durable outcome. The receiver has to answer each with 2xx. Times are those of a \
            clock on the wall.

            With --destinations, n webhooks go to so many channels, all of them at that receiver, \
            as a daemon sends them: once while all answer, and once beside one more that takes \
            connections and never answers.

            EXAMPLE: letsmeet-bench webhook --url http://127.0.0.1:8080/ --n 20000
            """)

    @Option(
        help: "Where requests go.",
        transform: { text in
            do throws(TransportError) {
                return try HTTPURL(text)
            } catch {
                throw ValidationError("--url cannot be used: \(error.message)")
            }
        })
    var url: HTTPURL
    @OptionGroup var size: SendSize
    @Option(help: "How many destinations; for what a dead one costs the others.")
    var destinations: Int?
    @Flag(help: "Print one JSON object, for other programs to read.") var json = false

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
