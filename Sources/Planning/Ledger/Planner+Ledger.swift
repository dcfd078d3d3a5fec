public import Agenda
public import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// The deliveries in these states, of one meeting or of all, to one person or to all.
    public func ledger(
        states: Set<DeliveryState>, meeting: MeetingID?, to person: PersonID? = nil, limit: Int
    ) async throws -> FirstRows<StoryView> {
        var filter = ledgerFilter(limit: limit + 1)
        filter.states = states
        filter.meeting = meeting
        filter.person = person
        try await checkMaySeeDeliveries(meeting.map { .meeting($0) } ?? .ledger, to: person)
        let outlook = try await outlook()
        return FirstRows(try await store.stories(filter), countMax: limit)
            .each(view(outlook))
    }

    /// The deliveries of a meeting that the actor may see: all if they organize it or own the
    /// installation, otherwise those to themselves.
    public func stories(of meeting: MeetingID, limit: Int) async throws -> FirstRows<StoryView> {
        let bundle = try await bundle(meeting)
        var filter = ledgerFilter(limit: limit + 1)
        filter.meeting = meeting
        if !actsAsOwner, bundle.meeting.organizer != actor.id { filter.person = actor.id }
        let outlook = try await outlook()
        return FirstRows(try await store.stories(filter), countMax: limit)
            .each(view(outlook))
    }

    /// The delivery with this key, or with a key that begins with it.
    public func delivery(_ key: String) async throws -> StoryView {
        view(try await outlook())(try await storedDelivery(key))
    }

    /// Describes deliveries.
    func view(_ outlook: SendingOutlook) -> (DeliveryStory) -> StoryView {
        let identities = identities
        return { story in
            StoryView(
                story, reader: zone, identities: identities, outlook: outlook,
                sight: sight(of: story.record))
        }
    }

    /// A filter without the reminders that others than the actor chose for themselves. The owner
    /// sees those, too.
    func ledgerFilter(limit: Int) -> LedgerFilter {
        var filter = LedgerFilter(limit: limit)
        filter.viewer = actsAsOwner ? nil : actor.id
        return filter
    }

    private func storedDelivery(_ key: String) async throws -> DeliveryStory {
        var filter = ledgerFilter(limit: 2)
        filter.keyPrefix = key
        try Refusal.checkNames(key, a: "delivery")
        let found = key.utf8.count >= 4 ? try await store.stories(filter) : []
        guard let first = found.first else {
            throw Refusal(
                .refused, code: "unknown_delivery", "No delivery has the key \"\(key)\".",
                advice: [.deliveries(.list(state: nil))])
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_delivery",
                "Several keys begin with \"\(key)\". Write more of it.",
                candidates: found.map { .word($0.record.row.name) }
            ).ofAmbiguous(key)
        }
        let key = first.record.row.key.notification
        let list =
            key.kind.isAboutMeeting
            ? DeliveryList.meeting(MeetingID(text: key.meeting)) : .ledger
        try await checkMaySeeDeliveries(
            list, to: key.receiver.person.map { PersonID(text: $0) })
        return first
    }

    /// Sends deliveries again that failed, were dropped or are parked, if their meetings still need
    /// them. Either all of them are changed, or none.
    ///
    /// - Parameters:
    ///   - keys: the keys of the deliveries, or the beginnings of the keys.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the deliveries in their new state.
    /// - Throws: ``Refusal`` with `too_late`, `erased`, `unwanted` or `illegal_turn`.
    public func retryDeliveries(
        _ keys: [String], saving: Bool = true
    ) async throws -> LedgerOutcome {
        let now = self.now
        let reason = Store.takenUpReason
        return try await turn(keys, to: .planned, reason: reason, saving: saving) { row, bundle in
            try check(row, mayBeTurnedFrom: [.failed, .suppressed, .parked], verb: "tried again")
            guard row.reason != Store.erasureReason else {
                throw Refusal(
                    .refused, code: "erased", "The delivery was for a person who has been erased.")
            }
            guard let bundle else { return try checkIsOfUse(row.reopened) }
            let draft = MeetingDraft(bundle)
            try checkIsNotListed(row, in: bundle)
            let state = try drafting.state(of: draft)
            let directory = drafting.directory(of: draft)
            let open = state.reopened(row, among: bundle.rows, channels: directory, now: now)
            guard let open else {
                if let name = directory.missingChannel(of: row) {
                    throw Refusal(
                        .refused, code: "unknown_channel",
                        "The channel \(name) no longer exists. Its deliveries go through the "
                            + "remaining channels.")
                }
                throw Refusal(
                    .refused, code: "unwanted",
                    "\(bundle.meeting.title) no longer needs this delivery: the meeting was "
                        + "changed or cancelled, or the person answered.",
                    advice: [
                        .deliveries(
                            .explain(meeting: bundle.meeting.id.text, person: nil, actor: nil))
                    ])
            }
            // The meeting may have moved since the delivery was closed.
            return try checkIsOfUse(open)
        }
    }

    private func checkIsOfUse(_ row: LedgerRow) throws(Refusal) -> LedgerRow {
        guard row.deadline > now else {
            throw Refusal(
                .refused, code: "too_late",
                "It is too late to send this delivery: its deadline was "
                    + "\(TimeWords.short(row.deadline, in: zone)).")
        }
        return row
    }

    /// Checks that the address is not suppressed; the delivery would only be suppressed again.
    private func checkIsNotListed(_ row: LedgerRow, in bundle: MeetingBundle) throws(Refusal) {
        let list = bundle.wishes.suppressions.entries(of: row)
        let person = row.key.notification.receiver.person.flatMap {
            bundle.people[PersonID(text: $0)]
        }
        let part = sight(of: row).disguising(row, known: person?.address)
        guard let shut = row.reopened.suppressed(by: list, now: now)?.seen(part) else { return }
        let address =
            row.key.channel == SinkKind.mail.name && !row.key.address.isEmpty && part != .disguised
            ? row.key.address : person?.address ?? ""
        throw Refusal(
            .refused, code: "suppressed",
            "\(shut.reason.prefix(1).uppercased())\(shut.reason.dropFirst()).",
            advice: [.channels(.unsuppress(address))])
    }

    /// Drops deliveries that wait, so that they are not sent. Either all of them are dropped, or
    /// none.
    ///
    /// - Parameters:
    ///   - keys: the keys of the deliveries, or the beginnings of the keys.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the deliveries in their new state.
    /// - Throws: ``Refusal`` with `illegal_turn`.
    public func dropDeliveries(
        _ keys: [String], saving: Bool = true
    ) async throws -> LedgerOutcome {
        try await turn(keys, to: .suppressed, reason: "dropped", saving: saving) { row, _ in
            try check(row, mayBeTurnedFrom: [.planned, .ambiguous, .parked], verb: "dropped")
            var dropped = row
            dropped.due = row.hold?.wanted ?? row.due
            dropped.hold = nil
            return dropped
        }
    }

    private func check(
        _ row: LedgerRow, mayBeTurnedFrom states: Set<DeliveryState>, verb: String
    ) throws(Refusal) {
        guard states.contains(row.state) else {
            let words = states.map(\.rawValue).sorted().joined(separator: ", ")
            throw Refusal(
                .refused, code: "illegal_turn",
                "The delivery is \(row.state.rawValue), so it cannot be \(verb). Deliveries in "
                    + "these states can: \(words).",
                advice: [.deliveries(.show(String(row.name.prefix(8))))])
        }
    }

    private func turn(
        _ keys: [String], to state: DeliveryState, reason: String, saving: Bool,
        change: @escaping @Sendable (LedgerRow, MeetingBundle?) throws -> LedgerRow
    ) async throws -> LedgerOutcome {
        var names: [String] = []
        for key in keys { names.append(try await storedDelivery(key).record.row.name) }
        let turned = try await store.turnDeliveries(
            keys: names.uniqued(), to: state, reason: "\(reason) by \(actor.name)", now: now,
            saving: saving
        ) { row, bundle in
            try checkMayTurnDeliveries(of: bundle?.meeting)
            return try change(row, bundle)
        }
        return LedgerOutcome(
            turned, reader: zone, identities: identities, sight: sight(of:),
            daemon: daemonPresence)
    }
}

