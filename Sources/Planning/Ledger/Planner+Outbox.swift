public import Agenda
public import Ledger
import Storage
public import Timekeeping

/// The receiver of deliveries: a person, or a group that reads a shared channel.
public enum DeliveryReceiver: Sendable {
    /// A person.
    case person(PersonID)
    /// A group.
    case audience(Audience)
}

extension Planner {
    /// The deliveries of a meeting, or only those to one person, each with its history.
    public func deliveries(
        of id: MeetingID, to receiver: DeliveryReceiver? = nil, limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<StoryView> {
        var filter = ledgerFilter(limit: limit + 1)
        filter.meeting = id
        switch receiver {
        case .person(let person): filter.person = person
        case .audience(let audience): filter.audience = audience.name
        case nil: break
        }
        try await checkMaySeeDeliveries(.meeting(id), to: filter.person)
        let outlook = try await outlook()
        return FirstRows(try await store.stories(filter), countMax: limit)
            .inOrder { ($0.begins, $0.record.row.name) < ($1.begins, $1.record.row.name) }
            .each(view(outlook))
    }

    /// The receiver of a meeting's deliveries that a text names: the installation, a circle of the
    /// actor's, or a person.
    ///
    /// - Throws: ``Refusal`` with `unknown_circle`, `unknown_person` or `ambiguous_person`.
    public func deliveryReceiver(
        named who: String, of id: MeetingID
    ) async throws -> DeliveryReceiver {
        if who == Audience.installation.name { return .audience(.installation) }
        guard let told = WhoText(who), told.kind == .circle else {
            return .person(try await receiver(named: who, of: id).id)
        }
        return .audience(.circle(try await circle(named: told.name).id.text))
    }

    /// The deliveries that will be sent from one moment through another, sorted by due time. They
    /// include reminders of series that are not in the ledger yet, and those due at either moment.
    ///
    /// - Parameters:
    ///   - start: the first moment; `nil` for all that are due earlier, too.
    ///   - end: the last moment; `nil` for the deliveries in the ledger only.
    ///   - meeting: the only meeting to show; `nil` for all.
    ///   - person: the only receiver to show; `nil` for all.
    ///   - kind: the only kind to show; `nil` for all.
    ///   - foreseesSinks: whether to show the deliveries as letsmeetd replans them if other sinks
    ///     are enabled than when it last ran.
    ///   - limit: the most lines.
    /// - Returns: the lines.
    /// - Throws: ``Refusal`` with `usage` or `not_allowed`, or ``StoreError``.
    public func outbox(
        from start: Moment? = nil, until end: Moment? = nil, of meeting: MeetingID? = nil,
        to person: PersonID? = nil, kind: NotificationKind? = nil, foreseesSinks: Bool = false,
        limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<OutboxLine> {
        if let start, let end, end < start {
            throw Refusal(.invalid, code: "usage", "The end is before the start.")
        }
        var filter = ledgerFilter(limit: limit + 1)
        filter.states = Set(DeliveryState.allCases.filter(\.isOpen))
        filter.dueFrom = start
        filter.dueThrough = end
        filter.usefulAt = now
        filter.kind = kind
        filter.person = person
        filter.meeting = meeting
        let list = meeting.map { DeliveryList.meeting($0) }
        try await checkMaySeeDeliveries(
            list ?? (kind == .reminder ? .reminders : .outbox), to: filter.person)
        async let known = store.deliveries(filter).map {
            OutboxLine($0, reader: zone, sight: sight(of: $0))
        }
        let change = foreseesSinks ? try await foreseeOutbox(filter) : SinkSwitch()
        guard let end, kind ?? .reminder == .reminder else {
            return FirstRows(change.applied(to: try await known), countMax: limit)
        }
        let foreseen = try await foreseen(from: start ?? now, through: end, to: person)
        let all =
            change.applied(to: try await known)
            + foreseen.filter { meeting == nil || $0.meeting == meeting?.text }
        return FirstRows(all.sorted { $0.comes(before: $1) }, countMax: limit)
    }
}

extension DeliveryStory {
    /// The time of the first attempt; the due time if there was none.
    fileprivate var begins: Moment { attempts.first?.at ?? record.row.due }
}

/// The changes of the outbox that follow from other sinks.
struct SinkSwitch: Sendable {
    /// The keys of the deliveries that others replace.
    var replaced: Set<String> = []
    /// The deliveries that are added.
    var lines: [OutboxLine] = []

    /// The lines of an outbox after the switch, in its order.
    func applied(to known: [OutboxLine]) -> [OutboxLine] {
        guard !replaced.isEmpty || !lines.isEmpty else { return known }
        return (known.filter { !replaced.contains($0.key) } + lines)
            .sorted { $0.comes(before: $1) }
    }
}
