import NIOCore

/// Limits the number of open connections and keeps track of them.
///
/// It is a handler of the listening socket. When all connections are in use, the one that has been
/// idle for longest is closed for the new one: so clients that do nothing keep nobody out. If none
/// is idle, one is closed that has been sending its request or reading its answer for a while, of
/// the network that holds the most; or else one that still sends its request. If all are busy, a
/// few more are opened for ``Standing/reserve``.
final class ConnectionLimiter: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// The pages that a connection may ask for.
    enum Standing {
        /// Every page.
        case full
        /// Only the health check and the metrics, because too many connections are open.
        case reserve
    }

    /// The activity of a connection.
    enum Activity {
        /// It waits for a request, or for the end of its head.
        case idle
        /// It waits for the body of a request.
        case receiving
        /// It works on a request.
        case busy
        /// It waits for the client to read an answer.
        case sending
    }

    private struct Connection {
        let channel: any Channel
        let address: String
        /// The network of the address: see ``ClientNetwork``.
        let network: String
        var activity = Activity.idle
        /// True if it may only ask for the health check, because its address holds too many.
        var isReserve = false
        /// The number of the last change of the activity; larger is later.
        var since: Int
        /// The time of that change.
        var at: NIODeadline
    }

    private let limits: PageLimits
    private let isExempt: @Sendable (_ address: String) -> Bool
    private var connections: [ObjectIdentifier: Connection] = [:]
    /// The connections with an answer that is sent in pieces. They have a limit of their own.
    private var streams: [ObjectIdentifier: any Channel] = [:]
    private var changes = 0
    private var isSomebodyWaiting = false
    private var look: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - limits: the most connections, of all and of one address.
    ///   - isExempt: true if an address may hold any number of them: that of a trusted proxy.
    init(_ limits: PageLimits, isExempt: @escaping @Sendable (_ address: String) -> Bool) {
        self.limits = limits
        self.isExempt = isExempt
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        look?.cancel()
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        isSomebodyWaiting =
            connections.count >= limits.connectionsMax + limits.connectionsReserved
            && dispensable == nil
        guard isSomebodyWaiting else { return context.read() }
        // By then, a connection that is busy now may be dispensable.
        look?.cancel()
        look = context.eventLoop.assumeIsolated().scheduleTask(in: limits.stallPatience) {
            self.acceptNext()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let address = channel.remoteAddress?.ipAddress ?? ""
        makeRoom(for: address)
        changes += 1
        let id = ObjectIdentifier(channel)
        connections[id] = Connection(
            channel: channel, address: address, network: ClientNetwork.name(of: address),
            since: changes, at: context.eventLoop.now)
        // All connections run on the same event loop.
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            guard self.connections[id]?.channel === channel else { return }
            self.connections[id] = nil
            self.acceptNext()
        }
        context.fireChannelRead(data)
    }

    private func makeRoom(for address: String) {
        if !address.isEmpty, !isExempt(address) {
            let network = ClientNetwork.name(of: address)
            let own = connections.values.count { $0.network == network }
            if own >= limits.connectionsEachMax {
                close(oldest(.idle) { $0.network == network })
            }
        }
        if connections.count >= limits.connectionsMax { close(dispensable) }
    }

    private func oldest(
        _ activity: Activity, where isMeant: (Connection) -> Bool = { _ in true }
    ) -> Connection? {
        connections.values.filter { $0.activity == activity && isMeant($0) }
            .min { $0.since < $1.since }
    }

    /// The connection to close when there are too many.
    private var dispensable: Connection? {
        if let idle = oldest(.idle) { return idle }
        let counts = Dictionary(connections.values.map { ($0.network, 1) }, uniquingKeysWith: +)
        func ofLargest(_ connections: [Connection], atLeast least: Int) -> Connection? {
            let most = connections.map { counts[$0.network] ?? 0 }.max() ?? 0
            guard most >= least else { return nil }
            return connections.filter { counts[$0.network] == most }.min { $0.since < $1.since }
        }
        let waiting = connections.values.filter {
            $0.activity == .receiving || $0.activity == .sending
        }
        guard let now = context?.eventLoop.now else { return nil }
        return ofLargest(waiting.filter { $0.at < now - limits.stallPatience }, atLeast: 1)
            ?? ofLargest(waiting.filter { $0.activity == .receiving }, atLeast: 2)
    }

    private func close(_ connection: Connection?) {
        guard let connection else { return }
        connections[ObjectIdentifier(connection.channel)] = nil
        connection.channel.close(promise: nil)
    }

    /// The standing of a new connection: `nil` if it is to be closed at once, because its address
    /// holds too many already.
    func standing(of channel: any Channel) -> Standing? {
        guard let own = connections[ObjectIdentifier(channel)] else { return nil }
        let ofAddress = connections.values.count { $0.network == own.network }
        if !own.address.isEmpty, !isExempt(own.address), ofAddress > limits.connectionsEachMax {
            return own.address.isLoopback ? reserve(own, besides: ofAddress - 1) : nil
        }
        return connections.count > limits.connectionsMax ? .reserve : .full
    }

    /// Lets a program on this machine check the health, although its address holds too many
    /// connections. Of such connections, the oldest goes when there are too many.
    private func reserve(_ own: Connection, besides count: Int) -> Standing {
        let id = ObjectIdentifier(own.channel)
        if count >= limits.connectionsEachMax + limits.connectionsReserved {
            close(
                connections.values.filter { $0.isReserve && $0.network == own.network }
                    .min { $0.since < $1.since })
        }
        connections[id]?.isReserve = true
        return .reserve
    }

    /// Notes the activity of a connection.
    func note(_ channel: any Channel, _ activity: Activity) {
        changes += 1
        connections[ObjectIdentifier(channel)]?.activity = activity
        connections[ObjectIdentifier(channel)]?.since = changes
        connections[ObjectIdentifier(channel)]?.at = channel.eventLoop.now
        if activity != .busy { acceptNext() }
    }

    /// Notes that a connection is an open stream from now on, which is not counted here.
    func noteStream(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        connections[id] = nil
        streams[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.streams[id] = nil }
        acceptNext()
    }

    private func acceptNext() {
        guard isSomebodyWaiting, let context else { return }
        read(context: context)
    }

    /// Closes all connections: idle ones at once, the others after their answer or after `grace`.
    func close(within grace: TimeAmount, on loop: any EventLoop) -> EventLoopFuture<Void> {
        let open = connections.values.map(\.channel) + streams.values
        for channel in open {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        let cutOff = loop.scheduleTask(in: grace) {
            for channel in open { channel.close(promise: nil) }
        }
        let closed = EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: loop)
        closed.whenComplete { _ in cutOff.cancel() }
        return closed
    }
}

extension String {
    /// True for an address of this machine itself.
    fileprivate var isLoopback: Bool { hasPrefix("127.") || self == "::1" }
}

/// Tells when bytes arrive on a connection.
final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let onBytes: () -> Void

    init(onBytes: @escaping () -> Void) {
        self.onBytes = onBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        onBytes()
        context.fireChannelRead(data)
    }
}
