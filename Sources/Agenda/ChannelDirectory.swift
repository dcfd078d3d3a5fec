public import Ledger
public import Timekeeping

/// The ways that are on, and where people and audiences are reached by them.
public struct ChannelDirectory: Sendable {
    /// The ways that are on for everybody.
    public var channels: [Channel]
    /// Mail addresses by person.
    public var addresses: [String: String]
    /// What concerns the mail addresses of these people.
    public var suppressions: [PersonID: [Suppression]] = [:]
    /// The ways that some chose, and those of audiences.
    public var own: [OwnChannel] = []

    /// Makes a directory; `addresses` is keyed by person id.
    public init(channels: [Channel], addresses: [String: String]) {
        self.channels = channels
        self.addresses = addresses
    }

    /// Whether a row goes where its receiver is reached now; a way that is off is no reason to give
    /// a row up.
    func leadTo(_ row: LedgerRow) -> Bool {
        let ways = ways(for: row.key.notification)
        guard !ways.contains(row.way) else { return true }
        let isOff = !channels.contains { $0.name == row.key.channel }
        return isOff && !row.way.isNamed && !isChosen(for: row.key.notification)
    }

    /// Whether a row goes where its receiver is reached when another way failed.
    func leadAround(_ row: LedgerRow) -> Bool {
        otherWays(for: row.key.notification).contains(row.way)
    }

    /// What concerns the address of a row's person.
    func suppressions(of row: LedgerRow) -> [Suppression] {
        guard !suppressions.isEmpty, let person = row.key.notification.receiver.person else {
            return []
        }
        return suppressions[PersonID(text: person)] ?? []
    }

    /// One row for each way; a person who cannot be reached by one, or to whose address nothing is
    /// sent, gets a row that says so.
    public func rows(for notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        rows(for: notification, by: ways(for: notification.key), now: now)
    }

    /// One row for each way that may stand in for one that failed, the first choice first: a
    /// person's own channels for other kinds, then what is on for everybody.
    func rows(around notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        rows(for: notification, by: otherWays(for: notification.key), now: now)
    }

    private func rows(
        for notification: PlannedNotification, by ways: [Way], now: Moment
    ) -> [LedgerRow] {
        ways.map { way in
            let isReachable = way.channel != Channel.mail.name || !way.address.isEmpty
            let row = LedgerRow(
                key: DeliveryKey(
                    notification: notification.key, channel: way.channel, address: way.address),
                state: isReachable ? .planned : .suppressed, due: notification.due,
                deadline: notification.deadline,
                reason: isReachable ? "" : "no address for \(way.channel)")
            return row.suppressed(by: suppressions(of: row), now: now) ?? row
        }
    }

    /// Where a notification goes: by the ways that its receiver chose for its kind, else by all
    /// that are on.
    private func ways(for key: NotificationKey) -> [Way] {
        let chosen = own.filter { $0.carries(key) }
        switch key.receiver {
        case .person(let id):
            let chosenWays = chosen.map { way(of: $0, to: id) }
            return chosenWays.isEmpty ? standardWays(to: id) : chosenWays
        case .audience(let name):
            let isForAll = name == Audience.installation.name
            let shared = isForAll ? channels.filter { $0.readers == .installation } : []
            return shared.map { Way(channel: $0.name, address: "") }
                + chosen.map { way(of: $0, to: "") }
        }
    }

    private func otherWays(for key: NotificationKey) -> [Way] {
        guard let person = key.receiver.person, own.contains(where: { $0.receiver == key.receiver })
        else { return [] }
        let chosen = ways(for: key)
        let others = own.filter { $0.receiver == key.receiver }.map { way(of: $0, to: person) }
        return (others + standardWays(to: person)).filter { !chosen.contains($0) }
    }

    private func standardWays(to person: String) -> [Way] {
        channels.filter { $0.readers == .people }.map { channel in
            Way(
                channel: channel.name,
                address: channel.needsAddress ? addresses[person] ?? "" : "")
        }
    }

    private func way(of channel: OwnChannel, to person: String) -> Way {
        guard channel.sink == Channel.mail.name else {
            return Way(channel: channel.sink, address: channel.name)
        }
        return Way(channel: channel.sink, address: channel.address ?? addresses[person] ?? "")
    }

    private func isChosen(for key: NotificationKey) -> Bool {
        key.receiver.person != nil && own.contains { $0.carries(key) }
    }
}

/// A channel that belongs to somebody: a person who wants to be reached by it, or an audience.
public struct OwnChannel: Hashable, Sendable {
    /// What it is called, here and in the addresses of its deliveries.
    public let name: String
    /// The kind of its sink.
    public let sink: String
    /// Whose it is.
    public let receiver: Receiver
    /// What it is for; empty for everything.
    public let kinds: Set<NotificationKind>
    /// Where it sends mail, where that is another address than its person's.
    public let address: String?

    /// Describes a channel.
    public init(
        name: String, sink: String, receiver: Receiver, kinds: Set<NotificationKind> = [],
        address: String? = nil
    ) {
        self.name = name
        self.sink = sink
        self.receiver = receiver
        self.kinds = kinds
        self.address = address
    }

    /// Whether it is the one for a notification, or one of several.
    func carries(_ key: NotificationKey) -> Bool {
        receiver == key.receiver && (kinds.isEmpty || kinds.contains(key.kind))
    }
}

/// Through which channel something goes, and where.
private struct Way: Hashable {
    let channel: String
    let address: String

    /// Whether it is a channel of somebody's own, by its name.
    var isNamed: Bool { !address.isEmpty && channel != Channel.mail.name }
}

extension LedgerRow {
    fileprivate var way: Way { Way(channel: key.channel, address: key.address) }
}
