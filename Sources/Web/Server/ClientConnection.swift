import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after the other, and holds its client to the limits.
///
/// It takes the bodies of forms and no other, and ends the connection after an answer where HTTP
/// says so. Nothing a
/// client does holds it up for longer than one patience. NIO's own handlers for pipelined requests
/// and for requests that cannot be read are left out: together they end the process where a
/// connection is closed while half a request is there.
final class ClientConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private enum Turn {
        case request(HTTPRequestHead, body: [UInt8]?)
        case unreadable
    }

    private let responder: PageResponder
    private let limits: PageLimits
    private var cutOff: Scheduled<Void>?
    private var work: Task<Void, Never>?
    /// The request whose body is being read.
    private var form: (head: HTTPRequestHead, body: [UInt8])?
    /// What is to be answered after the answer that is under way.
    private var turns = CircularBuffer<Turn>()
    private var isAnswering = false
    /// Whether no more requests are taken: the last one that waits gets the last answer.
    private var isDeaf = false
    /// Whether reading waits until less is to be answered.
    private var isFull = false

    init(_ responder: PageResponder, _ limits: PageLimits) {
        self.responder = responder
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        wait(limits.patience, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cutOff?.cancel()
        work?.cancel()
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        cutOff?.cancel()
        cutOff = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            context.close(promise: nil)
        }
    }

    func read(context: ChannelHandlerContext) {
        isFull = turns.count >= limits.requestsWaitingMax
        if !isFull { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What follows the last request is dropped as it comes.
        guard !isDeaf else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let buffer): add(buffer, context)
        case .end: endForm(context)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard !responder.takesBody(of: head, octetsMax: limits.bodyBytesMax) else {
            form = (head, [])
            if head.headers["expect"].first?.lowercased() == "100-continue" {
                encourage(context)
            }
            return
        }
        // A body that nobody wants is dropped with all that follows.
        isDeaf = !Self.isFollowed(head) || head.hasBody
        turns.append(.request(head, body: nil))
        answerNext(context)
    }

    /// Tells a client that waits for it to send the body (RFC 9110, 10.1.1).
    private func encourage(_ context: ChannelHandlerContext) {
        // Behind an answer that is still to come it would be taken for that one.
        guard !isAnswering, turns.isEmpty else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func add(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let head = form?.head else { return }
        form?.body += buffer.readableBytesView
        guard let count = form?.body.count, count > limits.bodyBytesMax else { return }
        form = nil
        isDeaf = true
        turns.append(.request(head, body: nil))
        answerNext(context)
    }

    private func endForm(_ context: ChannelHandlerContext) {
        guard let (head, body) = form else { return }
        form = nil
        isDeaf = !Self.isFollowed(head)
        turns.append(.request(head, body: body))
        answerNext(context)
    }

    /// Whether another request may come after this one.
    private static func isFollowed(_ head: HTTPRequestHead) -> Bool {
        head.version == .http1_1 && head.isKeepAlive && head.method != .CONNECT && head.hasHost
            && !head.headers.contains(name: "upgrade")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.close(promise: nil) }
        // A connection that ends within a request is no request that cannot be read.
        guard context.channel.isActive, !isDeaf else { return }
        isDeaf = true
        turns.append(.unreadable)
        answerNext(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: turns.removeAll()
        case ChannelEvent.inputClosed: break
        default: return context.fireUserInboundEventTriggered(event)
        }
        isDeaf = true
        if !isAnswering { context.close(promise: nil) }
    }

    private func answerNext(_ context: ChannelHandlerContext) {
        guard !isAnswering, let turn = turns.popFirst() else { return }
        isAnswering = true
        if isFull { read(context: context) }
        switch turn {
        case .unreadable:
            let problem = Problem(.badRequest, code: "bad_request", "That is no HTTP/1.1 request.")
            write(problem.answer, hasText: true, context)
        case .request(let head, let body):
            let answer = context.eventLoop.makePromise(of: PageAnswer.self)
            work = answer.completeWithTask { [responder] in
                await responder.answer(to: head, body: body)
            }
            answer.futureResult.assumeIsolated().whenSuccess { answer in
                self.write(answer, hasText: head.method != .HEAD, context)
            }
        }
    }

    private func write(_ answer: PageAnswer, hasText: Bool, _ context: ChannelHandlerContext) {
        // Who hung up meanwhile gets nothing.
        guard context.channel.isActive else { return }
        let isLast = isDeaf && turns.isEmpty
        var head = HTTPResponseHead(
            version: .http1_1, status: answer.status, headers: responder.fields(of: answer))
        if isLast { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if hasText, answer.body.readableBytes > 0 {
            // Much takes longer to read than little.
            let patience = limits.patience(for: answer.body.readableBytes)
            if patience > limits.patience { wait(patience, context) }
            context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { self.wentOut(isLast, context) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    private func wentOut(_ isLast: Bool, _ context: ChannelHandlerContext) {
        isAnswering = false
        // What came meanwhile may say that nothing more will.
        guard !isLast, !(isDeaf && turns.isEmpty) else {
            // A connection that is closed with something unread in it takes the answer with it.
            context.close(mode: .output, promise: nil)
            return wait(limits.farewell, context)
        }
        wait(limits.patience, context)
        answerNext(context)
    }
}

extension HTTPRequestHead {
    /// Whether it names one host, as RFC 9112 section 3.2 has it.
    var hasHost: Bool { version != .http1_1 || headers["host"].count == 1 }

    /// Whether a body comes after it.
    var hasBody: Bool {
        !headers["transfer-encoding"].isEmpty || headers["content-length"].contains { $0 != "0" }
    }
}
