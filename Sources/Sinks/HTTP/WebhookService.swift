import Agenda
import Ledger
import Secrets
import Settings
import Timekeeping
import Transport
import Wording

/// Requests after Standard Webhooks 1.0.0, for programs that listen.
enum WebhookService: HTTPService {
    static let kind = SinkKind.webhook

    static let form = ChannelForm(
        url: .must, secret: .made,
        words:
            "--url is where requests go, as Standard Webhooks asks; the secret is made, and shown."
    ) { target in
        _ = try target.address
        _ = try keys(of: target)
    }

    /// Those of one meeting go one after the other all the same.
    static let limits = DestinationLimits(concurrency: 8)

    static func request(
        for outgoing: OutgoingMessage, to target: ChannelTarget, at now: Moment
    ) throws -> HTTPRequest {
        var request = HTTPRequest(
            .post, try target.address, json: outgoing.webhookBody, token: nil)
        let seconds = now.milliseconds / 1000
        request.headers.add("webhook-id", outgoing.identity)
        request.headers.add("webhook-timestamp", "\(seconds)")
        let signatures = try keys(of: target).map {
            $0.signature(id: outgoing.identity, seconds: seconds, body: request.body)
        }
        if !signatures.isEmpty {
            request.headers.add("webhook-signature", signatures.joined(separator: " "))
        }
        return request
    }

    static func standard(in world: SinkContext) throws(SinkFault) -> ChannelTarget? {
        let configuration = world.configuration
        for name in [SettingName.webhookURL, .webhookSecret] {
            if let fault = configuration.fault(of: name) {
                throw SinkFault(sink: kind.name, reason: fault.description)
            }
        }
        guard let url = configuration.webhookURL?.value else {
            throw SinkFault(
                sink: kind.name,
                reason: "webhook.url is not set: set it, or LETSMEET_WEBHOOK_URL.")
        }
        try WebhookRules.check(url: url)
        let secret = configuration.webhookSecret?.value ?? ""
        if !secret.isEmpty { try WebhookRules.check(secret: secret) }
        return ChannelTarget(url: url, secret: secret)
    }

    /// Only two answers are the last word: what was taken, and that nothing more is to come.
    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport {
        switch response.status {
        case 200...299: HTTPVerdict.report(response, .accepted)
        case 410, 413: HTTPVerdict.report(response, .permanent)
        default: HTTPVerdict.report(response, .retry)
        }
    }

    /// The keys by which is signed: after a rotation, for a while, the old one too.
    private static func keys(of target: ChannelTarget) throws(SinkFault) -> [WebhookSecret] {
        var keys: [WebhookSecret] = []
        for text in [target.secret, target.oldSecret ?? ""] where !text.isEmpty {
            keys.append(try WebhookRules.secret(text))
        }
        return keys
    }
}

/// What the settings of webhooks may be.
public enum WebhookRules {
    /// Holds an address to what requests can be sent to.
    ///
    /// - Throws: ``SinkFault``, without the address.
    public static func check(url: String) throws(SinkFault) {
        do throws(TransportError) {
            _ = try HTTPURL(url)
        } catch {
            throw fault(error.message)
        }
    }

    /// Holds a secret to the form of Standard Webhooks.
    ///
    /// - Throws: ``SinkFault``, without the secret.
    public static func check(secret: String) throws(SinkFault) { _ = try self.secret(secret) }

    /// Holds a list of hosts and networks to its form.
    ///
    /// - Throws: ``SinkFault`` with the entry that is wrong.
    public static func check(allowed list: String) throws(SinkFault) { _ = try guardian(list) }

    /// A secret as somebody wrote it down.
    static func secret(_ text: String) throws(SinkFault) -> WebhookSecret {
        guard let secret = WebhookSecret(text) else {
            throw fault(
                "the secret is none of Standard Webhooks: whsec_ and the base64 of 24 to 64 "
                    + "random bytes.")
        }
        return secret
    }

    /// What lets requests through to those that are not for everybody.
    static func guardian(_ list: String) throws(SinkFault) -> AddressGuard {
        do throws(AddressGuard.Fault) {
            return try AddressGuard(allowing: list)
        } catch {
            throw fault(
                "webhook.allow, or LETSMEET_WEBHOOK_ALLOW, names \(error.entry), which is neither "
                    + "a network such as 192.168.1.0/24 nor the name of a host.")
        }
    }

    private static func fault(_ reason: String) -> SinkFault {
        SinkFault(sink: SinkKind.webhook.name, reason: reason)
    }
}

extension OutgoingMessage {
    /// What a webhook says.
    fileprivate var webhookBody: String {
        var body = JSONObjectText()
        body.add("data", DeliveryPayload(self).json)
        body.add("timestamp", due.utcText)
        body.add("type", kind.eventType)
        return body.text
    }
}

extension NotificationKind {
    /// What happened, as webhooks call it.
    fileprivate var eventType: String {
        switch self {
        case .invitation: "invitation.sent"
        case .change: "meeting.changed"
        case .cancellation: "meeting.cancelled"
        case .reminder: "reminder.due"
        case .nudge: "nudge.sent"
        case .message: "message.sent"
        case .answer: "answer.received"
        case .proposal: "proposal.received"
        case .refusal: "proposal.refused"
        case .link: "link.sent"
        case .digest: "digest.due"
        case .alarm: "job.failed"
        }
    }
}
