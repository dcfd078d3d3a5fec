import CCurl
import Foundation
import Synchronization

/// One mail that is being sent, with the server's replies so far.
///
/// It belongs to the thread that sends it, on which libcurl's callbacks run, too. Only ``cancel()``
/// may be called from elsewhere; this makes `@unchecked` safe.
final class SMTPTransfer: @unchecked Sendable {
    let message: SMTPMessage
    private let cancelled = Atomic(false)
    private let uptime: @Sendable () -> Duration
    /// The time at which the mail's turn came.
    private var begun = Duration.zero
    private var sent = 0
    private var lastGiven = Duration.zero
    private var cancelledAt: Duration?
    private var replies = SMTPReplies()
    private var isLate = false
    private var lacksUTF8 = false
    private var lacksLogin = false
    /// True if the client must log in before the server accepts a mail.
    private let needsLogin: Bool

    /// The time limits for the server to ask for the mail and to send its final reply, in seconds
    /// (RFC 5321, 4.5.3.2.6). Closing the connection earlier causes a duplicate.
    private static let preludeSecondsMax = 120
    static let verdictSecondsMax = 600
    /// The time limits for a pause in which the server reads nothing (RFC 5321, 4.5.3.2.5) and for
    /// the whole content, in seconds.
    private static let pauseSecondsMax = 180
    private static let contentSecondsMax = 300
    /// The time to wait for the final reply after the caller cancels, in seconds.
    private static let graceSeconds = 20
    /// The maximum duration of sending one mail, in seconds.
    static let secondsMax = preludeSecondsMax + contentSecondsMax + verdictSecondsMax

    init(
        _ message: SMTPMessage, to server: SMTPServer, uptime: @escaping @Sendable () -> Duration
    ) {
        self.message = message
        self.uptime = uptime
        needsLogin = server.user != nil
    }

    /// True if the whole mail was handed over. From then on it may arrive, whatever the replies
    /// say.
    private var isAllGiven: Bool { sent == message.octets.count }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Sends the mail, on an open connection if there is one.
    ///
    /// - Returns: the outcome, and whether the handle can be used for another mail. After a
    ///   failure, libcurl may take a late reply for the reply to the next mail.
    func send(
        over handle: borrowing SMTPHandle, to server: SMTPServer
    ) -> (outcome: SMTPOutcome, isHandleFit: Bool) {
        guard message.isSendable else {
            let reply = SMTPReply(code: 553, text: "5.1.3 not a valid address")
            return (.refused(.receiver, reply), true)
        }
        guard !cancelled.load(ordering: .acquiring) else {
            return (.broken(.greeting, .cancelled), true)
        }
        guard message.isWanted() else { return (.unwanted, true) }
        begun = uptime()
        lastGiven = begun
        do throws(TransportError) {
            let code = try handle.perform(self)
            return (outcome(of: code, handle.complaint, server), code == CURLE_OK)
        } catch {
            return (.broken(.greeting, error), false)
        }
    }

    private func outcome(
        of code: CURLcode, _ complaint: String, _ server: SMTPServer
    ) -> SMTPOutcome {
        if lacksUTF8 { return .noUTF8 }
        if lacksLogin { return .broken(.login, .failed("the server does not offer a login")) }
        // libcurl accepts only 250 as success.
        if let reply = replies.verdict, (200...299).contains(reply.code) { return .accepted(reply) }
        if code == CURLE_ABORTED_BY_CALLBACK, !isAllGiven {
            return .broken(.greeting, error(for: code, server))
        }
        if replies.isMailWanted {
            guard let verdict = replies.verdict, verdict.code >= 400 else {
                return .broken(.content, error(for: code, server))
            }
            return .refused(.content, verdict)
        }
        let stage = Self.stage(of: code, complaint)
        guard let refusal = replies.refusal else {
            return .broken(stage, error(for: code, server))
        }
        return .refused(stage, refusal)
    }

    /// The stage of a refusal, derived from libcurl's error message.
    private static func stage(of code: CURLcode, _ complaint: String) -> SMTPOutcome.Stage {
        switch code {
        case CURLE_LOGIN_DENIED: .login
        case CURLE_USE_SSL_FAILED, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR:
            .encryption
        case _ where complaint.hasPrefix("MAIL failed"): .sender
        case _ where complaint.hasPrefix("RCPT failed"): .receiver
        case _ where complaint.hasPrefix("DATA failed"): .content
        default: .greeting
        }
    }

    private func error(for code: CURLcode, _ server: SMTPServer) -> TransportError {
        switch code {
        case CURLE_ABORTED_BY_CALLBACK where isLate:
            .timedOut(milliseconds: Int((uptime() - begun) / .milliseconds(1)))
        case CURLE_LOGIN_DENIED: .failed("the server supports neither PLAIN nor LOGIN")
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolve(host: server.host)
        case CURLE_COULDNT_CONNECT: .couldNotConnect(host: server.host, port: server.port)
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut(milliseconds: Self.verdictSecondsMax * 1000)
        case CURLE_USE_SSL_FAILED: .tlsFailed("the server does not offer STARTTLS")
        default:
            Self.stage(of: code, "") == .encryption
                ? .tlsFailed(Libcurl.words(of: code)) : .failed(Libcurl.words(of: code))
        }
    }
}

/// Callbacks for libcurl.
extension SMTPTransfer {
    /// The mail of a callback; `nil` between two mails, when libcurl sends QUIT.
    private static func of(_ context: UnsafeMutableRawPointer?) -> SMTPTransfer? {
        context.map { Unmanaged<SMTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    static let give: letsmeet_curl_sink = { buffer, size, count, context in
        guard let mail = SMTPTransfer.of(context), let buffer else {
            return Int(CURL_READFUNC_ABORT)
        }
        return mail.give(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
    }

    static let takeReply: letsmeet_curl_sink = { bytes, size, count, context in
        SMTPTransfer.of(context)?.replies.take(
            UnsafeRawBufferPointer(start: bytes, count: size * count))
        return size * count
    }

    static let isGivenUp: letsmeet_curl_progress = { context, _, _, _, _ in
        SMTPTransfer.of(context)?.isGivenUp == true ? 1 : 0
    }

    /// Gives libcurl the next part of the mail. The first call comes when the server has asked for
    /// it.
    private func give(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !message.needsUTF8 || replies.offersUTF8 else {
            lacksUTF8 = true
            return Int(CURL_READFUNC_ABORT)
        }
        guard !needsLogin || replies.isLoggedIn || !replies.isFresh else {
            lacksLogin = true
            return Int(CURL_READFUNC_ABORT)
        }
        let part = message.octets[sent...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        sent += part.count
        lastGiven = uptime()
        return part.count
    }

    private var isGivenUp: Bool {
        let now = uptime()
        if cancelled.load(ordering: .acquiring), isOver(now) { return true }
        isLate = isLate(now)
        return isLate
    }

    /// True if the wait after a cancellation is over. A server that has the whole mail is about to
    /// accept it, and not waiting for its reply causes a duplicate.
    private func isOver(_ now: Duration) -> Bool {
        cancelledAt = cancelledAt ?? now
        return !isAllGiven || now - (cancelledAt ?? now) > .seconds(Self.graceSeconds)
    }

    private func isLate(_ now: Duration) -> Bool {
        guard replies.isMailWanted else { return now - begun > .seconds(Self.preludeSecondsMax) }
        guard !isAllGiven else { return false }
        return now - lastGiven > .seconds(Self.pauseSecondsMax)
            || now - begun > .seconds(Self.preludeSecondsMax + Self.contentSecondsMax)
    }
}
