public import Ledger
public import Timekeeping

/// A row of the ledger as planning sees it: what, to whom, by which way, and where it stands.
public struct LedgerRow: Equatable, Sendable {
    /// Its unique key. After a merge it names the person who is left.
    public let key: DeliveryKey
    /// The name under which the ledger keeps it, given once and for ever.
    public let name: String
    /// Where it stands.
    public var state: DeliveryState
    /// When it is to be sent.
    public var due: Moment
    /// After this moment it is of no use.
    public var deadline: Moment
    /// Why it stands there, for people; empty when there is nothing to say.
    public var reason: String
    /// How often a send of it may or may not have arrived.
    public var ambiguities: Int
    /// What has a say in when it is sent; `nil` where nothing has.
    public var hold: Hold?
    /// The number of the text that somebody wrote for it; `nil` where nobody did.
    public var body: Int64?

    /// Whether its receiver has, or may have, got it: what may have arrived once is not forgotten
    /// when the row is superseded or parked since.
    public var mayHaveArrived: Bool { state.mayHaveArrived || ambiguities > 0 }

    /// What the receiver sees as its name, the same for every attempt.
    public var identity: String { SinkKind.identity(of: name, on: key.channel) }

    /// The way it goes, as people tell one from others: a channel of somebody's own by its name.
    public var wayName: String {
        key.channel == SinkKind.mail.name || key.address.isEmpty ? key.channel : key.address
    }

    /// Describes a row; without a `name`, one that is made from the key.
    public init(
        key: DeliveryKey, name: String? = nil, state: DeliveryState, due: Moment,
        deadline: Moment, reason: String = "", ambiguities: Int = 0, hold: Hold? = nil,
        body: Int64? = nil
    ) {
        self.key = key
        self.name = name ?? key.name
        self.state = state
        self.due = due
        self.deadline = deadline
        self.reason = reason
        self.ambiguities = ambiguities
        self.hold = hold
        self.body = body
    }
}

/// A way by which notifications go out: a sink as it is configured.
public struct SinkKind: Hashable, Sendable {
    /// The name by which the ledger knows it, such as `stdout`.
    public let name: String
    /// Whether it needs the person's mail address.
    public let needsAddress: Bool
    /// Who reads it, where it is on.
    public let readers: Readers

    /// For whom the configuration switches a channel on.
    public enum Readers: Hashable, Sendable {
        /// Every person gets deliveries of their own.
        case people
        /// The whole installation reads one delivery.
        case installation
        /// Nobody, but those who have a channel of that kind of their own.
        case owners
    }

    /// Describes a channel.
    public init(name: String, needsAddress: Bool, readers: Readers = .people) {
        self.name = name
        self.needsAddress = needsAddress
        self.readers = readers
    }

    /// Standard output: shows each person's notification to the operator.
    public static let stdout = SinkKind(name: "stdout", needsAddress: false)

    /// Mail to the person's address.
    public static let mail = SinkKind(name: "mail", needsAddress: true)

    /// Requests to an address that programs of others listen on.
    public static let webhook = SinkKind(
        name: "webhook", needsAddress: false, readers: .installation)

    /// What the receiver of a row sees as its name: of a mail, its Message-ID without the angle
    /// brackets (RFC 5322, 3.6.4), made as a meeting's UID is.
    public static func identity(of name: String, on channel: String) -> String {
        channel == mail.name ? "\(name)@letsmeet" : name
    }
}
