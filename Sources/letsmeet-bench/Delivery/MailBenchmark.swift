import ArgumentParser
import Interchange
import Planning
import Settings
import Sinks
import Transport

/// The benchmark that sends mail to a server.
struct MailBenchmark: SendBenchmark {
    private static let sender = "olga@example.org"

    let url: String
    let guestCount = 50

    var settings: [String: String] {
        ["LETSMEET_SINKS": "mail", "LETSMEET_SMTP_URL": url, "LETSMEET_MAIL_FROM": Self.sender]
    }

    func sink(in surroundings: PlannerSurroundings, connectionCount: Int) throws -> any Sink {
        let server = SMTPServer(
            try MailServerAddress.parse(url, of: .smtp), password: nil,
            greeting: surroundings.hostName)
        let client = try SMTPClient(
            server: server, connectionsMax: connectionCount, uptime: surroundings.uptime)
        return MailSink(client: client, from: try Mailbox(Self.sender))
    }

    func message(_ outgoing: OutgoingMessage, through sink: any Sink) throws -> ReadyMessage {
        guard let sink = sink as? MailSink else { throw BenchFault("this is not a mail sink") }
        let message = try sink.message(outgoing)
        let client = sink.client
        return ReadyMessage(octets: message.octets) {
            let outcome = await client.send(message)
            guard case .accepted = outcome else { throw BenchFault("mail refused: \(outcome)") }
        }
    }
}

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Time mail: the client alone, and from end to end.",
        discussion: """
            Sends one invitation n times over persistent connections. Then plans n invitations in \
            a separate home and delivers them, from the due delivery to the durable outcome. Use \
            only a server that accepts and discards everything, such as Postfix's smtp-sink: the \
            guests are guest0@example.org and so on. Times are wall-clock times.

            EXAMPLE: letsmeet-bench mail --url smtp://127.0.0.1:2525 --n 20000 --connections 10
            """)

    @Option(help: ArgumentHelp("The server, as in LETSMEET_SMTP_URL.", valueName: "url"))
    var url: String
    @OptionGroup var size: SendSize
    @Flag(help: "Print one JSON object for other programs.") var json = false

    func validate() throws {
        do {
            _ = try MailServerAddress.parse(url, of: .smtp)
        } catch {
            throw ValidationError("--url cannot be used: \(error.reason).")
        }
    }

    func run() async throws {
        try await LetsmeetBench.show(asJSON: json) {
            try await size.run("mail", MailBenchmark(url: url)).report()
        }
    }
}
