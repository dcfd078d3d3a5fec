import Agenda
import Ledger
import Timekeeping
import Transport
import Wording

/// Incoming webhooks of Slack, also supported by Mattermost, Rocket.Chat and Discord (at `/slack`).
/// A repeated message is shown twice, because they have no message identifiers.
enum SlackService: HTTPService {
    static let kind = SinkKind(name: "slack", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .must, secret: .no,
        hints: [
            .url: "the secret address of an incoming webhook from Slack, Mattermost or "
                + "Rocket.Chat, or from Discord with /slack appended"
        ]
    ) { _ = try $0.address }

    /// The rate limit of these services, which answer more with 429.
    static let limits = DestinationLimits(rate: RateLimit(perSecond: 1, burst: 1))

    /// The maximum size of a text, in octets: Slack advises 4,000 characters, Discord accepts
    /// 2,000.
    private static let textOctetsMax = 4000
    private static let discordOctetsMax = 1990

    private struct Message: Encodable {
        let text: String
        /// Disables markup, so that no word of a title becomes a heading or a link.
        let mrkdwn = false
    }

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        let address = try target.address
        let isDiscord = address.path.hasSuffix("/slack")
        let text = ChatText.harmless("\(outgoing.subject)\n\n\(outgoing.text)")
        let message = Message(
            text: isDiscord
                ? text.fitting(octets: discordOctetsMax, spelling: discordSpelling)
                : text.fitting(octets: textOctetsMax, spelling: slackSpelling))
        return HTTPRequest(.post, address, json: try JSONText.of(message), token: nil)
    }

    /// Escapes the three special characters of Slack's texts.
    private static func slackSpelling(_ character: Character) -> String {
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: String(character)
        }
    }

    /// Breaks the beginning of links and mentions, because Discord has no escapes.
    private static func discordSpelling(_ character: Character) -> String {
        character == "<" ? "<\(ChatText.nothing)" : String(character)
    }

    /// Words in a response that mean that the address or its chat room no longer exists.
    private static let lastWords = [
        "no_service", "no_team", "no_active_hooks", "invalid_token", "channel_not_found",
        "channel_is_archived", "action_prohibited", "team_disabled", "Unknown Webhook",
    ]

    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport {
        let words = response.words
        let isLast =
            response.status == 403
            || (400...499).contains(response.status) && lastWords.contains(where: words.contains)
        return isLast
            ? HTTPVerdict.report(response, .permanent) : HTTPVerdict.report(response)
    }
}
