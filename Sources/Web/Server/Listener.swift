import NIOCore
import NIOHTTP1
import NIOPosix
import Settings

/// An address on which requests are answered.
struct Listener: Sendable {
    /// One thread waits for the network; it is there from the first server on, and never ends.
    private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let loop = loops.next()

    private let channel: any Channel
    private let limiter: NIOLoopBound<ConnectionLimiter>
    private let limits: PageLimits
    private let wanted: ListenAddress
    /// Where it listens in the file system.
    private let file: SocketFile?

    /// Begins to answer.
    ///
    /// - Throws: what the system says where it cannot listen.
    init(
        _ address: ListenAddress, _ responder: PageResponder, _ limits: PageLimits
    ) async throws {
        let limiter = try await Self.loop.submit {
            NIOLoopBound(
                ConnectionLimiter(connectionsMax: limits.connectionsMax), eventLoop: Self.loop)
        }.get()
        let bootstrap = Self.bootstrap(limiter, responder, limits)
        switch address {
        case .network(let host, let port):
            channel = try await bootstrap.bind(host: host, port: port).get()
            file = nil
        case .socket(let path):
            try SocketFile.makeRoom(at: path)
            channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
            file = SocketFile(path: path)
        }
        self.limiter = limiter
        self.limits = limits
        wanted = address
    }

    private static func bootstrap(
        _ limiter: NIOLoopBound<ConnectionLimiter>, _ responder: PageResponder, _ limits: PageLimits
    ) -> ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // One at a time, so that the gate does not let in more than it has room for.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(limiter.value)
                }
            }
            // Who has sent its last request still reads the answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(
                        withPipeliningAssistance: false, withErrorHandling: false,
                        withOutboundHeaderValidation: true, withEncoderConfiguration: .init(),
                        withDecoderLimitConfiguration: limits.decoder)
                    try pipeline.addHandler(ClientConnection(responder, limits))
                }
            }
    }

    /// Where it listens, with the port that it was given.
    var address: ListenAddress {
        switch wanted {
        case .network(let host, let port):
            .network(host: host, port: channel.localAddress?.port ?? port)
        case .socket: wanted
        }
    }

    /// Returns when it listens no more, or the task is cancelled.
    func untilClosed() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        channel.closeFuture.whenComplete { _ in end.finish() }
        for await _ in ends {}
    }

    /// Listens no more, and ends all connections.
    func close() async {
        file?.remove()
        do {
            try await channel.close()
        } catch {
            // It was closed already.
        }
        let closed = Self.loop.flatSubmit {
            limiter.value.close(within: limits.end, on: Self.loop)
        }
        try? await closed.get()
    }
}
