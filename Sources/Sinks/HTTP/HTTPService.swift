import Agenda
import Ledger
import Settings
import Timekeeping
import Transport

/// A service that takes notifications over HTTP: how a channel of it is set up, how a request
/// reads, and what its answers mean. One type, in a file of its own, is all that a new one needs.
protocol HTTPService: Sendable {
    /// Its channel.
    static var kind: SinkKind { get }
    /// What a channel of somebody's own needs.
    static var form: ChannelForm { get }
    /// What each of its channels is spared.
    static var limits: DestinationLimits { get }
    /// When to try again.
    static var schedule: RetrySchedule { get }

    /// The request that brings a parcel there.
    ///
    /// - Throws: ``SinkFault``, ``TransportError``: where the channel is set up wrongly;
    ///   ``UnsendableMessage`` where it is not, and takes no such words.
    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest

    /// What an answer to what went to a target means.
    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport

    /// What nobody is to read of a target in what a receiver says.
    static func secrets(of target: ChannelTarget) -> [String]

    /// Where what the configuration sets up leads; `nil` where it sets up nothing of this kind.
    static func standard(in world: SinkContext) throws(SinkFault) -> ChannelTarget?
}

/// Words for which there is no request.
struct UnsendableMessage: Error {
    /// Why not.
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

/// What the answers of services mean, where their documentation says nothing else.
enum HTTPVerdict {
    /// Too much, or of a kind that the receiver will never take, and what there is no place for
    /// any more, fails for good; a token that is not good is a matter of the channel; all else
    /// may pass.
    static func report(_ response: HTTPResponse) -> AttemptReport {
        switch response.status {
        case 200...299: report(response, .accepted)
        case 401, 403, 407: report(response, .misconfigured)
        case 408, 425, 429: report(response, .retry)
        case 400...499: report(response, .permanent)
        default: report(response, .retry)
        }
    }

    /// An answer in the words of the receiver.
    static func report(
        _ response: HTTPResponse, _ outcome: AttemptOutcome, wait: Int? = nil
    ) -> AttemptReport {
        let isRedirect = (300...399).contains(response.status)
        let words = isRedirect ? "it sends elsewhere, and is not followed" : response.words
        return AttemptReport(
            outcome, code: "\(response.status)", reply: words,
            retryAfterSeconds: outcome == .retry ? wait ?? response.retryAfterSeconds : nil)
    }

    /// What an exchange without an answer means.
    static func report(_ error: TransportError) -> AttemptReport {
        switch error {
        case .forbidden(let host):
            AttemptReport(
                .misconfigured, code: "forbidden",
                reply: "\(host) is an address of this machine or of a private network. To send "
                    + "there, name it in webhook.allow, or LETSMEET_WEBHOOK_ALLOW.")
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
    /// The longest answer that is kept, in octets.
    private static let wordsOctetsMax = 500

    /// The beginning of what the receiver says.
    var words: String { String(decoding: body.prefix(Self.wordsOctetsMax), as: UTF8.self) }
}

extension HTTPRequest {
    /// The most octets of an answer that are read.
    private static let answerOctetsMax = 16 << 10
    /// How long an answer is waited for, in milliseconds.
    private static let patienceMilliseconds = 20_000

    /// A request that brings something, in JSON.
    init(
        _ method: HTTPMethod, _ url: HTTPURL, json: String, token: (name: String, value: String)?
    ) {
        self.init(delivering: method, url)
        headers.add("Content-Type", "application/json")
        if let token, !token.value.isEmpty { headers.add(token.name, token.value) }
        body = Array(json.utf8)
    }

    /// A request that brings something.
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

    /// The token as services take one that bears it (RFC 6750, 2.1).
    var bearer: (name: String, value: String)? {
        secret.isEmpty ? nil : ("Authorization", "Bearer \(secret)")
    }
}
