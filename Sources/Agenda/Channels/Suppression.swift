public import Ledger
public import Timekeeping

/// An address to which nothing is sent.
public struct Suppression: Equatable, Sendable {
    /// The source of a suppression.
    public enum Origin: String, CaseIterable, Sendable {
        /// An authorized person added it by hand.
        case hand
        /// The receiver reported that the address does not exist.
        case bounce
        /// The person wants no more mail, and complained about one to their mail provider.
        case unsubscribed
    }

    /// The number of days for which a bounced address is suppressed.
    public static let bounceDays = 30

    /// The address as it was entered.
    public let address: String
    /// The suppressed channel; `nil` for all channels.
    public let channel: String?
    /// The source of the suppression.
    public let origin: Origin
    /// The reason in words.
    public let reason: String
    /// The start of the suppression.
    public let since: Moment
    /// The end of the suppression; `nil` if it is permanent. Deliveries due at or after this moment
    /// are not affected.
    public let until: Moment?

    /// Creates a suppression.
    public init(
        address: String, channel: String? = nil, origin: Origin, reason: String, since: Moment,
        until: Moment? = nil
    ) {
        self.address = address
        self.channel = channel
        self.origin = origin
        self.reason = reason
        self.since = since
        self.until = until
    }

    /// True if it applies to a channel at a moment.
    public func holds(_ channel: String, at now: Moment) -> Bool {
        (self.channel == nil || self.channel == channel) && until.map { $0 > now } ?? true
    }
}

/// The suppressions of the addresses to which the deliveries of a meeting go.
public struct ListedAddresses: Equatable, Sendable {
    /// The suppressions of people, which apply to deliveries without an address of their own.
    public var people: [PersonID: [Suppression]] = [:]
    /// The suppressions of mail addresses, by the address as deliveries write it.
    public var mail: [String: [Suppression]] = [:]

    /// Creates an empty list.
    public init() {}

    /// The suppressions that apply to a row: for mail those of its address, otherwise those of its
    /// person.
    public func entries(of row: LedgerRow) -> [Suppression] {
        if row.key.channel == SinkKind.mail.name, !row.key.address.isEmpty {
            return mail[row.key.address] ?? []
        }
        return row.key.notification.receiver.person.flatMap { people[PersonID(text: $0)] } ?? []
    }
}

extension LedgerRow {
    /// The row after a suppression of its recipient was applied to it.
    ///
    /// - Parameters:
    ///   - list: the suppressions of the row's address or, if its channel has no addresses, of its
    ///     person.
    ///   - now: the current time.
    /// - Returns: the suppressed row with the reason; `nil` if no suppression applies.
    public func suppressed(by list: [Suppression], now: Moment) -> LedgerRow? {
        guard state.isOpen,
            let first = list.first(where: { $0.holds(key.channel, at: max(due, now)) })
        else { return nil }
        var row = self
        row.state = .suppressed
        row.hold = Hold(.list, wanted: hold?.wanted ?? due)
        row.due = hold?.wanted ?? due
        row.reason = "nothing is sent to this address: \(first.reason)"
        return row
    }

    /// A closed row as it would be if it were open: waiting, and no longer held by the suppression
    /// list.
    public var reopened: LedgerRow {
        var row = self
        row.state = .planned
        row.hold = nil
        return row
    }

    /// The row as it is planned again when its suppression has ended; `nil` for a row that was not
    /// suppressed by the list, or that is too late: after its deadline, or a reminder after its
    /// time.
    func resumed(now: Moment) -> LedgerRow? {
        guard state == .suppressed, let hold, hold.kind == .list, deadline > now,
            key.notification.kind != .reminder || hold.wanted > now
        else { return nil }
        var row = self
        row.state = .planned
        row.due = hold.wanted
        row.hold = nil
        row.reason = ""
        return row
    }
}
