import Agenda
public import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// The rows of the ledger in these states, of a meeting or of all.
    public func ledger(
        states: Set<DeliveryState>, meeting: String?, limit: Int
    ) async throws -> FirstRows<StoryView> {
        var filter = LedgerFilter(limit: limit + 1)
        filter.states = states
        var list = DeliveryList.ledger
        if let meeting {
            let id = try await meetingID(meeting)
            filter.meeting = id
            list = .meeting(id, called: meeting)
        }
        try await checkMaySeeDeliveries(list, to: nil)
        let outlook = try await outlook()
        return FirstRows(try await store.stories(filter), countMax: limit)
            .each { StoryView($0, reader: zone, outlook: outlook) }
    }

    /// The row of the ledger that a key, or its beginning, means.
    public func delivery(_ key: String) async throws -> StoryView {
        StoryView(
            try await storedDelivery(key), reader: zone, outlook: try await outlook())
    }

    private func storedDelivery(_ key: String) async throws -> DeliveryStory {
        var filter = LedgerFilter(limit: 2)
        filter.keyPrefix = key
        try Refusal.checkNames(key, a: "delivery")
        let found = key.utf8.count >= 4 ? try await store.stories(filter) : []
        guard let first = found.first else {
            throw Refusal(
                .refused, code: "unknown_delivery",
                "No delivery has the key \(key). See: letsmeet ledger list")
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_delivery", "\(key) begins several keys: write more.",
                candidates: found.map { .word($0.record.row.name) })
        }
        let key = first.record.row.key.notification
        let list =
            key.kind.isAboutMeeting
            ? DeliveryList.meeting(MeetingID(text: key.meeting), called: key.meeting) : .ledger
        try await checkMaySeeDeliveries(
            list, to: key.receiver.person.map { PersonID(text: $0) })
        return first
    }

    /// Sends deliveries again that failed, or were dropped or held, as long as their meetings still
    /// want them: all of them, or none.
    ///
    /// - Parameters:
    ///   - keys: which, by their keys or the beginnings of those.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the deliveries as they stand then.
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
                    .refused, code: "erased", "It was meant for somebody who has been erased.")
            }
            guard let bundle else { return try checkIsOfUse(row) }
            let draft = MeetingDraft(bundle)
            try checkIsNotListed(row, in: bundle)
            let state = try state(of: draft)
            let directory = directory(of: draft)
            let open = state.reopened(row, among: bundle.rows, channels: directory, now: now)
            guard let open else {
                if let name = directory.missingChannel(of: row) {
                    throw Refusal(
                        .refused, code: "unknown_channel",
                        "There is no channel named \(name) any more: what it was to bring goes by "
                            + "the ways that are left.")
                }
                throw Refusal(
                    .refused, code: "unwanted",
                    "\(bundle.meeting.title) does not want it any more: it was changed or called "
                        + "off since, or somebody answered. See: letsmeet why "
                        + "\(bundle.meeting.id.text)")
            }
            // The meeting may have moved since it was closed.
            return try checkIsOfUse(open)
        }
    }

    private func checkIsOfUse(_ row: LedgerRow) throws(Refusal) -> LedgerRow {
        guard row.deadline > now else {
            throw Refusal(
                .refused, code: "too_late",
                "Its time has passed: it was of use until "
                    + "\(TimeWords.short(row.deadline, in: zone)).")
        }
        return row
    }

    /// What would only be suppressed again is not taken up.
    private func checkIsNotListed(_ row: LedgerRow, in bundle: MeetingBundle) throws(Refusal) {
        var open = row
        open.state = .planned
        let list = bundle.wishes.suppressions.entries(of: row)
        guard let shut = open.suppressed(by: list, now: now) else { return }
        let person = row.key.notification.receiver.person.map(PersonID.init(text:))
        let address =
            row.key.channel == SinkKind.mail.name && !row.key.address.isEmpty
            ? row.key.address : person.flatMap { bundle.people[$0]?.address } ?? ""
        throw Refusal(
            .refused, code: "suppressed",
            "\(shut.reason.prefix(1).uppercased())\(shut.reason.dropFirst()). To write to it "
                + "again: letsmeet ledger unsuppress \(address)")
    }

    /// Gives deliveries up that wait: all of them, or none.
    ///
    /// - Parameters:
    ///   - keys: which, by their keys or the beginnings of those.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the deliveries as they stand then.
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
                "A delivery that is \(row.state.rawValue) cannot be \(verb): only one that is "
                    + "\(words).")
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
            turned, reader: zone, daemon: isDaemonRunning ? "running" : "none")
    }
}

/// The ledger in numbers.
public struct LedgerStats: Encodable, Sendable {
    /// How late accepted deliveries were begun, in milliseconds.
    public struct Lateness: Encodable, Sendable {
        /// Half of them were no later.
        public let p50: Int64
        /// 99 of 100 were no later.
        public let p99: Int64
        /// None was later.
        public let max: Int64
    }

    /// How many rows stand in each state.
    public let states: [String: Int]
    /// For how long the oldest open row has been due, in seconds.
    public let oldestDueSeconds: Int64
    /// How late the latest 100,000 accepted ones were.
    public let latenessMs: Lateness
}

extension Planner {
    /// Counts what the ledger holds.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func ledgerStats() async throws -> LedgerStats {
        try checkIsOwner(to: "count what the ledger holds")
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
