import Agenda
public import Interchange
public import Ledger
public import Settings
import Synchronization
public import Transport

/// Sends each delivery by mail to its person, through the configured server.
public struct MailSink: Sink {
    /// `mail`.
    public let name = SinkKind.mail.name
    /// Retries for two days, more often at first.
    public let schedule = RetrySchedule.mail
    /// A mail may arrive twice; its Message-ID shows that.
    public let policy = AmbiguityPolicy.resend
    /// Two deliveries for each connection, so that the next mail is ready when one is sent.
    public var limits: DestinationLimits {
        DestinationLimits(concurrency: 2 * client.connectionsMax)
    }
    /// Mails about a meeting form a thread, and calendars read them.
    public let takesEnclosures = true

    /// The maximum number of connections to the server.
    static let connectionsMax = 4

    /// The client that sends the mails.
    public let client: SMTPClient
    private let from: Mailbox
    /// The addresses to which mails are returned, one for each delivery; `nil` for ``from``.
    private let returns: SubaddressForm?
    private let memory = ServerMemory()

    /// Creates a sink that sends from an address, through a server.
    ///
    /// - Parameters:
    ///   - client: the client that sends.
    ///   - from: the address of the mails.
    ///   - returns: the addresses to which undeliverable mails are returned, one for each delivery;
    ///     `nil` to return all to `from`.
    public init(client: SMTPClient, from: Mailbox, returns: SubaddressForm? = nil) {
        self.client = client
        self.from = from
        self.returns = returns
    }

    /// The threads that send.
    public var executor: (any TaskExecutor)? { client.executor }

    /// One destination: all mails go through one server.
    public func destination(of address: String) -> String { client.server.description }

    /// Sends the mail and waits for the server's final reply.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let message: SMTPMessage
        do throws(Mailbox.Fault) {
            message = try self.message(outgoing)
        } catch {
            return AttemptReport(
                .permanent, code: "5.1.3", reply: "\(outgoing.address) is not a valid address",
                isAddressBad: true)
        }
        return memory.report(await client.send(message))
    }

    /// The mail that delivers a message.
    ///
    /// - Throws: `Mailbox.Fault` if its address is invalid.
    public func message(_ outgoing: OutgoingMessage) throws(Mailbox.Fault) -> SMTPMessage {
        let message = try MailText.message(of: outgoing, from: from)
        // A returned mail so leads to its delivery, whatever is left of it (VERP).
        let returned =
            outgoing.returnIdentity.isEmpty ? outgoing.identity : outgoing.returnIdentity
        let mark = returned.prefix { $0 != "@" }
        return SMTPMessage(
            sender: returns?.address(String(mark)) ?? from.address, receiver: message.to.address,
            octets: message.octets,
            needsUTF8: message.needsUTF8, isWanted: outgoing.isWanted
        ) { [memory, onFailure = outgoing.onFailure] outcome in
            if case .accepted = outcome { return memory.noteTaken() }
            onFailure(memory.report(outcome))
        }
    }
}

/// Remembers whether the server has accepted a mail from this program.
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
        hints: [.target: "the mail address, by default the person's own"]
    ) { target in
        if !target.target.isEmpty { _ = try Mailbox(target.target) }
    }

    /// Creates the sink that a configuration describes.
    private init(_ world: SinkContext) throws(SinkFault) {
        do {
            self.init(
                client: try SMTPClient(
                    server: try Self.server(world), connectionsMax: Self.connectionsMax,
                    uptime: world.uptime, transcript: world.transcript),
                from: try Self.sender(world.configuration),
                returns: world.configuration[.mailReplies].flatMap { try? SubaddressForm($0) })
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
                reason: "no mail server is set. Set smtp.url or LETSMEET_SMTP_URL.")
        }
        guard address.user == nil || address.password != nil || configuration.smtpPassword != nil
        else {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "smtp.url names a user, but no password is set. Set "
                    + "LETSMEET_SMTP_PASSWORD or LETSMEET_SMTP_PASSWORD_FILE.")
        }
        return SMTPServer(
            address, password: configuration.smtpPassword, greeting: world.hostName)
    }

    private static func sender(_ configuration: Configuration) throws(SinkFault) -> Mailbox {
        guard let sender = configuration.mailFrom else {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "no sender address is set. Set mail.from or LETSMEET_MAIL_FROM.")
        }
        do throws(Mailbox.Fault) {
            return try Mailbox(sender)
        } catch {
            throw SinkFault(
                sink: SinkKind.mail.name,
                reason: "the sender address in mail.from or owner.address is not valid.")
        }
    }
}

extension SMTPServer.Encryption {
    /// Converts the encryption from the address of a server.
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
    /// The server of an address. If the machine has no full host name, the greeting uses an IP
    /// address (RFC 5321, 4.1.4).
    public init(_ address: MailServerAddress, password: Secret?, greeting: String) {
        self.init(
            host: address.host, port: address.port, encryption: Encryption(address.protection),
            user: address.user,
            password: (address.password ?? password)?.value, authorities: address.authorities,
            greeting: greeting.contains(".") ? greeting : "[127.0.0.1]")
    }
}
