public import Ledger
public import Timekeeping

/// An address to which nothing is sent.
public struct Suppression: Equatable, Sendable {
    /// Who said so.
    public enum Origin: String, CaseIterable, Sendable {
        /// Somebody who may, by hand.
        case hand
        /// The receiver: nothing will ever reach the address.
        case bounce
        /// Its person.
        case unsubscribed
    }

    /// How long nothing is sent to an address after its receiver said that it is none, in days.
    public static let bounceDays = 30

    /// The address as it was written.
    public let address: String
    /// The way by which nothing is sent; `nil` for all.
    public let channel: String?
    /// Who said so.
    public let origin: Origin
    /// Why, in words.
    public let reason: String
    /// From when on.
    public let since: Moment
    /// Up to when; `nil` for good. What falls due later is not concerned.
    public let until: Moment?

    /// Describes one.
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

    /// Whether it concerns a way at a moment.
    func holds(_ channel: String, at now: Moment) -> Bool {
        (self.channel == nil || self.channel == channel) && until.map { $0 > now } ?? true
    }
}

/// What the list says of the addresses to which deliveries of a meeting go.
public struct ListedAddresses: Equatable, Sendable {
    /// Of the addresses at which people are reached: that concerns what has no address of its own.
    public var people: [PersonID: [Suppression]] = [:]
    /// Of the addresses to which mails go, as deliveries write them.
    public var mail: [String: [Suppression]] = [:]

    /// Says nothing.
    public init() {}

    /// What concerns a row: a mail by where it goes, all else by its person.
    public func entries(of row: LedgerRow) -> [Suppression] {
        if row.key.channel == SinkKind.mail.name, !row.key.address.isEmpty {
            return mail[row.key.address] ?? []
        }
        return row.key.notification.receiver.person.flatMap { people[PersonID(text: $0)] } ?? []
    }
}

extension LedgerRow {
    /// The row as it stands when one of these concerns it.
    ///
    /// - Parameters:
    ///   - list: what concerns the address to which the row goes, or, where its channel has no
    ///     addresses, that of its person.
    ///   - now: the clock.
    /// - Returns: the row, suppressed and with the reason; `nil` where none concerns it.
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

    /// A row that was suppressed by the list, as it waits when nothing suppresses it any more;
    /// `nil` for every other one, and for a reminder whose time has passed.
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
