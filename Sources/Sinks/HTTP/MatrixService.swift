import Agenda
import Foundation
import Ledger
import Timekeeping
import Transport
import Wording

/// Matrix: a message in a room, through the client-server API. The delivery's identity is the
/// transaction id, so a message that is sent twice is shown once.
enum MatrixService: HTTPService {
    static let kind = SinkKind(name: "matrix", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .must, target: .must, secret: .must,
        hints: [
            .url: "the home server, such as https://matrix.example",
            .target: "the room ID, such as !abc:example",
            .secret: "the access token of an account in that room",
        ]
    ) { try _ = room(of: $0) }

    /// The maximum size of a text, in octets. An event may have 65,536, and the text occurs in it
    /// twice.
    private static let textOctetsMax = 16_000

    private struct Message: Encodable {
        let msgtype = "m.text"
        let body: String
        let format = "org.matrix.custom.html"
        let formattedBody: String
        /// The people mentioned: nobody, whatever a title contains.
        let mentions: [String: String] = [:]

        enum CodingKeys: String, CodingKey {
            case msgtype, body, format
            case formattedBody = "formatted_body"
            case mentions = "m.mentions"
        }
    }

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        let text = outgoing.text.fitting(octets: textOctetsMax)
        let page = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { HTMLText.escaped(String($0)) }.joined(separator: "<br>")
        let message = Message(
            body: "\(outgoing.subject)\n\n\(text)",
            formattedBody: "<strong>\(HTMLText.escaped(outgoing.subject))</strong><br>\(page)")
        let path =
            "/_matrix/client/v3/rooms/\(FormText.encode(try room(of: target)))"
            + "/send/m.room.message/\(outgoing.identity)"
        return HTTPRequest(
            .put, try target.address.appending(path: path), json: try JSONText.of(message),
            token: target.bearer)
    }

    private static func room(of target: ChannelTarget) throws -> String {
        _ = try target.address
        guard target.target.hasPrefix("!"), target.target.utf8.count <= 255,
            target.target.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else {
            throw SinkFault(
                sink: kind.name,
                reason: "\"\(target.target)\" is not a room ID. A room ID begins with ! and is "
                    + "shown in the room's settings.")
        }
        return target.target
    }

    private struct Fault: Decodable {
        let retryAfterMs: Int?

        enum CodingKeys: String, CodingKey {
            case retryAfterMs = "retry_after_ms"
        }
    }

    /// The most octets of an error that are read. Names in a longer one could take long to compare.
    private static let faultOctetsMax = 4096

    /// The meaning of a response. Servers before version 1.10 of the specification say in the body
    /// how long to wait.
    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport {
        guard response.status == 429, response.retryAfterSeconds == nil else {
            return HTTPVerdict.report(response)
        }
        let fault = try? JSONDecoder().decode(
            Fault.self, from: Data(response.body.prefix(faultOctetsMax)))
        let wait = fault?.retryAfterMs.map { (max($0, 0) / 1000) + 1 }
        return HTTPVerdict.report(response, .retry, wait: wait)
    }
}
