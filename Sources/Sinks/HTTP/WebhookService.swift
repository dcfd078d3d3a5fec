import Agenda
import Ledger
import Secrets
import Settings
import Timekeeping
import Transport
import Wording

/// Requests that follow Standard Webhooks 1.0.0, for programs.
enum WebhookService: HTTPService {
    static let kind = SinkKind.webhook

    static let form = ChannelForm(
        url: .must, secret: .made,
        hints: [
            .url: "the address for requests (Standard Webhooks)",
            .secret: "your own secret, in place of one that letsmeet makes and shows",
        ]
    ) { target in
        _ = try target.address
        _ = try keys(of: target)
    }

    /// The limits of each channel. Deliveries of one meeting are still sent one after the other.
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
                reason: "no webhook address is set. Set webhook.url or LETSMEET_WEBHOOK_URL.")
        }
        try WebhookRules.check(url: url)
        let secret = configuration.webhookSecret?.value ?? ""
        if !secret.isEmpty { try WebhookRules.check(secret: secret) }
        return ChannelTarget(url: url, secret: secret)
    }

    /// The meaning of a response. Only success and the statuses 410 and 413 are final.
    static func report(_ response: HTTPResponse, of target: ChannelTarget) -> AttemptReport {
        switch response.status {
        case 200...299: HTTPVerdict.report(response, .accepted)
        case 410, 413: HTTPVerdict.report(response, .permanent)
        default: HTTPVerdict.report(response, .retry)
        }
    }

    /// The keys that sign a request. For a while after a rotation, the old key signs, too.
    private static func keys(of target: ChannelTarget) throws(SinkFault) -> [WebhookSecret] {
        var keys: [WebhookSecret] = []
        for text in [target.secret, target.oldSecret ?? ""] where !text.isEmpty {
            keys.append(try WebhookRules.secret(text))
        }
        return keys
    }
}

/// Checks for the settings of webhooks.
public enum WebhookRules {
    /// Checks that requests can be sent to an address.
    ///
    /// - Throws: ``SinkFault``, without the address.
    public static func check(url: String) throws(SinkFault) {
        do throws(TransportError) {
            _ = try HTTPURL(url)
        } catch {
            throw fault(error.message)
        }
    }

    /// Checks that a secret has the form of Standard Webhooks.
    ///
    /// - Throws: ``SinkFault``, without the secret.
    public static func check(secret: String) throws(SinkFault) { _ = try self.secret(secret) }

    /// Checks a list of allowed hosts and networks.
    ///
    /// - Throws: ``SinkFault`` with the entry that is wrong.
    public static func check(allowed list: String) throws(SinkFault) { _ = try guardian(list) }

    /// Parses a secret.
    static func secret(_ text: String) throws(SinkFault) -> WebhookSecret {
        guard let secret = WebhookSecret(text) else {
            throw fault(
                "the secret must have the form of Standard Webhooks: whsec_ and 24 to 64 random "
                    + "bytes in base64.")
        }
        return secret
    }

    /// The guard that allows requests to the listed hosts and networks, besides public ones.
    static func guardian(_ list: String) throws(SinkFault) -> AddressGuard {
        do throws(AddressGuard.Fault) {
            return try AddressGuard(allowing: list)
        } catch {
            throw fault(error.reason)
        }
    }

    private static func fault(_ reason: String) -> SinkFault {
        SinkFault(sink: SinkKind.webhook.name, reason: reason)
    }
}

extension OutgoingMessage {
    /// The body of a webhook request.
    fileprivate var webhookBody: String {
        var body = JSONObjectText()
        body.add("data", DeliveryPayload(self).json)
        body.add("timestamp", due.utcText)
        body.add("type", kind.eventType)
        return body.text
    }
}

extension NotificationKind {
    /// The type of the event in webhook requests.
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
        case .join: "seat.joined"
        case .leave: "seat.left"
        case .request: "seat.requested"
        case .promotion: "seat.promoted"
        case .admission: "seat.decided"
        case .decision: "minimum.decided"
        case .link: "link.sent"
        case .digest: "digest.due"
        case .alarm: "job.failed"
        case .signIn: "sign_in.requested"
        case .follow: "follow.received"
        }
    }
}
