import NIOCore
import NIOHTTP1
import NIOPosix

/// An address on which requests are answered.
struct Listener: Sendable {
    /// One thread waits for the network; it is there from the first server on, and never ends.
    private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private static let loop = loops.next()

    private let channel: any Channel
    private let gate: NIOLoopBound<ConnectionGate>
    private let limits: PageLimits

    /// Begins to answer.
    ///
    /// - Throws: what the system says where it cannot listen.
    init(host: String, port: Int, _ responder: PageResponder, _ limits: PageLimits) async throws {
        let gate = try await Self.loop.submit {
            NIOLoopBound(
                ConnectionGate(connectionsMax: limits.connectionsMax), eventLoop: Self.loop)
        }.get()
        channel = try await ServerBootstrap(group: Self.loop)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // One at a time, so that the gate does not let in more than it has room for.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(gate.value)
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
                    try pipeline.addHandler(Conversation(responder, limits))
                }
            }
            .bind(host: host, port: port).get()
        self.gate = gate
        self.limits = limits
    }

    /// The port that it listens on.
    var port: Int? { channel.localAddress?.port }

    /// Returns when it listens no more, or the task is cancelled.
    func untilClosed() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        channel.closeFuture.whenComplete { _ in end.finish() }
        for await _ in ends {}
    }

    /// Listens no more, and ends all connections.
    func close() async {
        do {
            try await channel.close()
        } catch {
            // It was closed already.
        }
        let closed = Self.loop.flatSubmit {
            gate.value.close(within: limits.end, on: Self.loop)
        }
        try? await closed.get()
    }
}
