import Agenda
import Ledger
import Timekeeping
import Transport
import Wording

/// Incoming webhooks as Slack made them, and as Mattermost, Rocket.Chat and Discord (at `/slack`)
/// take them. What comes twice is shown twice: they know no names.
enum SlackService: HTTPService {
    static let kind = SinkKind(name: "slack", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .must, secret: .no,
        words: "--url is the address that the service gave you for an incoming webhook: Slack, "
            + "Mattermost, Rocket.Chat; Discord's with /slack behind it. Who knows it can write "
            + "there: --url - reads it without showing it."
    ) { _ = try $0.address }

    /// More is answered by 429.
    static let limits = DestinationLimits(rate: RateLimit(perSecond: 1, burst: 1))

    /// The most octets of a text: Slack advises 4,000 characters, Discord takes 2,000.
    private static let textOctetsMax = 4000
    private static let discordOctetsMax = 1990

    private struct Message: Encodable {
        let text: String
        /// No word of a title is a heading or a link.
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

    /// The three characters that mean something in Slack's texts.
    private static func slackSpelling(_ character: Character) -> String {
        switch character {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: String(character)
        }
    }

    /// Discord knows no such spelling: what would begin a link or a mention is broken.
    private static func discordSpelling(_ character: Character) -> String {
        character == "<" ? "<\(ChatText.nothing)" : String(character)
    }

    /// The words that mean that the address, or the room behind it, is none any more.
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
