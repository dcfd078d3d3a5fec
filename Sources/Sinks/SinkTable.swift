public import Agenda
import Interchange
public import Settings
public import Timekeeping
public import Transport

/// What a sink takes from the machine and from what is set.
public struct SinkContext: Sendable {
    /// What is set.
    public let configuration: Configuration
    /// The machine's clock, on which waits are slept.
    public let clock: any WallClock
    /// The time since some fixed start, on a clock that nobody sets.
    public let uptime: @Sendable () -> Duration
    /// What the machine calls itself.
    public let hostName: String
    /// How this program names itself to servers.
    public let userAgent: String
    /// Hears what is said to servers; nobody does without it.
    public let transcript: Transcript?
    /// Sends requests to addresses that others chose.
    let client: SharedClient

    /// Puts it together.
    public init(
        configuration: Configuration, clock: any WallClock,
        uptime: @escaping @Sendable () -> Duration, hostName: String, userAgent: String,
        transcript: Transcript? = nil
    ) {
        self.configuration = configuration
        self.clock = clock
        self.uptime = uptime
        self.hostName = hostName
        self.userAgent = userAgent
        self.transcript = transcript
        client = SharedClient(
            userAgent: userAgent, allowing: configuration.webhookAllow, transcript: transcript)
    }
}

/// Why a sink that is on can deliver nothing.
public struct SinkFault: Error, Equatable {
    /// The sink.
    public let sink: String
    /// What is missing or wrong, in a sentence; no secret.
    public let reason: String
}

extension SinkFault {
    /// What is wrong with how a channel is set up, in a sentence without a secret.
    public static func words(of error: any Error) -> String {
        switch error {
        case let fault as SinkFault: fault.reason
        case let fault as TransportError: fault.message
        case is Mailbox.Fault: "that is no mail address."
        default: "\(error)"
        }
    }
}

/// A kind of sink: how its channel is addressed, and how one is made.
public struct SinkDefinition: Sendable {
    /// Its channel.
    public let kind: SinkKind
    /// What a channel of somebody's own needs; `nil` where nobody has one.
    public let form: ChannelForm?
    /// Whether it delivers by channels of people's own when the configuration does not switch it
    /// on.
    public let isAlwaysThere: Bool
    /// Whether a secret may stand in the body of what it sends.
    public let isBodySecret: Bool
    private let hider: @Sendable (ChannelTarget) -> [String]
    private let maker: @Sendable (SinkContext, _ isOn: Bool) throws(SinkFault) -> any Sink

    init(
        _ kind: SinkKind, form: ChannelForm? = nil, isAlwaysThere: Bool = false,
        isBodySecret: Bool = false,
        secrets hider: @escaping @Sendable (ChannelTarget) -> [String] = { _ in [] },
        maker: @escaping @Sendable (SinkContext, _ isOn: Bool) throws(SinkFault) -> any Sink
    ) {
        self.kind = kind
        self.form = form
        self.isAlwaysThere = isAlwaysThere
        self.isBodySecret = isBodySecret
        self.hider = hider
        self.maker = maker
    }

    /// What nobody is to read of a target in what is said to it and by it.
    public func secrets(of target: ChannelTarget) -> [String] { hider(target) }

    /// A sink of this kind as it is set up.
    ///
    /// - Parameters:
    ///   - world: what it takes from the machine and from what is set.
    ///   - isOn: whether the configuration switches it on.
    /// - Returns: the sink.
    /// - Throws: ``SinkFault`` where something is missing or wrong.
    public func make(in world: SinkContext, isOn: Bool) throws(SinkFault) -> any Sink {
        try maker(world, isOn)
    }
}

/// Every kind of sink there is.
public enum SinkTable {
    /// The kinds, in the order in which people are told of them.
    public static let definitions: [SinkDefinition] = [
        StdoutSink.definition, MailSink.definition, .service(WebhookService.self),
        .service(NtfyService.self),
        .service(GotifyService.self), .service(MatrixService.self), .service(SlackService.self),
        .service(RequestService.self),
    ]

    /// The channels by which people read between other messages.
    public static let chatKinds: Set<String> = [
        NtfyService.kind.name, GotifyService.kind.name, MatrixService.kind.name,
        SlackService.kind.name,
    ]

    /// The channels whose deliveries bring what programs read, and private links.
    public static let kindsWithEnclosures: Set<String> = [SinkKind.mail.name]
}
