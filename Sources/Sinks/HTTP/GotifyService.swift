import Agenda
import Ledger
import Timekeeping
import Transport
import Wording

/// Gotify: a message of an application. A repeated message is shown twice, because Gotify has no
/// message identifiers.
enum GotifyService: HTTPService {
    static let kind = SinkKind(name: "gotify", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .must, secret: .must,
        hints: [
            .url: "the server, such as https://gotify.example", .secret: "an application token",
        ]
    ) { _ = try $0.address }

    private struct Message: Encodable {
        let title: String
        let message: String
        let priority: Int
    }

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        // A phone makes a sound from priority 4 on, and an urgent alert from 8 on.
        let message = Message(
            title: outgoing.subject, message: outgoing.text, priority: outgoing.kind.hurries ? 7 : 5
        )
        return HTTPRequest(
            .post, try target.address.appending(path: "/message"),
            json: try JSONText.of(message), token: ("X-Gotify-Key", target.secret))
    }
}
