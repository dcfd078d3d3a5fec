import CCurl
import Glibc
import StreamSafe

/// A conversation with an IMAP server, on one thread. libcurl connects, encrypts and logs in. This
/// type sends the commands after that, because libcurl's own commands cannot read a mail without
/// marking it as read.
struct IMAPSession: ~Copyable {
    private let easy: EasyHandle
    private let connecting: Connecting
    private let end: Duration
    private let octetsMax: Int
    private let uptime: @Sendable () -> Duration
    private let isCancelled: @Sendable () -> Bool
    private var replies: IMAPReplies
    private var commandCount = 0

    private static let connectMilliseconds = 30_000
    /// The maximum duration of a command, in seconds.
    private static let commandSecondsMax = 60
    /// The interval at which the session checks for cancellation, in milliseconds.
    private static let lookMilliseconds: CInt = 250

    /// The state of libcurl's callbacks while it connects.
    private final class Connecting {
        let isCancelled: @Sendable () -> Bool
        /// The login methods in the server's last list of capabilities. The list can be longer once
        /// the connection is encrypted.
        var offersLogin = false
        var offersCommand = true
        /// The words with which the server says that it is not available at present.
        var absence: String?

        init(_ isCancelled: @escaping @Sendable () -> Bool) {
            self.isCancelled = isCancelled
        }

        func take(_ line: some Collection<UInt8>) {
            let whole = String(decoding: line, as: UTF8.self).streamSafe
            let reply = IMAPReply(
                text: String(whole.prefix { !$0.isNewline }), literals: [])
            absence = reply.absence ?? absence
            let text = whole.uppercased()
            guard text.contains("CAPABILITY ") else { return }
            offersLogin = text.contains("AUTH=PLAIN") || text.contains("AUTH=LOGIN")
            offersCommand = !text.contains("LOGINDISABLED")
        }

        private static func of(_ context: UnsafeMutableRawPointer?) -> Connecting? {
            context.map { Unmanaged<Connecting>.fromOpaque($0).takeUnretainedValue() }
        }

        static let listen: letsmeet_curl_sink = { bytes, size, count, context in
            Connecting.of(context)?.take(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }

        static let isGivenUp: letsmeet_curl_progress = { context, _, _, _, _ in
            Connecting.of(context)?.isCancelled() == true ? 1 : 0
        }
    }

    private init(
        _ easy: consuming EasyHandle, octetsMax: Int, secondsMax: Int,
        uptime: @escaping @Sendable () -> Duration, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.easy = easy
        self.uptime = uptime
        self.isCancelled = isCancelled
        self.octetsMax = octetsMax
        end = uptime() + .seconds(secondsMax)
        replies = IMAPReplies(octetsMax: octetsMax)
        connecting = Connecting(isCancelled)
    }

    /// Connects and logs in.
    static func of(
        _ server: IMAPServer, octetsMax: Int, secondsMax: Int,
        uptime: @escaping @Sendable () -> Duration, isCancelled: @escaping @Sendable () -> Bool
    ) throws(TransportError) -> IMAPSession {
        let easy = try EasyHandle()
        try easy.prepare(server, min(connectMilliseconds, secondsMax * 1000))
        let session = IMAPSession(
            easy, octetsMax: octetsMax, secondsMax: secondsMax, uptime: uptime,
            isCancelled: isCancelled)
        try session.connect(server)
        return session
    }

    private func connect(_ server: IMAPServer) throws(TransportError) {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(connecting).toOpaque())
        try easy.set(CURLOPT_HEADERFUNCTION, Connecting.listen)
        try easy.set(CURLOPT_HEADERDATA, context)
        try easy.set(CURLOPT_NOPROGRESS, 0)
        try easy.set(CURLOPT_XFERINFOFUNCTION, Connecting.isGivenUp)
        try easy.set(CURLOPT_XFERINFODATA, context)
        var code = withExtendedLifetime(connecting) { curl_easy_perform(easy.pointer) }
        if code == CURLE_LOGIN_DENIED, !connecting.offersLogin, connecting.absence == nil {
            guard connecting.offersCommand || server.encryption != .none else {
                throw .failed("the server allows logins only over encrypted connections")
            }
            // A server that supports neither PLAIN nor LOGIN supports another method or the older
            // LOGIN command.
            try easy.set(CURLOPT_LOGIN_OPTIONS, "AUTH=*")
            code = withExtendedLifetime(connecting) { curl_easy_perform(easy.pointer) }
        }
        guard code == CURLE_OK else {
            throw Self.error(of: code, server, connecting.absence)
        }
    }

