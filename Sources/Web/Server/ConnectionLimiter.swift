import NIOCore

/// Limits the number of open connections and keeps track of them.
///
/// It is a handler of the listening socket. Connections above the limit wait in the system's queue.
final class ConnectionLimiter: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    private let connectionsMax: Int
    private var connections: [ObjectIdentifier: any Channel] = [:]
    private var isSomebodyWaiting = false

    init(connectionsMax: Int) {
        self.connectionsMax = connectionsMax
    }

    func read(context: ChannelHandlerContext) {
        isSomebodyWaiting = connections.count >= connectionsMax
        if !isSomebodyWaiting { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        connections[ObjectIdentifier(connection)] = connection
        // All connections run on the same event loop.
        connection.closeFuture.assumeIsolated().whenComplete { _ in
            self.connections[ObjectIdentifier(connection)] = nil
            if self.isSomebodyWaiting { self.read(context: context) }
        }
        context.fireChannelRead(data)
    }

    /// Closes all connections: idle ones at once, the others after their answer or after `grace`.
    func close(within grace: TimeAmount, on loop: any EventLoop) -> EventLoopFuture<Void> {
        let open = Array(connections.values)
        for connection in open {
            connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        let cutOff = loop.scheduleTask(in: grace) {
            for connection in open { connection.close(promise: nil) }
        }
        let closed = EventLoopFuture.andAllComplete(open.map(\.closeFuture), on: loop)
        closed.whenComplete { _ in cutOff.cancel() }
        return closed
    }
}