/// Statistics of the ledger.
public struct LedgerStats: Encodable, Sendable {
    /// The delay between due time and start of accepted deliveries, in milliseconds.
    public struct Lateness: Encodable, Sendable {
        /// The median.
        public let p50: Int64
        /// The 99th percentile.
        public let p99: Int64
        /// The maximum.
        public let max: Int64
    }

    /// The number of deliveries in each state.
    public let states: [String: Int]
    /// The time for which the oldest open delivery has been due, in seconds; 0 if none is due.
    public let oldestDueSeconds: Int64
    /// The delays of the latest 100,000 accepted deliveries.
    public let latenessMs: Lateness
}

extension Planner {
    /// Computes statistics of the ledger.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func ledgerStats() async throws -> LedgerStats {
        try checkIsOwner(to: "see statistics of the ledger")
        let counts = try await store.deliveryCounts()
        let lateness = try await store.latenesses(limit: 100_000).sorted()
        func rank(_ part: Double) -> Int64 {
            lateness.isEmpty ? 0 : lateness[Int((Double(lateness.count) * part).rounded(.up)) - 1]
        }
        let oldest = try await store.nextDue().map { max(0, now.milliseconds(since: $0)) / 1000 }
        return LedgerStats(
            states: Dictionary(
                uniqueKeysWithValues: DeliveryState.allCases.map {
                    ($0.rawValue, counts[$0] ?? 0)
                }),
            oldestDueSeconds: oldest ?? 0,
            latenessMs: LedgerStats.Lateness(p50: rank(0.5), p99: rank(0.99), max: rank(1)))
    }
}
