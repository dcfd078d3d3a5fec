import NIOCore
import NIOHTTP1
import NIOPosix
import Settings

/// A listening socket that answers requests.
struct Listener: Sendable {
    /// One event loop thread for all servers of the process. It starts with the first server and
    /// never ends.
    private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let loop = loops.next()

    private let channel: any Channel
    private let limiter: NIOLoopBound<ConnectionLimiter>
    private let limits: PageLimits
    private let wanted: ListenAddress
    /// The socket file, if it listens on a Unix domain socket.
    private let file: SocketFile?

    /// Binds the address and starts to accept connections.
    ///
    /// - Throws: the error of the system if it cannot listen there.
    init(
        _ address: ListenAddress, _ responder: PageResponder, _ limits: PageLimits
    ) async throws {
        let limiter = try await Self.loop.submit {
            NIOLoopBound(
                ConnectionLimiter(limits, isExempt: responder.isTrusted), eventLoop: Self.loop)
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
            // Accepts one connection at a time, so that the limiter never accepts more than its
            // limit.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(limiter.value)
                }
            }
            // A client that has finished sending can still read the answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    guard let standing = limiter.value.standing(of: channel) else {
                        return channel.close(promise: nil)
                    }
                    let connection = ClientConnection(
                        responder, limits, limiter.value, standing)
                    try pipeline.addHandler(ByteWatch { connection.noteBytes() })
                    try pipeline.configureHTTPServerPipeline(
                        withPipeliningAssistance: false, withErrorHandling: false,
                        withOutboundHeaderValidation: true, withEncoderConfiguration: .init(),
                        withDecoderLimitConfiguration: limits.decoder)
                    try pipeline.addHandler(connection)
                }
            }
    }

    /// The address with the port that was actually bound.
    var address: ListenAddress {
        switch wanted {
        case .network(let host, let port):
            .network(host: host, port: channel.localAddress?.port ?? port)
        case .socket: wanted
        }
    }

    /// Returns when the socket is closed or the task is cancelled.
    func untilClosed() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        channel.closeFuture.whenComplete { _ in end.finish() }
        for await _ in ends {}
    }

    /// Closes the listening socket and all its connections.
    func close() async {
        file?.remove()
        do {
            try await channel.close()
        } catch {
            // It was already closed.
        }
        let closed = Self.loop.flatSubmit {
            limiter.value.close(within: limits.end, on: Self.loop)
        }
        try? await closed.get()
    }
}
