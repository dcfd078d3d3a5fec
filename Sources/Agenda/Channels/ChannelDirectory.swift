public import Ledger
public import Timekeeping

/// The ways that are on, and where people and audiences are reached by them.
public struct ChannelDirectory: Sendable {
    /// The ways that are on for everybody.
    public var sinks: [SinkKind]
    /// Mail addresses by person.
    public var addresses: [String: String]
    /// What keeps things from some addresses.
    public var suppressions = ListedAddresses()
    /// The ways that some chose, and those of audiences.
    public var own: [OwnChannel] = []
    /// Whether what waits for a way that is off goes by those that are on. Else it waits on: where
    /// this runs, another may be on than where it is sent from.
    public var replacesDisabledSinks = false

    /// Makes a directory; `addresses` is keyed by person id.
    public init(sinks: [SinkKind], addresses: [String: String]) {
        self.sinks = sinks
        self.addresses = addresses
    }

    /// Whether nobody is reached by a way of their own: then there is one way for each.
    var isPlain: Bool { own.isEmpty }

    /// The channel of somebody's own by which a row was to go, where there is none of that name any
    /// more.
    public func missingChannel(of row: LedgerRow) -> String? {
        guard row.route.isNamed, !own.contains(where: { $0.name == row.key.address }) else {
            return nil
        }
        return row.key.address
    }

    /// Whether the address of a row was said to be none by its receiver.
    func isBounced(_ row: LedgerRow, at now: Moment) -> Bool {
        suppressions(of: row).first { $0.holds(row.key.channel, at: max(row.due, now)) }?.origin
            == .bounce
    }

    /// Whether an audience is told of meetings at all, or only of what becomes of them.
    public func invites(_ audience: Audience) -> Bool {
        let key = NotificationKey(
            meeting: "", occurrence: "", receiver: audience.receiver, kind: .invitation, mark: "")
        return !routes(for: key).isEmpty
    }

    /// Whether a row goes where its receiver is reached now.
    func leadTo(_ row: LedgerRow) -> Bool {
        let routes = routes(for: row.key.notification)
        guard !routes.contains(row.route) else { return true }
        // A private link goes by mail alone, and waits for it.
        let isGivenUp = replacesDisabledSinks && row.key.notification.kind != .link
        return isDisabled(row) && !isGivenUp && !isChosen(for: row.key.notification)
    }

    /// Whether the way of a row is one for everybody, and off.
    func isDisabled(_ row: LedgerRow) -> Bool {
        !row.route.isNamed && !sinks.contains { $0.name == row.key.channel }
    }

    /// Whether a row goes where its receiver is reached when another way failed.
    func leadAround(_ row: LedgerRow) -> Bool {
        otherRoutes(for: row.key.notification).contains(row.route)
    }

    /// What concerns the address to which a row goes.
    func suppressions(of row: LedgerRow) -> [Suppression] { suppressions.entries(of: row) }

    /// One row for each way; a person who cannot be reached by one, or to whose address nothing is
    /// sent, gets a row that says so.
    public func rows(for notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        rows(for: notification, by: routes(for: notification.key), now: now)
    }

    /// One row for each way that may stand in for one that failed, the first choice first: a
    /// person's own channels for other kinds, then what is on for everybody.
    func rows(around notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        rows(for: notification, by: otherRoutes(for: notification.key), now: now)
    }

    /// The rows by which a receiver is reached now, for one that waits for what is off: due as that
    /// one is. None for one that does not.
    public func rows(inPlaceOf old: LedgerRow, now: Moment) -> [LedgerRow] {
        guard isDisabled(old) else { return [] }
        let notification = PlannedNotification(
            key: old.key.notification, due: old.due, deadline: old.deadline, isNew: true)
        return rows(for: notification, now: now).map { row in
            guard row.state == .planned else { return row }
            var row = row
            row.hold = old.hold
            row.reason = old.hold == nil ? "" : old.reason
            return row
        }
    }

    private func rows(
        for notification: PlannedNotification, by routes: [Route], now: Moment
    ) -> [LedgerRow] {
        routes.map { route in
            let isReachable = route.sink != SinkKind.mail.name || !route.address.isEmpty
            let row = LedgerRow(
                key: DeliveryKey(
                    notification: notification.key, channel: route.sink, address: route.address),
                state: isReachable ? .planned : .suppressed, due: notification.due,
                deadline: notification.deadline,
                reason: isReachable ? "" : "no address for \(route.sink)")
            return row.suppressed(by: suppressions(of: row), now: now) ?? row
        }
    }

    /// Where a notification goes: by the ways that its receiver chose for its kind, else by all
    /// that are on.
    private func routes(for key: NotificationKey) -> [Route] {
        let chosen = own.filter { carries($0, key) }
        switch key.receiver {
        case .person(let id):
            let chosenRoutes = chosen.map { route(of: $0, to: id) }
            return chosenRoutes.isEmpty ? standardRoutes(to: id) : chosenRoutes
        case .audience(let name):
            let isForAll = name == Audience.installation.name
            let shared = isForAll ? sinks.filter { $0.readers == .installation } : []
            return shared.map { Route(sink: $0.name, address: "") }
                + chosen.map { route(of: $0, to: "") }
        }
    }

    private func otherRoutes(for key: NotificationKey) -> [Route] {
        guard let person = key.receiver.person, own.contains(where: { $0.receiver == key.receiver })
        else { return [] }
        let chosen = routes(for: key)
        let others = own.filter { $0.receiver == key.receiver && isThere($0, for: key) }
            .map { route(of: $0, to: person) }
        return (others + standardRoutes(to: person)).filter { !chosen.contains($0) }
    }

    private func standardRoutes(to person: String) -> [Route] {
        sinks.filter { $0.readers == .people }.map { sink in
            Route(
                sink: sink.name,
                address: sink.needsAddress ? addresses[person] ?? "" : "")
        }
    }

    private func route(of channel: OwnChannel, to person: String) -> Route {
        guard channel.sink == SinkKind.mail.name else {
            return Route(sink: channel.sink, address: channel.name)
        }
        return Route(sink: channel.sink, address: channel.address ?? addresses[person] ?? "")
    }

    private func isChosen(for key: NotificationKey) -> Bool {
        key.receiver.person != nil && own.contains { carries($0, key) }
    }

    private func carries(_ channel: OwnChannel, _ key: NotificationKey) -> Bool {
        channel.carries(key) && isThere(channel, for: key)
    }

    /// Mail goes where it is on, and a private link by mail alone: elsewhere none is written.
    private func isThere(_ channel: OwnChannel, for key: NotificationKey) -> Bool {
        let isMail = channel.sink == SinkKind.mail.name
        return isMail ? sinks.contains { $0.name == channel.sink } : key.kind != .link
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
private struct Route: Hashable {
    let sink: String
    let address: String

    /// Whether it is a channel of somebody's own, by its name.
    var isNamed: Bool { !address.isEmpty && sink != SinkKind.mail.name }
}

extension LedgerRow {
    fileprivate var route: Route { Route(sink: key.channel, address: key.address) }
}
