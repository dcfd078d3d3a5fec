import Agenda
import Ledger
import Settings
import Storage
import Timekeeping

/// A channel as `sink list` prints it; no secret, and of an address only the host.
public struct ChannelView: Encodable, Sendable {
    /// Its name.
    public let name: String
    /// The kind of its sink.
    public let kind: String
    /// Whose it is: `everybody` where each person gets deliveries of their own, `installation`,
    /// `person`, `circle` or `meeting`.
    public let scope: String
    /// The name of that person, circle or meeting; `null` for the others.
    @Null public var owner: String?
    /// What it is for; empty for everything.
    public let kinds: [String]
    /// Where it leads; `null` where it needs no address.
    @Null public var address: String?
    /// Whether what it sends is signed; `null` where nothing is.
    @Null public var isSigned: Bool?
    /// Whether it was told to send nothing more.
    public let isClosed: Bool
    /// How it failed last, where it has not delivered since; else `null`.
    @Null public var trouble: Trouble?

    /// A failure.
    public struct Trouble: Encodable, Sendable {
        /// When.
        public let at: Timestamp
        /// How: `retry`, `permanent`, `misconfigured` or `ambiguous`.
        public let outcome: String
        /// Why, in words.
        public let reason: String
    }

    private enum CodingKeys: String, CodingKey {
        case name, kind, scope, owner, kinds, address
        case isSigned = "signed"
        case isClosed = "closed"
        case trouble
    }

    /// One of somebody's own.
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
            }, reader: reader)
    }

    /// One that the configuration switches on.
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
            scope: channel.readers == .people ? "everybody" : "installation", owner: "",
            kinds: [],
            address: setting.flatMap { name in configuration[name].map { name.shown($0) } },
            isSigned: channel == .webhook ? configuration.webhookSecret != nil : nil,
            trouble: troubles.first { $0.sink == channel.name && $0.name.isEmpty },
            reader: reader)
    }

    private init(
        name: String, kind: String, scope: String, owner: String, kinds: [String],
        address: String?, isSigned: Bool?, trouble: ChannelTrouble?, reader: Zone
    ) {
        self.name = name
        self.kind = kind
        self.scope = scope
        self.kinds = kinds
        isClosed = trouble?.isClosed ?? false
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
    /// What the receiver said, its number first.
    var words: String {
        let isNumber = !code.isEmpty && code.allSatisfy { $0.isNumber || $0 == "." }
        guard isNumber else { return reply.isEmpty ? "answered \(code)" : reply }
        return reply.isEmpty ? "answered \(code)" : "answered \(code): \(reply)"
    }
}

extension Audience {
    fileprivate var scope: String {
        circle != nil ? "circle" : meeting != nil ? "meeting" : "installation"
    }
}
