import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection of HTTP/1 with a guard on it.
struct GuardedChannel: ServerChildChannel {
    let connection: HTTP1Channel
    let limits: PageLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        connection.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(ConnectionGuard(limits), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await connection.handle(value: value, logger: logger)
    }
}

/// Holds one connection to its limits, right behind where requests are read.
///
/// It cuts off who takes too long, lets no request body through, and ends the connection after an
/// answer where HTTP says so: the server that it guards knows nothing of HTTP/1.0, nor of clients
/// that go on sending what nobody wants.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: PageLimits
    private var cutOff: Scheduled<Void>?
    /// For each request that waits for its answer: whether the connection goes on after it.
    private var goesOn = CircularBuffer<Bool>()
    /// Whether nothing more is read.
    private var isDeaf = false
    /// Whether the answer that is being written is the last one.
    private var isLast = false

    init(_ limits: PageLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        wait(limits.patience, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cutOff?.cancel()
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        cutOff?.cancel()
        cutOff = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDeaf else { return }
        let part = unwrapInboundIn(data)
        switch part {
        case .head(let head):
            // RFC 9112 section 3.2.
            guard head.version != .http1_1 || head.headers["host"].count == 1 else {
                return refuse(context)
            }
            let isFollowed = Self.isFollowed(head)
            goesOn.append(isFollowed)
            context.fireChannelRead(data)
            guard !isFollowed else { return }
            // What else comes, a body or requests, is not for us.
            isDeaf = true
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        case .end: context.fireChannelRead(wrapInboundOut(.end(nil)))
        case .body: break
        }
    }

    /// Has the request answered as one that cannot be read.
    private func refuse(_ context: ChannelHandlerContext) {
        isDeaf = true
        context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }

    /// Whether another request may come after this one.
    private static func isFollowed(_ head: HTTPRequestHead) -> Bool {
        guard head.version == .http1_1, head.isKeepAlive else { return false }
        let length = head.headers.first(name: "content-length") ?? "0"
        return length == "0" && head.headers["transfer-encoding"].isEmpty
    }

    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // Without a request it is the answer to one that could not be read.
            isLast = !(goesOn.popFirst() ?? false)
            if isLast { head.headers.replaceOrAdd(name: "connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenSuccess { self.answerWentOut(context) }
            context.write(data, promise: written)
        }
    }

    private func answerWentOut(_ context: ChannelHandlerContext) {
        guard isLast else { return wait(limits.patience, context) }
        isDeaf = true
        // A connection that is closed with something unread in it takes the answer with it.
        context.close(mode: .output, promise: nil)
        wait(limits.farewell, context)
    }
}
