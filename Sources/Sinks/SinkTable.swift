public import Agenda
import Interchange
public import Settings
public import Timekeeping
public import Transport

/// The machine's services and settings that sinks use.
public struct SinkContext: Sendable {
    /// The configuration.
    public let configuration: Configuration
    /// The machine's clock, also used for waits.
    public let clock: any WallClock
    /// The time since some fixed start, on a monotonic clock.
    public let uptime: @Sendable () -> Duration
    /// The machine's host name.
    public let hostName: String
    /// The name of this program in requests to servers.
    public let userAgent: String
    /// Records the conversation with servers; `nil` to record nothing.
    public let transcript: Transcript?
    /// The client for requests to addresses that other people choose.
    let client: SharedClient

    /// Creates a context.
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
            userAgent: userAgent, configuration, transcript: transcript)
    }
}

/// The error of an enabled sink that cannot deliver anything.
public struct SinkFault: Error, Equatable {
    /// The sink.
    public let sink: String
    /// The cause in a sentence, without secrets.
    public let reason: String
    /// The actions that help, the best first.
    public var advice: [Advice] = []
}

extension SinkFault {
    /// Describes an error in the setup of a channel, in a sentence without secrets.
    public static func words(of error: any Error) -> String {
        switch error {
        case let fault as SinkFault: fault.reason
        case let fault as TransportError: fault.message
        case is Mailbox.Fault: "this is not a valid mail address."
        default: "\(error)"
        }
    }
}

/// A kind of sink, with the form of its channels and a factory.
public struct SinkDefinition: Sendable {
    /// The kind.
    public let kind: SinkKind
    /// The form of a channel; `nil` if this kind has no channels of people or audiences.
    public let form: ChannelForm?
    /// True if the sink also serves channels of people and audiences while the configuration does
    /// not enable it.
    public let isAlwaysThere: Bool
    /// True if the body of its requests may contain a secret.
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

    /// The words of a target that must stay secret in requests and responses.
    public func secrets(of target: ChannelTarget) -> [String] { hider(target) }

    /// Creates a sink of this kind.
    ///
    /// - Parameters:
    ///   - world: the machine's services and settings.
    ///   - isOn: whether the configuration enables the sink.
    /// - Returns: the sink.
    /// - Throws: ``SinkFault`` if a setting is missing or invalid.
    public func make(in world: SinkContext, isOn: Bool) throws(SinkFault) -> any Sink {
        try maker(world, isOn)
    }
}

/// All kinds of sinks.
public enum SinkTable {
    /// The kinds, in the order in which lists show them.
    public static let definitions: [SinkDefinition] = [
        StdoutSink.definition, MailSink.definition, PageSink.definition,
        .service(WebhookService.self),
        .service(NtfyService.self),
        .service(GotifyService.self), .service(MatrixService.self), .service(SlackService.self),
        .service(RequestService.self),
    ]

    /// The chat services, in which people read the message among others.
    public static let chatKinds: Set<String> = [
        NtfyService.kind.name, GotifyService.kind.name, MatrixService.kind.name,
        SlackService.kind.name,
    ]

    /// The sinks that deliver the parts for programs, and private links.
    public static let kindsWithEnclosures: Set<String> = [SinkKind.mail.name]
}
