import NIOCore
import NIOHTTP1
import StreamSafe

/// Answers the requests of one connection in order and enforces its limits.
///
/// It reads request bodies only for forms, and closes the connection after an answer where HTTP
/// requires it. A client cannot keep it waiting for longer than ``PageLimits/patience``. NIO's own
/// handlers for pipelining and for protocol errors are left out, because together they crash the
/// process if a connection is closed in the middle of a request.
final class ClientConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private enum Turn {
        case request(HTTPRequestHead, form: ReceivedForm?)
        case problem(Problem)
        case answer(PageAnswer)
    }

    private let responder: PageResponder
    private let limits: PageLimits
    private let limiter: ConnectionLimiter
    private let standing: ConnectionLimiter.Standing
    private var cutOff: Scheduled<Void>?
    private var work: Task<Void, Never>?
    /// The form request whose body is being read.
    private var form: (head: HTTPRequestHead, body: FormBody, since: NIODeadline)?
    /// The parts that have arrived while it was not known yet whether the client may send files;
    /// `nil` at all other times.
    private var held: [HTTPServerRequestPart]?
    /// The requests that wait for the current answer to be sent.
    private var turns = CircularBuffer<Turn>()
    private var isAnswering = false
    /// True if no more requests are read. The last request in the queue gets the last answer.
    private var isDeaf = false
    /// True if reading is paused until the queue is shorter.
    private var isFull = false
    /// True if an answer is sent in pieces until the connection closes.
    private var isStreaming = false
    /// True from the first byte of a request until its answer was sent.
    private var isBusy = false
    private var context: ChannelHandlerContext?

    /// True while a request is being answered, so that its memory is in use.
    var isAtWork: Bool { work != nil }

    init(
        _ responder: PageResponder, _ limits: PageLimits, _ limiter: ConnectionLimiter,
        _ standing: ConnectionLimiter.Standing
    ) {
        self.responder = responder
        self.limits = limits
        self.limiter = limiter
        self.standing = standing
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        wait(limits.headPatience, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cutOff?.cancel()
        work?.cancel()
        self.context = nil
    }

    /// Called when bytes arrive, before they are parsed.
    func noteBytes() {
        guard let context, !isBusy, !isDeaf else { return }
        // Only a whole head makes the connection busy: a client that sends part of one may be
        // closed for another.
        if !isHeadBegun { wait(limits.headPatience, context) }
        isHeadBegun = true
    }

    private var isHeadBegun = true

    private func setBusy(_ isBusy: Bool, _ context: ChannelHandlerContext) {
        guard isBusy != self.isBusy else { return }
        self.isBusy = isBusy
        isHeadBegun = false
        limiter.note(context.channel, isBusy ? .busy : .idle)
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        cutOff?.cancel()
        cutOff = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            context.close(promise: nil)
        }
    }

    func read(context: ChannelHandlerContext) {
        isFull = turns.count >= limits.requestsWaitingMax || held != nil
        if !isFull { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Everything after the last request is dropped.
        guard !isDeaf else { return }
        let part = unwrapInboundIn(data)
        guard held == nil else {
            held?.append(part)
            return
        }
        take(part, context)
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head): begin(head.streamSafe, context)
        case .body(let buffer): add(buffer, context)
        case .end: endForm(context)
        }
    }

    /// Reads no more until it is known whether the client may send files.
    private func admit(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        held = []
        let refusal = context.eventLoop.makePromise(of: PageAnswer?.self)
        let peer = context.peer
        refusal.completeWithPageTask { [responder] in
            await responder.refusal(toRead: head, from: peer)
        }
        refusal.futureResult.assumeIsolated().whenSuccess { refusal in
            guard let context = self.context, let parts = self.held else { return }
            self.held = nil
            if let refusal {
                self.form = nil
                self.isDeaf = true
                self.turns.append(.answer(refusal))
                self.answerNext(context)
            }
            for part in parts where !self.isDeaf { self.take(part, context) }
            if self.isFull { self.read(context: context) }
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if !isBusy {
            setBusy(true, context)
            wait(limits.patience, context)
        }
        guard standing == .full || responder.isOperation(head) else {
            isDeaf = true
            turns.append(
                .problem(
                    Problem(
                        .serviceUnavailable, code: "busy",
                        "Too many connections are open. Try again in a moment.")))
            return answerNext(context)
        }
        guard !head.hasUnknownCoding else {
            isDeaf = true
            turns.append(
                .problem(
                    Problem(
                        .notImplemented, code: "transfer_encoding",
                        "The only transfer encoding that is understood is \"chunked\".")))
            return answerNext(context)
        }
        if let body = responder.body(of: head, limits) {
            form = (head, body, context.eventLoop.now)
            if !isAnswering, turns.isEmpty { limiter.note(context.channel, .receiving) }
            if responder.mustAdmit(head) { admit(head, context) }
            if head.headers["expect"].first?.lowercased() == "100-continue" {
                encourage(context)
            }
            return
        }
        // An unwanted body is dropped, and so is everything after it.
        isDeaf = !Self.isFollowed(head) || head.hasBody
        turns.append(.request(head, form: nil))
        answerNext(context)
    }

    /// Sends `100 Continue` to a client that waits for it before it sends the body (RFC 9110,
    /// 10.1.1).
    private func encourage(_ context: ChannelHandlerContext) {
        // Ahead of a pending answer, the client would take it for the answer to an earlier request.
        guard !isAnswering, turns.isEmpty else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func add(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let form else { return }
        do throws(FormBody.Fault) {
            try form.body.add(buffer)
            // A large form gets more time, but no client may send slower than the limit.
            if form.body.count > limits.bodyBytesMax {
                wait(
                    form.since + limits.patience(for: form.body.count) - context.eventLoop.now,
                    context)
            }
        } catch {
            self.form = nil
            isDeaf = true
            turns.append(
                error == .tooLarge ? .request(form.head, form: nil) : .problem(error.problem))
            answerNext(context)
        }
    }

    private func endForm(_ context: ChannelHandlerContext) {
        guard let (head, body, _) = form else { return }
        form = nil
        limiter.note(context.channel, .busy)
        isDeaf = !Self.isFollowed(head)
        do throws(FormBody.Fault) {
            turns.append(.request(head, form: try body.finish()))
        } catch {
            turns.append(.problem(error.problem))
        }
        answerNext(context)
    }

    /// True if another request may follow on the connection.
    private static func isFollowed(_ head: HTTPRequestHead) -> Bool {
        head.version == .http1_1 && head.isKeepAlive && head.method != .CONNECT && head.hasHost
            && !head.headers.contains(name: "upgrade")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        // If a client closes the connection in the middle of a request, that is not a malformed
        // request.
        guard context.channel.isActive, !isDeaf else { return }
        isDeaf = true
        turns.append(
            .problem(
                error == .headerOverflow
                    ? Problem(
                        .requestHeaderFieldsTooLarge, code: "head_too_large",
                        "The header of the request is too large.")
                    : Problem(
                        .badRequest, code: "bad_request", "This is not a valid HTTP/1.1 request.")))
        answerNext(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: turns.removeAll()
        case ChannelEvent.inputClosed: break
        default: return context.fireUserInboundEventTriggered(event)
        }
        isDeaf = true
        if !isAnswering || isStreaming { context.close(promise: nil) }
    }

    private func answerNext(_ context: ChannelHandlerContext) {
        guard !isAnswering, let turn = turns.popFirst() else { return }
        isAnswering = true
        limiter.note(context.channel, .busy)
        if isFull { read(context: context) }
        switch turn {
        case .problem(let problem):
            write(problem.answer, to: nil, context)
        case .answer(let answer):
            write(answer, to: nil, context)
        case .request(let head, let form):
            let answer = context.eventLoop.makePromise(of: PageAnswer.self)
            let peer = context.peer
            work = answer.completeWithPageTask { [responder] in
                await responder.answer(to: head, form: form, from: peer)
            }
            answer.futureResult.assumeIsolated().whenSuccess { answer in
                // A task keeps the memory of its calls, some 17 kB, for as long as it is known.
                self.work = nil
                self.write(answer, to: head, context)
            }
        }
    }

    private func write(
        _ answer: PageAnswer, to request: HTTPRequestHead?, _ context: ChannelHandlerContext
    ) {
        // The client has closed the connection in the meantime.
        guard context.channel.isActive else { return }
        limiter.note(context.channel, .sending)
        let hasText = request?.method != .HEAD
        if answer.stream != nil {
            isDeaf = true
            turns.removeAll()
        }
        var head = HTTPResponseHead(
            version: Self.version(of: answer, to: request), status: answer.status,
            headers: responder.fields(of: answer))
        if hasText, let stream = answer.stream { return begin(stream, head, context) }
        let isLast = isDeaf && turns.isEmpty
        if isLast { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if hasText, answer.body.readableBytes > 0 {
            // A large answer gets more time.
            let patience = limits.patience(for: answer.body.readableBytes)
            if patience > limits.patience { wait(patience, context) }
            context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { self.wentOut(isLast, context) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    /// The version of an answer. A body in pieces has chunks in HTTP/1.1, and otherwise ends with
    /// the connection. Chunks are not sent to HTTP/1.0 (RFC 9112, 6.1), nor in answer to HEAD.
    private static func version(of answer: PageAnswer, to request: HTTPRequestHead?) -> HTTPVersion
    {
        guard answer.stream != nil, let request else { return .http1_1 }
        return request.method == .HEAD || request.version != .http1_1 ? .http1_0 : .http1_1
    }

    /// Sends the header of an answer whose body comes in pieces. The connection serves nothing else
    /// from then on.
    private func begin(
        _ stream: any AnswerStream, _ head: HTTPResponseHead, _ context: ChannelHandlerContext
    ) {
        isStreaming = true
        cutOff?.cancel()
        cutOff = nil
        limiter.noteStream(context.channel)
        var head = head
        head.headers.add(name: "Connection", value: "close")
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        stream.begin(on: context.channel)
    }

    private func wentOut(_ isLast: Bool, _ context: ChannelHandlerContext) {
        isAnswering = false
        // An event during the answer may have ended the connection.
        guard !isLast, !(isDeaf && turns.isEmpty) else {
            // Only the output is closed at first: closing a socket with unread input would reset
            // the connection, and the client could lose the answer.
            context.close(mode: .output, promise: nil)
            return wait(limits.farewell, context)
        }
        wait(limits.patience, context)
        if turns.isEmpty, form == nil { setBusy(false, context) }
        answerNext(context)
    }
}

extension HTTPRequestHead {
    /// True if there is exactly one `Host` field, as HTTP/1.1 requires (RFC 9112, 3.2); before
    /// HTTP/1.1 there may also be none.
    var hasHost: Bool {
        let count = headers["host"].count
        return count == 1 || count == 0 && version != .http1_1
    }

    /// True if the body has a transfer coding other than `chunked` (RFC 9112, 6.1), or an empty
    /// one.
    var hasUnknownCoding: Bool {
        let codings = headers["transfer-encoding"]
        return codings.contains { $0.allSatisfy(\.isWhitespace) }
            || headers[canonicalForm: "transfer-encoding"].contains { $0.lowercased() != "chunked" }
    }

    /// True if a body follows.
    var hasBody: Bool {
        !headers["transfer-encoding"].isEmpty || headers["content-length"].contains { $0 != "0" }
    }
}

extension ChannelHandlerContext {
    /// The IP address of the other end of the connection; empty for a Unix socket of this machine.
    fileprivate var peer: String {
        if case .unixDomainSocket = localAddress { return "" }
        // Without an address, the client is no known proxy and not on this machine.
        return remoteAddress?.ipAddress ?? "unknown"
    }
}

extension HTTPRequestHead {
    /// The head without long runs of combining marks.
    fileprivate var streamSafe: HTTPRequestHead {
        var head = self
        head.uri = uri.streamSafe
        // A field that is sent twice stays two fields.
        if headers.contains(where: { field in field.value.utf8.contains { $0 > 0x7F } }) {
            head.headers = HTTPHeaders(headers.map { ($0.name, $0.value.streamSafe) })
        }
        return head
    }
}
