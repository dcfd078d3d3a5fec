import Agenda
import Ledger
import Settings
import Timekeeping
import Transport
import Wording

/// ntfy: a message to a topic, as JSON.
enum NtfyService: HTTPService {
    static let kind = SinkKind(name: "ntfy", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .must, secret: .mayBe,
        hints: [
            .url: "the server with the topic, such as https://ntfy.sh/our-club",
            .secret: "an access token, if the topic needs one",
        ]
    ) { try _ = topic(of: $0) }

    /// The server's default limits for one visitor: 60 messages, and one more every 5 seconds.
    static let limits = DestinationLimits(rate: RateLimit(perSecond: 0.2, burst: 60))

    /// The maximum size of a message, in octets. The server turns longer ones into an attached
    /// file.
    private static let messageOctetsMax = 4096

    private struct Message: Encodable {
        let topic: String
        let title: String
        let message: String
        let priority: Int
        /// The identity of the delivery. Servers from 2.16 on replace a message of the same
        /// identity.
        let sequenceId: String
    }

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        let (server, topic) = try topic(of: target)
        let message = Message(
            topic: topic, title: outgoing.subject.fitting(octets: 250),
            message: outgoing.text.fitting(octets: messageOctetsMax),
            priority: outgoing.kind.hurries ? 4 : 3, sequenceId: outgoing.identity)
        return HTTPRequest(.post, server, json: try JSONText.of(message), token: target.bearer)
    }

    /// The secret words of a target, including the topic: anyone who knows a topic can read it.
    static func secrets(of target: ChannelTarget) -> [String] {
        let topic = try? topic(of: target).1
        return [target.secret, topic ?? ""] + WebAddress.secrets(of: target.url)
    }

    private static func topic(of target: ChannelTarget) throws -> (HTTPURL, String) {
        let address = try target.address
        let parts = address.path.split(separator: "/")
        guard let topic = parts.last, topic.utf8.count <= 64,
            topic.utf8.allSatisfy({ $0.isTopicOctet })
        else {
            throw SinkFault(
                sink: kind.name,
                reason: "the address has no topic. Write it like https://ntfy.sh/our-club; a topic "
                    + "has at most 64 letters, digits, - and _.")
        }
        let folder = "/" + parts.dropLast().map { "\($0)/" }.joined()
        // Some servers take their token in the query.
        let query = address.text.firstIndex(of: "?").map { String(address.text[$0...]) } ?? ""
        return (try address.resolving(folder + query), String(topic))
    }
}

extension NotificationKind {
    /// True if the notification is urgent.
    var hurries: Bool {
        switch self {
        case .change, .cancellation, .reminder, .promotion: true
        case .invitation, .nudge, .message, .answer, .proposal, .refusal, .join, .leave, .request,
            .admission, .decision, .link, .digest, .alarm, .signIn, .follow:
            false
        }
    }
}

extension UInt8 {
    fileprivate var isTopicOctet: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
