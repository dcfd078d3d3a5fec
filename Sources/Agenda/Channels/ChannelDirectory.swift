public import Ledger
public import Timekeeping

/// The enabled sinks, and the channels and addresses of people and audiences.
public struct ChannelDirectory: Sendable {
    /// The sinks that are enabled for everybody.
    public var sinks: [SinkKind]
    /// Mail addresses by person id.
    public var addresses: [String: String]
    /// The suppressed addresses.
    public var suppressions = ListedAddresses()
    /// The channels that people chose, and those of audiences.
    public var own: [OwnChannel] = []
    /// The people with an inbox, each with the kinds of notifications that they do not want there.
    public var inboxes: [PersonID: Set<NotificationKind>] = [:]
    /// True to re-route deliveries of disabled sinks to enabled ones. Otherwise they wait, because
    /// the process that sends them may have other sinks enabled than this one.
    public var replacesDisabledSinks = false

    /// Creates a directory; `addresses` is keyed by person id.
    public init(sinks: [SinkKind], addresses: [String: String]) {
        self.sinks = sinks
        self.addresses = addresses
    }

    /// True if nobody has a channel of their own, so that there are no fallbacks.
    var isPlain: Bool { own.isEmpty }

    /// The name of the personal channel that a row was to use, if that channel no longer exists;
    /// otherwise `nil`.
    public func missingChannel(of row: LedgerRow) -> String? {
        guard row.route.isNamed, !own.contains(where: { $0.name == row.key.address }) else {
            return nil
        }
        return row.key.address
    }

    /// True if the address of a row is suppressed because of a bounce.
    func isBounced(_ row: LedgerRow, at now: Moment) -> Bool {
        suppressions(of: row).first { $0.holds(row.key.channel, at: max(row.due, now)) }?.origin
            == .bounce
    }

    /// True if an audience gets invitations. Other audiences only get what follows an invitation.
    public func invites(_ audience: Audience) -> Bool {
        let key = NotificationKey(
            meeting: "", occurrence: "", receiver: audience.receiver, kind: .invitation, mark: "")
        return !routes(for: key).isEmpty
    }

    /// True if a row may keep its route: its receiver is reached by it now, or its sink is disabled
    /// and the row waits for it.
    func leadTo(_ row: LedgerRow) -> Bool {
        let routes = routes(for: row.key.notification)
        guard !routes.contains(row.route) else { return true }
        // A private link goes only by mail, and waits for it.
        let isGivenUp = replacesDisabledSinks && row.key.notification.kind != .link
        return isDisabled(row) && !isGivenUp && !isChosen(for: row.key.notification)
    }

    /// True if a row uses a sink for everybody that is disabled.
    func isDisabled(_ row: LedgerRow) -> Bool {
        !row.route.isNamed && !sinks.contains { $0.name == row.key.channel }
    }

    /// True if a row uses one of its receiver's fallback routes.
    func leadAround(_ row: LedgerRow) -> Bool {
        otherRoutes(for: row.key.notification).contains(row.route)
    }

    /// Rows as they count for planning. What was only printed counts while printing is the only way
    /// to its receiver. News also counts if its receiver answered afterwards: they know of it then.
    ///
    /// - Parameters:
    ///   - rows: rows as they are stored.
    ///   - answered: the people who have answered, each with the time of the last answer.
    /// - Returns: the rows, of which the printed ones that count are no longer marked.
    func known(_ rows: [LedgerRow], answered: [PersonID: Moment]) -> [LedgerRow] {
        guard rows.contains(where: \.isOnlyPrinted) else { return rows }
        return rows.map { row in
            guard row.isOnlyPrinted,
                row.isAnswered(answered)
                    || routes(for: row.key.notification).allSatisfy({
                        $0.sink == SinkKind.stdout.name
                    })
            else { return row }
            var row = row
            row.isOnlyPrinted = false
            return row
        }
    }

    /// The suppressions that apply to the address of a row.
    func suppressions(of row: LedgerRow) -> [Suppression] { suppressions.entries(of: row) }

    /// Creates one row for each route. If a person has no address for a route, or the address is
    /// suppressed, the row is suppressed and states the reason.
    public func rows(for notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        rows(for: notification, by: routes(for: notification.key), now: now)
    }

    /// Creates one row for each fallback route, the first choice first: the person's channels for
    /// other kinds, then the sinks enabled for everybody.
    func rows(around notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        rows(for: notification, by: otherRoutes(for: notification.key), now: now)
    }

    /// The rows that replace a row of a disabled sink, due at the same time as that row. Empty if
    /// its sink is not disabled.
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
                reason: isReachable ? "" : LedgerRow.missingAddressMark + route.sink)
            return row.suppressed(by: suppressions(of: row), now: now) ?? row
        }
    }

    /// The routes of a notification: the channels that its receiver chose for its kind, or else all
    /// enabled sinks.
    private func routes(for key: NotificationKey) -> [Route] {
        let chosen = own.filter { carries($0, key) }
        switch key.receiver {
        case .person(let id):
            let chosenRoutes = chosen.map { route(of: $0, to: id) }
            return (chosenRoutes.isEmpty ? standardRoutes(to: id) : chosenRoutes)
                + inboxRoutes(to: PersonID(text: id), of: key.kind)
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

    /// The inbox, besides all other routes.
    private func inboxRoutes(to person: PersonID, of kind: NotificationKind) -> [Route] {
        guard kind.goesToInbox, let unwanted = inboxes[person], !unwanted.contains(kind) else {
            return []
        }
        return sinks.filter { $0.readers == .accounts }.map { Route(sink: $0.name, address: "") }
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

    /// True if a channel can carry a notification. Mail must be enabled, and a private link goes
    /// only by mail, because other channels contain no links.
    private func isThere(_ channel: OwnChannel, for key: NotificationKey) -> Bool {
        let isMail = channel.sink == SinkKind.mail.name
        return isMail ? sinks.contains { $0.name == channel.sink } : key.kind != .link
    }
}

/// A channel that belongs to a person or to an audience.
public struct OwnChannel: Hashable, Sendable {
    /// The name of the channel, which is also the address of its deliveries, except for mail.
    public let name: String
    /// The kind of its sink.
    public let sink: String
    /// The person or audience that it belongs to.
    public let receiver: Receiver
    /// The kinds of notifications that it carries; empty for all.
    public let kinds: Set<NotificationKind>
    /// The mail address it sends to, if it differs from the person's.
    public let address: String?

    /// Creates a channel.
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

    /// True if it carries a notification. Other channels of the receiver may carry it too.
    func carries(_ key: NotificationKey) -> Bool {
        receiver == key.receiver && (kinds.isEmpty || kinds.contains(key.kind))
    }
}

/// A channel and the address on it.
private struct Route: Hashable {
    let sink: String
    let address: String

    /// True if it is a personal channel, which is addressed by its name.
    var isNamed: Bool { !address.isEmpty && sink != SinkKind.mail.name }
}

extension LedgerRow {
    /// The beginning of the reason for which a delivery without an address is suppressed.
    public static let missingAddressMark = "no address for "
    /// The beginning of the reason for which a person is not reached if their last message was
    /// refused.
    public static let refusalMark = "not delivered: "

    fileprivate var route: Route { Route(sink: key.channel, address: key.address) }

    /// True if it is news that was due before the last answer of its receiver.
    fileprivate func isAnswered(_ answered: [PersonID: Moment]) -> Bool {
        guard key.notification.kind.isNews, let person = key.notification.receiver.person,
            let last = answered[PersonID(text: person)]
        else { return false }
        return due <= last
    }
}
