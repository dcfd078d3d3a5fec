import Agenda
public import Interchange
public import Ledger
public import Settings
import Synchronization
public import Transport

/// Mails each delivery to its person, through the server that the configuration names.
public struct MailSink: Sink {
    /// `mail`.
    public let name = SinkKind.mail.name
    /// For two days, closer at first.
    public let schedule = RetrySchedule.mail
    /// A mail may come twice; its Message-ID says so.
    public let policy = AmbiguityPolicy.resend
    /// Two for each connection: the next mail is ready when one has gone.
    public var limits: DestinationLimits {
        DestinationLimits(concurrency: 2 * client.connectionsMax)
    }
    /// Mails of a meeting go on from the first, and calendars read them.
    public let takesEnclosures = true

    /// How many connections to the server there are at most.
    static let connectionsMax = 4

    /// What sends.
    public let client: SMTPClient
    private let from: Mailbox
    private let memory = ServerMemory()

    /// A sink that sends from an address, through a server.
    public init(client: SMTPClient, from: Mailbox) {
        self.client = client
        self.from = from
    }

    /// The threads that send.
    public var executor: (any TaskExecutor)? { client.executor }

    /// All go through one server.
    public func destination(of address: String) -> String { client.server.description }

    /// Hands the mail over, and waits for the server's last word.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let message: SMTPMessage
        do throws(Mailbox.Fault) {
            message = try self.message(outgoing)
        } catch {
            return AttemptReport(
                .permanent, code: "5.1.3", reply: "\(outgoing.address) is no address to send to",
                isAddressBad: true)
        }
        return memory.report(await client.send(message))
    }

    /// The mail that brings a parcel.
    ///
    /// - Throws: `Mailbox.Fault` where its address is none.
    public func message(_ outgoing: OutgoingMessage) throws(Mailbox.Fault) -> SMTPMessage {
        let message = try MailText.message(of: outgoing, from: from)
        return SMTPMessage(
            sender: from.address, receiver: message.to.address, octets: message.octets,
            needsUTF8: message.needsUTF8, isWanted: outgoing.isWanted
        ) { [memory, onFailure = outgoing.onFailure] outcome in
            if case .accepted = outcome { return memory.noteTaken() }
            onFailure(memory.report(outcome))
        }
    }
}

/// Whether a server has taken a mail from here.
private final class ServerMemory: Sendable {
    private let hasTaken = Atomic(false)

    func noteTaken() { hasTaken.store(true, ordering: .relaxed) }

    func report(_ outcome: SMTPOutcome) -> AttemptReport {
        SMTPVerdict.report(outcome, hasTaken: hasTaken.load(ordering: .relaxed))
    }
}

extension MailSink {
    static let definition = SinkDefinition(.mail, form: form) { world, _ throws(SinkFault) in
        try MailSink(world)
    }

    private static let form = ChannelForm(
        url: .no, target: .mayBe, secret: .no,
        words: "--to is the address; without it mail goes to the person's own."
    ) { target in
        if !target.target.isEmpty { _ = try Mailbox(target.target) }
    }

    /// The sink that a configuration describes.
    private init(_ world: SinkContext) throws(SinkFault) {
        do {
            self.init(
                client: try SMTPClient(
                    server: try Self.server(world), connectionsMax: Self.connectionsMax,
                    uptime: world.uptime, transcript: world.transcript),
                from: try Self.sender(world.configuration))
        } catch let fault as SinkFault {
            throw fault
        } catch {
            throw SinkFault(sink: SinkKind.mail.name, reason: "\(error)")
        }
    }

    private static func server(_ world: SinkContext) throws -> SMTPServer {
        let configuration = world.configuration
        for secret in [SettingName.smtpURL, .smtpPassword] {
            if let fault = configuration.fault(of: secret) { throw fault }
        }
        guard let address = try configuration.smtpAddress() else {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "smtp.url is not set: set it, or LETSMEET_SMTP_URL.")
        }
        guard address.user == nil || address.password != nil || configuration.smtpPassword != nil
        else {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "smtp.url names a user, and no password is set: set "
                    + "LETSMEET_SMTP_PASSWORD, or LETSMEET_SMTP_PASSWORD_FILE.")
        }
        return SMTPServer(
            address, password: configuration.smtpPassword, greeting: world.hostName)
    }

    private static func sender(_ configuration: Configuration) throws(SinkFault) -> Mailbox {
        guard let sender = configuration.mailFrom else {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "no mail address is set to send from: set mail.from, or "
                    + "LETSMEET_MAIL_FROM.")
        }
        do throws(Mailbox.Fault) {
            return try Mailbox(sender)
        } catch {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "mail.from, or owner.address in its place, is no mail address.")
        }
    }
}

extension SMTPServer.Encryption {
    /// How a connection is protected, as the address of a server says it.
    public init(_ protection: MailServerAddress.Protection) {
        self =
            switch protection {
            case .none: .none
            case .startTLS: .startTLS
            case .tls: .tls
            }
    }
}

extension SMTPServer {
    /// The server of an address. A program that has no name of its own greets by an address
    /// (RFC 5321, 4.1.4).
    public init(_ address: MailServerAddress, password: Secret?, greeting: String) {
        self.init(
            host: address.host, port: address.port, encryption: Encryption(address.protection),
            user: address.user,
            password: (address.password ?? password)?.value, authorities: address.authorities,
            greeting: greeting.contains(".") ? greeting : "[127.0.0.1]")
    }
}
