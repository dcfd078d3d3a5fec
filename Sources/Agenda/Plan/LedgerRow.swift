public import Ledger
public import Timekeeping

/// A row of the ledger as planning sees it: the notification, the receiver, the channel and the
/// state.
public struct LedgerRow: Equatable, Sendable {
    /// The unique key. After a merge it names the remaining person.
    public let key: DeliveryKey
    /// The permanent name of the row in the ledger.
    public let name: String
    /// The state of the delivery.
    public var state: DeliveryState
    /// The time at which it is to be sent.
    public var due: Moment
    /// The moment after which it is useless.
    public var deadline: Moment
    /// The reason for its state, for people; empty if there is none.
    public var reason: String
    /// The number of attempts whose outcome is unknown: they may have arrived.
    public var ambiguities: Int
    /// The policy that affects when it is sent; `nil` if none does.
    public var hold: Hold?
    /// The number of the text that a person wrote for it; `nil` if there is none.
    public var body: Int64?

    /// True if it was only printed, because no way to its receiver was set up.
    public var isOnlyPrinted = false

    /// True if its receiver has got it or may have got it. This stays true if the row is later
    /// superseded or parked.
    public var mayHaveArrived: Bool {
        !isOnlyPrinted && (state.mayHaveArrived || ambiguities > 0)
    }

    /// True if it is a message of an organizer that has not arrived. It is sent whatever happens to
    /// the meeting, unless its receiver is uninvited.
    var isUnreadMessage: Bool {
        key.notification.kind == .message && !mayHaveArrived && state != .superseded
            && !isOnlyPrinted
    }

    /// The reason of a row that waited with this one, and whose content this one brings.
    public var reasonOfCompanions: String { "sent together with \(name.prefix(8))" }

    /// The name of its route for people: that of a personal channel, or else that of the sink.
    public var wayName: String {
        key.channel == SinkKind.mail.name || key.address.isEmpty ? key.channel : key.address
    }

    /// True if this is news to the same receiver by the same route as other news, about the same
    /// date or about all, and no older.
    func covers(_ other: LedgerRow) -> Bool {
        let (own, old) = (key.notification, other.key.notification)
        return own.kind.isNews && old.kind.isNews && own.receiver == old.receiver
            && wayName == other.wayName && ["", old.occurrence].contains(own.occurrence)
            && own.mark.news.revision >= old.mark.news.revision
    }

    /// Creates a row. Without a `name` it gets the name derived from its key.
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

/// A kind of sink.
public struct SinkKind: Hashable, Sendable {
    /// The name in the ledger, such as `stdout`.
    public let name: String
    /// True if it needs the person's mail address.
    public let needsAddress: Bool
    /// The readers of its deliveries while it is enabled.
    public let readers: Readers

    /// The readers for whom the configuration enables a sink.
    public enum Readers: Hashable, Sendable {
        /// Every person gets their own deliveries.
        case people
        /// Every person with an account gets their own deliveries.
        case accounts
        /// The whole installation shares one delivery.
        case installation
        /// Nobody, except people and audiences that have their own channel of this kind.
        case owners
    }

    /// Creates a kind of sink.
    public init(name: String, needsAddress: Bool, readers: Readers = .people) {
        self.name = name
        self.needsAddress = needsAddress
        self.readers = readers
    }

    /// Standard output: shows everybody's notifications to the operator.
    public static let stdout = SinkKind(name: "stdout", needsAddress: false)

    /// The inbox of a person with an account, on the pages.
    public static let page = SinkKind(name: "page", needsAddress: false, readers: .accounts)

    /// Mail to the person's address.
    public static let mail = SinkKind(name: "mail", needsAddress: true)

    /// HTTP requests to the address of another program.
    public static let webhook = SinkKind(
        name: "webhook", needsAddress: false, readers: .installation)
}