    /// The error of a connection that failed. A server that is not available at present may refuse
    /// a correct password.
    private static func error(
        of code: CURLcode, _ server: IMAPServer, _ absence: String?
    ) -> TransportError {
        if let absence, code != CURLE_ABORTED_BY_CALLBACK {
            return .failed("the server is not available at present: \(absence)")
        }
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolve(host: server.host)
        case CURLE_COULDNT_CONNECT: .couldNotConnect(host: server.host, port: server.port)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(milliseconds: connectMilliseconds)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_LOGIN_DENIED: .failed("the server rejects this user name or password")
        case CURLE_USE_SSL_FAILED: .tlsFailed("the server does not offer STARTTLS")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            .tlsFailed(Libcurl.words(of: code))
        default: .failed(Libcurl.words(of: code))
        }
    }

    /// Runs a command.
    ///
    /// - Returns: the replies before the one that completes the command.
    /// - Throws: ``TransportError/failed(_:)`` with the server's words if it refuses the command.
    mutating func perform(_ command: String) throws(TransportError) -> [IMAPReply] {
        let (heard, last) = try ask(command)
        guard last.isGood else {
            throw .failed("the server refuses \(command.prefix(40)): \(last.explanation)")
        }
        return heard
    }

    /// Runs a command that the server may refuse.
    ///
    /// - Returns: the replies, or the server's words if it refuses for a reason that it does not
    ///   call temporary.
    mutating func attempt(
        _ command: String
    ) throws(TransportError) -> (heard: [IMAPReply], refusal: String?) {
        let (heard, last) = try ask(command)
        guard last.isGood || !last.mayPass else {
            throw .failed("the server refuses \(command.prefix(40)): \(last.explanation)")
        }
        return last.isGood ? (heard, nil) : ([], last.explanation)
    }

    /// The number of octets that each reply counts beside its text.
    private static let replyOctets = 64

    private mutating func ask(
        _ command: String
    ) throws(TransportError) -> (heard: [IMAPReply], last: IMAPReply) {
        commandCount += 1
        let tag = "m\(commandCount)"
        let deadline = min(uptime() + .seconds(Self.commandSecondsMax), end)
        try send(Array("\(tag) \(command)\r\n".utf8), until: deadline)
        var heard: [IMAPReply] = []
        var size = 0
        while true {
            let reply = try next(until: deadline)
            guard !reply.ends(tag) else { return (heard, reply) }
            guard !reply.isFarewell else {
                throw .failed("the server closed the connection: \(reply.explanation)")
            }
            size += reply.size + Self.replyOctets
            guard size <= octetsMax else { throw .tooLarge(bytesMax: octetsMax) }
            heard.append(reply)
        }
    }

    /// Logs out without waiting for a reply.
    mutating func leave() { try? send(Array("m0 LOGOUT\r\n".utf8), until: uptime()) }

    private func send(_ octets: [UInt8], until deadline: Duration) throws(TransportError) {
        var rest = octets[...]
        while !rest.isEmpty {
            var count = 0
            let code = rest.withUnsafeBytes {
                curl_easy_send(easy.pointer, $0.baseAddress, $0.count, &count)
            }
            rest = rest.dropFirst(count)
            guard code == CURLE_OK || code == CURLE_AGAIN else {
                throw .failed(Libcurl.words(of: code))
            }
            if code == CURLE_AGAIN { try wait(for: POLLOUT, until: deadline) }
        }
    }

    private mutating func next(until deadline: Duration) throws(TransportError) -> IMAPReply {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let reply = try replies.next() { return reply }
            var count = 0
            let code = buffer.withUnsafeMutableBytes {
                curl_easy_recv(easy.pointer, $0.baseAddress, $0.count, &count)
            }
            switch code {
            case CURLE_OK where count > 0:
                replies.take(buffer[..<count])
                try check(deadline)
            case CURLE_AGAIN: try wait(for: POLLIN, until: deadline)
            default: throw .failed("the server closed the connection")
            }
        }
    }

    private func check(_ deadline: Duration) throws(TransportError) {
        guard !isCancelled() else { throw .cancelled }
        guard uptime() < deadline else {
            throw .timedOut(milliseconds: Self.commandSecondsMax * 1000)
        }
    }

    private func wait(for event: Int32, until deadline: Duration) throws(TransportError) {
        try check(deadline)
        var look = pollfd(fd: easy.activeSocket, events: Int16(event), revents: 0)
        _ = poll(&look, 1, Self.lookMilliseconds)
    }
}

extension EasyHandle {
    fileprivate borrowing func prepare(
        _ server: IMAPServer, _ connectMilliseconds: Int
    ) throws(TransportError) {
        try set(CURLOPT_URL, server.url)
        try set(CURLOPT_PROTOCOLS_STR, "imap,imaps")
        try set(CURLOPT_CONNECT_ONLY, 1)
        try set(CURLOPT_NOSIGNAL, 1)
        // A pending name lookup must not delay a caller who has cancelled.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_PROXY, "")
        try set(CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds)
        try set(CURLOPT_TIMEOUT_MS, 2 * connectMilliseconds)
        let ssl = server.encryption == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        try set(CURLOPT_USE_SSL, Int(ssl.rawValue))
        if let authorities = server.authorities { try set(CURLOPT_CAINFO, authorities) }
        guard let user = server.user else { return }
        try set(CURLOPT_USERNAME, user)
        try set(CURLOPT_PASSWORD, server.password ?? "")
        // Otherwise libcurl would prefer GSSAPI, which some servers offer but do not support.
        try set(CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")
    }
}
