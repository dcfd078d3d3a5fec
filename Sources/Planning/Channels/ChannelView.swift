public import Agenda
import Ledger
import Settings
import Sinks
import Storage
import Timekeeping

/// A channel as `sink list` prints it, without secrets, and with only the host of its address.
public struct ChannelView: Encodable, Sendable {
    /// The name.
    public let name: String
    /// The kind of its sink.
    public let kind: String
    /// The readers: `everybody` if each person gets deliveries of their own, `accounts` if only
    /// those with an account do, `installation`, `person`, `circle` or `meeting`.
    public let scope: String
    /// The name of the person, circle or meeting; `null` for other readers.
    @Null public var owner: String?
    /// The kinds of notification that it carries; empty for all.
    public let kinds: [String]
    /// The address; `null` if it needs none.
    @Null public var address: String?
    /// True if its requests are signed; `null` for sinks that do not sign.
    @Null public var isSigned: Bool?
    /// True if its receiver closed it.
    public let isClosed: Bool
    /// True if it is paused, so that nothing goes through it.
    public let isPaused: Bool
    /// The last failure; `null` if it has delivered since.
    @Null public var trouble: Trouble?

    /// A failure.
    public struct Trouble: Encodable, Sendable {
        /// The time.
        public let at: Timestamp
        /// The outcome: `retry`, `permanent`, `misconfigured` or `ambiguous`.
        public let outcome: String
        /// The reason in words.
        public let reason: String
    }

    private enum CodingKeys: String, CodingKey {
        case name, kind, scope, owner, kinds, address
        case isSigned = "signed"
        case isClosed = "closed"
        case isPaused = "paused"
        case trouble
    }

    /// A channel that was added for a person or an audience.
    init(_ record: ChannelRecord, troubles: [ChannelTrouble], reader: Zone) {
        let channel = record.channel
        self.init(
            name: channel.name, kind: channel.sink,
            scope: channel.receiver.audience.map { Audience(name: $0).scope } ?? "person",
            owner: record.owner, kinds: channel.kinds.map(\.rawValue).sorted(),
            address: record.target.url.isEmpty
                ? channel.address : WebAddress.withoutPath(record.target.url),
            isSigned: channel.sink == SinkKind.webhook.name ? true : nil,
            trouble: troubles.first {
                $0.sink == channel.sink
                    && $0.name == (channel.sink == SinkKind.mail.name ? "" : channel.name)
            }, isPaused: record.isPaused, reader: reader)
    }

    /// A sink that the configuration enables.
    init(
        _ channel: SinkKind, _ configuration: Configuration, troubles: [ChannelTrouble],
        reader: Zone
    ) {
        let setting: SettingName? =
            switch channel {
            case .mail: .smtpURL
            case .webhook: .webhookURL
            default: nil
            }
        self.init(
            name: channel.name, kind: channel.name,
            scope: channel.scope, owner: "",
            kinds: [],
            address: setting.flatMap { name in configuration[name].map { name.shown($0) } },
            isSigned: channel == .webhook ? configuration.webhookSecret != nil : nil,
            trouble: troubles.first { $0.sink == channel.name && $0.name.isEmpty },
            reader: reader)
    }

    private init(
        name: String, kind: String, scope: String, owner: String, kinds: [String],
        address: String?, isSigned: Bool?, trouble: ChannelTrouble?, isPaused: Bool = false,
        reader: Zone
    ) {
        self.name = name
        self.kind = kind
        self.scope = scope
        self.kinds = kinds
        isClosed = trouble?.isClosed ?? false
        self.isPaused = isPaused
        self.owner = owner.isEmpty ? nil : owner
        self.address = address
        self.isSigned = isSigned
        self.trouble = trouble.map {
            Trouble(
                at: Timestamp($0.at, reader: reader), outcome: $0.outcome.rawValue,
                reason: $0.words)
        }
    }
}

extension ChannelTrouble {
    /// The receiver's reply, after its status code.
    package var words: String {
        let isNumber = !code.isEmpty && code.allSatisfy { $0.isNumber || $0 == "." }
        guard isNumber else { return reply.isEmpty ? "answered \(code)" : reply }
        return reply.isEmpty ? "answered \(code)" : "answered \(code): \(reply)"
    }
}

extension SinkKind {
    fileprivate var scope: String {
        switch readers {
        case .people: "everybody"
        case .accounts: "accounts"
        case .installation, .owners: "installation"
        }
    }
}

extension Audience {
    fileprivate var scope: String {
        circle != nil ? "circle" : meeting != nil ? "meeting" : "installation"
    }
}

/// The kinds of sinks of which people and groups can have channels.
public enum ChannelKinds {
    /// Each kind with an explanation of the fields of its channels.
    public static var help: [(kind: String, hints: KeyValuePairs<RequestField, String>)] {
        SinkTable.definitions.compactMap { definition in
            definition.form.map { (kind: definition.kind.name, hints: $0.hints) }
        }
    }

    /// The fields of a channel of a kind, each with `true` if it must be given; empty if there are
    /// no channels of this kind.
    public static func fields(of kind: String) -> KeyValuePairs<RequestField, Bool> {
        let form = SinkTable.definitions.first { $0.kind.name == kind }?.form
        guard let form else { return [:] }
        let target =
            form.hints.contains { $0.key == .requestFile } ? RequestField.requestFile : .target
        return [
            .url: form.url == .must, target: form.target == .must, .secret: form.secret == .must,
        ]
    }

    /// True if a channel of this kind must have a secret.
    public static func needSecret(_ kind: String) -> Bool {
        SinkTable.definitions.contains { $0.kind.name == kind && $0.form?.secret == .must }
    }

    /// The refusal of a channel without a field that its kind needs.
    static func missing(
        _ field: RequestField, of channel: SinkKind, _ form: ChannelForm
    ) -> Refusal {
        let hint = form.hints.first { $0.key == field }.map { ": \($0.value)" } ?? ""
        return Refusal(
            .invalid, code: "bad_channel",
            "A channel of the kind \(channel.name) needs \(noun(field))\(hint).",
            advice: [.give([field])])
    }

    /// The refusal of a channel with a field that its kind does not use.
    static func superfluous(_ field: RequestField, of channel: SinkKind) -> Refusal {
        Refusal(
            .invalid, code: "bad_channel",
            "A channel of the kind \(channel.name) does not take \(noun(field)).",
            advice: [.leaveOut([field])])
    }

    /// The name of a field of a channel, with its article.
    private static func noun(_ field: RequestField) -> String {
        switch field {
        case .url: "an address"
        case .requestFile: "a request"
        case .secret: "a secret"
        default: "a destination"
        }
    }
}
