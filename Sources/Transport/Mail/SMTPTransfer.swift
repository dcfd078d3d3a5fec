import CCurl
import Foundation
import Synchronization

/// One mail on its way: what goes out, and what was said so far.
///
/// It belongs to the thread that sends it, on which libcurl's callbacks run too. Only ``cancel()``
/// may be called from elsewhere: that is what makes `@unchecked` true.
final class SMTPTransfer: @unchecked Sendable {
    let letter: SMTPLetter
    private let cancelled = Atomic(false)
    private let uptime: @Sendable () -> Duration
    private let begun: Duration
    private var sent = 0
    private var replies = SMTPReplies()
    private var isLate = false
    private var lacksUTF8 = false

    /// How long a server may take until it asks for the mail, and how long for its last word
    /// (RFC 5321, 4.5.3.2.6): who hangs up earlier makes it come twice.
    private static let preludeSecondsMax = 120
    static let verdictSecondsMax = 600

    init(_ letter: SMTPLetter, uptime: @escaping @Sendable () -> Duration) {
        self.letter = letter
        self.uptime = uptime
        begun = uptime()
    }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    /// Hands it over on a connection that may be open already. Any outcome but `accepted` leaves
    /// the handle unfit for another mail: libcurl may take the late answer for the next one's.
    func send(over handle: borrowing SMTPHandle, to server: SMTPServer) -> SMTPOutcome {
        guard letter.isSendable else {
            return .refused(.receiver, SMTPReply(code: 553, text: "5.1.3 no address that is sent"))
        }
        do throws(TransportError) {
            let code = try handle.perform(self)
            return outcome(of: code, handle.complaint, server)
        } catch {
            return .broken(.greeting, error)
        }
    }

    private func outcome(
        of code: CURLcode, _ complaint: String, _ server: SMTPServer
    ) -> SMTPOutcome {
        if lacksUTF8 { return .noUTF8 }
        if code == CURLE_OK, let reply = replies.verdict { return .accepted(reply) }
        if replies.isMailWanted {
            guard let verdict = replies.verdict, verdict.code >= 400 else {
                return .broken(.content, error(for: code, server))
            }
            return .refused(.content, verdict)
        }
        let stage = Self.stage(of: code, complaint)
        guard let refusal = replies.refusal, stage != .encryption else {
            return .broken(stage, error(for: code, server))
        }
        return .refused(stage, refusal)
    }

    /// libcurl says in its own words which command was refused.
    private static func stage(of code: CURLcode, _ complaint: String) -> SMTPOutcome.Stage {
        switch code {
        case CURLE_LOGIN_DENIED: .login
        case CURLE_USE_SSL_FAILED, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
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
            .timedOut(milliseconds: Self.preludeSecondsMax * 1000)
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_COULDNT_RESOLVE_HOST: .couldNotResolve(host: server.host)
        case CURLE_COULDNT_CONNECT: .couldNotConnect(host: server.host, port: server.port)
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut(milliseconds: Self.verdictSecondsMax * 1000)
        case CURLE_USE_SSL_FAILED: .tlsFailed("the server offers no STARTTLS")
        default:
            Self.stage(of: code, "") == .encryption
                ? .tlsFailed(Libcurl.words(of: code)) : .failed(Libcurl.words(of: code))
        }
    }
}

/// What libcurl asks and tells on the way.
extension SMTPTransfer {
    /// The mail that a callback is about; `nil` between two mails, when libcurl takes its leave.
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

    /// The first call comes when the server has asked for the mail.
    private func give(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !letter.needsUTF8 || replies.offersUTF8 else {
            lacksUTF8 = true
            return Int(CURL_READFUNC_ABORT)
        }
        let part = letter.octets[sent...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        sent += part.count
        return part.count
    }

    private var isGivenUp: Bool {
        if cancelled.load(ordering: .acquiring) { return true }
        let waited = uptime() - begun
        isLate = !replies.isMailWanted && waited > .seconds(Self.preludeSecondsMax)
        return isLate
    }
}
