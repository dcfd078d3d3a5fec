import Agenda
import Ledger
import Timekeeping
import Transport

/// Any service that accepts a request described by the user. The channel's target is the
/// description (``RequestTemplate``).
enum RequestService: HTTPService {
    static let kind = SinkKind(name: "http", needsAddress: false, readers: .owners)

    static let form = ChannelForm(
        url: .no, target: .must, secret: .mayBe,
        hints: [
            .requestFile: "a file that describes the request",
            .secret: "the text that replaces {{secret}}",
        ]
    ) { try RequestTemplate($0.target).check(hasSecret: !$0.secret.isEmpty) }

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        let template = try RequestTemplate(target.target)
        do {
            return try template.request(for: outgoing, secret: target.secret)
        } catch let error as TransportError {
            // The description was checked before, so the cause is the text of this message.
            throw UnsendableMessage(reason: error.message)
        }
    }

    static func secrets(of target: ChannelTarget) -> [String] {
        [target.secret] + ((try? RequestTemplate(target.target).literals) ?? [])
    }

    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport {
        guard let template = try? RequestTemplate(target.target) else {
            return HTTPVerdict.report(response)
        }
        return template.report(response)
    }
}
