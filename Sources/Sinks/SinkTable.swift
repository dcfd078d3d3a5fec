public import Agenda
public import Settings
public import Timekeeping

/// What a sink takes from the machine and from what is set.
public struct SinkWorld: Sendable {
    /// What is set.
    public let configuration: Configuration
    /// The machine's clock, on which waits are slept.
    public let clock: any WallClock
    /// The time since some fixed start, on a clock that nobody sets.
    public let uptime: @Sendable () -> Duration
    /// What the machine calls itself.
    public let hostName: String

    /// Puts it together.
    public init(
        configuration: Configuration, clock: any WallClock,
        uptime: @escaping @Sendable () -> Duration, hostName: String
    ) {
        self.configuration = configuration
        self.clock = clock
        self.uptime = uptime
        self.hostName = hostName
    }
}

/// Why a sink that is on can deliver nothing.
public struct SinkFault: Error, Equatable {
    /// The sink.
    public let sink: String
    /// What is missing or wrong, in a sentence; no secret.
    public let reason: String
}

/// A kind of sink: how its channel is addressed, and how one is made.
public struct SinkKind: Sendable {
    /// Its channel.
    public let channel: Channel
    private let maker: @Sendable (SinkWorld) throws(SinkFault) -> any Sink

    init(
        _ channel: Channel,
        maker: @escaping @Sendable (SinkWorld) throws(SinkFault) -> any Sink
    ) {
        self.channel = channel
        self.maker = maker
    }

    /// A sink of this kind as it is set up.
    ///
    /// - Throws: ``SinkFault`` where something is missing or wrong.
    public func make(in world: SinkWorld) throws(SinkFault) -> any Sink { try maker(world) }
}

/// Every kind of sink there is.
public enum SinkTable {
    /// The kinds, in the order in which people are told of them.
    public static let kinds = [StdoutSink.kind, MailSink.kind]

    /// The channels whose deliveries bring what programs read, and private links.
    public static let enclosingChannels: Set<String> = [Channel.mail.name]
}
