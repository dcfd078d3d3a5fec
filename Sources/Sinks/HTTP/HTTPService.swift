import Agenda
import Ledger
import Settings
import Timekeeping
import Transport

/// A service that accepts notifications over HTTP: the setup of its channels, its requests, and the
/// meaning of its responses. To support a new service, add one type in its own file.
protocol HTTPService: Sendable {
    /// The kind of sink.
    static var kind: SinkKind { get }
    /// The form of its channels.
    static var form: ChannelForm { get }
    /// The limits of each channel.
    static var limits: DestinationLimits { get }
    /// The schedule of retries.
    static var schedule: RetrySchedule { get }

    /// The request that delivers a message.
    ///
    /// - Throws: ``SinkFault`` or ``TransportError`` if the channel is set up incorrectly;
    ///   ``UnsendableMessage`` if it is set up correctly but cannot take this text.
    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest

    /// The meaning of a response from a target.
    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport

    /// The parts of a target that must be hidden in the receiver's replies.
    static func secrets(of target: ChannelTarget) -> [String]

    /// The target that the configuration sets; `nil` if it sets none of this kind.
    static func standard(in world: SinkContext) throws(SinkFault) -> ChannelTarget?
}

/// The error of a text that no request can contain.
struct UnsendableMessage: Error {
    /// The cause.
    let reason: String
}

extension HTTPService {
    static var limits: DestinationLimits { DestinationLimits() }

    static var schedule: RetrySchedule { .webhook }

    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport {
        HTTPVerdict.report(response)
    }

    static func standard(in world: SinkContext) throws(SinkFault) -> ChannelTarget? { nil }

    static func secrets(of target: ChannelTarget) -> [String] {
        [target.secret, target.oldSecret ?? ""] + WebAddress.secrets(of: target.url)
    }
}

/// The meaning of responses, unless a service documents something else.
enum HTTPVerdict {
    /// Statuses for a message that is too large, is never accepted or has no destination any more
    /// fail for good. An invalid token is an error of the channel. Everything else may be
    /// temporary.
    static func report(_ response: HTTPResponse) -> AttemptReport {
        switch response.status {
        case 200...299: report(response, .accepted)
        case 401, 403, 407: report(response, .misconfigured)
        case 408, 425, 429: report(response, .retry)
        case 400...499: report(response, .permanent)
        default: report(response, .retry)
        }
    }

    /// A report with the receiver's words.
    static func report(
        _ response: HTTPResponse, _ outcome: AttemptOutcome, wait: Int? = nil
    ) -> AttemptReport {
        let isRedirect = (300...399).contains(response.status)
        let words = isRedirect ? "it redirects; redirects are not followed" : response.words
        return AttemptReport(
            outcome, code: "\(response.status)", reply: words,
            retryAfterSeconds: outcome == .retry ? wait ?? response.retryAfterSeconds : nil,
            retryAt: outcome == .retry && wait == nil ? response.retryAt : nil)
    }

    /// The meaning of an exchange without a response.
    static func report(_ error: TransportError) -> AttemptReport {
        switch error {
        case .forbidden(let host):
            AttemptReport(
                .misconfigured, code: "forbidden",
                reply: "\(host) belongs to this machine or to a private network. To send there, "
                    + "add it to webhook.allow (LETSMEET_WEBHOOK_ALLOW).")
        case .badURL, .badHeader:
            AttemptReport(.misconfigured, code: "bad-request", reply: error.message)
        case .unanswered: AttemptReport(.ambiguous, code: "unanswered", reply: error.message)
        case .cancelled: AttemptReport(.retry, code: AttemptReport.shutdownCode)
        case .unwanted: .held
        case .couldNotResolve, .couldNotConnect, .timedOut, .tlsFailed, .tooLarge, .failed:
            AttemptReport(.retry, code: "no-connection", reply: error.message)
        }
    }
}

extension HTTPResponse {
    /// The maximum length of a response that is kept, in octets.
    private static let wordsOctetsMax = 500

    /// The beginning of the response body, as text.
    var words: String { String(decoding: body.prefix(Self.wordsOctetsMax), as: UTF8.self) }
}

extension HTTPRequest {
    /// The maximum size of a response that is read, in octets.
    private static let answerOctetsMax = 16 << 10
    /// The time allowed for a response, in milliseconds.
    private static let patienceMilliseconds = 20_000

    /// Creates a request that delivers JSON.
    init(
        _ method: HTTPMethod, _ url: HTTPURL, json: String, token: (name: String, value: String)?
    ) {
        self.init(delivering: method, url)
        headers.add("Content-Type", "application/json")
        if let token, !token.value.isEmpty { headers.add(token.name, token.value) }
        body = Array(json.utf8)
    }

    /// Creates a request that delivers something.
    init(delivering method: HTTPMethod, _ url: HTTPURL) {
        self.init(method, url)
        isDelivery = true
        timeoutMilliseconds = Self.patienceMilliseconds
        bodyBytesMax = Self.answerOctetsMax
    }
}

extension ChannelTarget {
    /// The address of the service.
    ///
    /// - Throws: ``TransportError/badURL(_:)``.
    var address: HTTPURL { get throws(TransportError) { try HTTPURL(url) } }

    /// The token as a Bearer authorization header (RFC 6750, 2.1).
    var bearer: (name: String, value: String)? {
        secret.isEmpty ? nil : ("Authorization", "Bearer \(secret)")
    }
}
