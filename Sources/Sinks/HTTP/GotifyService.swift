import Agenda
import Ledger
import Timekeeping
import Transport
import Wording

/// Gotify: a message of an application. What comes twice is shown twice: it knows no names.
enum GotifyService: HTTPService {
    static let kind = SinkKind(name: "gotify", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .must, secret: .must,
        words: "--url is the server, such as https://gotify.example; the secret is the token of "
            + "an application."
    ) { _ = try $0.address }

    private struct Message: Encodable {
        let title: String
        let message: String
        let priority: Int
    }

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        // From 4 on a phone makes a sound, from 8 on it insists.
        let message = Message(
            title: outgoing.subject, message: outgoing.text, priority: outgoing.kind.hurries ? 7 : 5
        )
        return HTTPRequest(
            .post, try target.address.appending(path: "/message"),
            json: try JSONText.of(message), token: ("X-Gotify-Key", target.secret))
    }
}
