import Agenda
public import Ledger
import Storage
public import Timekeeping
import Wording

/// Which meetings a list shows.
public enum MeetingScope: Sendable {
    /// Those that have not ended.
    case coming
    /// Those of them that the actor organizes.
    case mine
    /// Those of them to which the actor is invited.
    case invited
    /// Those that have ended.
    case past
}

extension Planner {
    /// The most rows that a list shows unless asked for another number.
    public static let listRowsMax = 10_000

    /// The meetings of a scope.
    public func meetings(_ scope: MeetingScope) async throws -> [MeetingLine] {
        var filter = MeetingFilter(limit: Self.listRowsMax)
        switch scope {
        case .coming: filter.endsAfter = now
        case .mine:
            filter.endsAfter = now
            filter.organizer = actor.id
        case .invited:
            filter.endsAfter = now
            filter.invited = actor.id
        case .past: filter.endsBefore = now
        }
        return try await lines(filter)
    }

    /// The meetings of one day in the actor's zone.
    public func meetings(on date: CivilDate) async throws -> [MeetingLine] {
        var filter = MeetingFilter(limit: Self.listRowsMax)
        filter.endsAfter = zone.moment(of: WallTime(date: date, time: .midnight))
        filter.startsBefore = zone.moment(of: WallTime(date: date.adding(days: 1), time: .midnight))
        return try await lines(filter)
    }

    private func lines(_ filter: MeetingFilter) async throws -> [MeetingLine] {
        try await store.meetings(filter).map(line)
    }

    func line(_ summary: MeetingSummary) throws -> MeetingLine {
        MeetingLine(summary, zone: try zone(named: summary.zone), reader: zone)
    }

    /// One meeting with its people.
    public func meeting(_ name: String) async throws -> MeetingView {
        let id = try await meetingID(name)
        guard let bundle = try await store.meetingBundle(id) else {
            throw Self.unknownMeeting(name)
        }
        return try await view(
            bundle.meeting, participants: bundle.participants, known: bundle.people)
    }

    /// The deliveries of a meeting, or of one person in it, each with its whole story.
    public func deliveries(of name: String, to who: String?) async throws -> [StoryView] {
        var filter = LedgerFilter(limit: Self.listRowsMax)
        filter.meeting = try await meetingID(name)
        if let who { filter.person = try await person(who).id }
        return try await store.deliveries(filter).map { StoryView($0, reader: zone) }
    }

    /// What will be sent from a moment on up to another one, in the order of its times.
    public func outbox(
        from start: Moment? = nil, until end: Moment? = nil, to who: String? = nil
    ) async throws -> [OutboxLine] {
        var filter = LedgerFilter(limit: Self.listRowsMax)
        filter.states = Set(DeliveryState.allCases.filter(\.isOpen))
        filter.dueFrom = start
        filter.dueThrough = end
        if let who { filter.person = try await person(who).id }
        return try await store.deliveries(filter).map { OutboxLine($0, reader: zone) }
    }

    /// The rows of the ledger in these states, of a meeting or of all.
    public func ledger(
        states: Set<DeliveryState>, meeting: String?, limit: Int
    ) async throws -> (rows: [StoryView], isTruncated: Bool) {
        var filter = LedgerFilter(limit: limit + 1)
        filter.states = states
        if let meeting { filter.meeting = try await meetingID(meeting) }
        let rows = try await store.deliveries(filter)
        return (rows.prefix(limit).map { StoryView($0, reader: zone) }, rows.count > limit)
    }

    /// The row of the ledger that a key, or its beginning, means.
    public func delivery(_ key: String) async throws -> StoryView {
        StoryView(try await storedDelivery(key), reader: zone)
    }

    private func storedDelivery(_ key: String) async throws -> DeliveryRecord {
        var filter = LedgerFilter(limit: 2)
        filter.keyPrefix = key
        let found = key.utf8.count >= 4 ? try await store.deliveries(filter) : []
        guard let first = found.first else {
            throw Refusal(
                .refused, code: "unknown_delivery",
                "No delivery has the key \(key). See: letsmeet ledger list")
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_delivery", "\(key) begins several keys: write more.",
                candidates: found.map { .word($0.row.name) })
        }
        return first
    }

    /// Sends a delivery again that has failed, or was dropped or parked.
    public func retryDelivery(_ key: String) async throws -> StoryView {
        let record = try await storedDelivery(key)
        guard record.row.deadline > now else {
            throw Refusal(
                .refused, code: "too_late",
                "Its time has passed: it was of use until "
                    + "\(TimeWords.short(record.row.deadline, in: zone)).")
        }
        guard record.row.reason != Store.erasureReason else {
            throw Refusal(
                .refused, code: "erased", "It was meant for somebody who has been erased.")
        }
        return try await turn(
            record, to: .planned, due: now, reason: "taken up again by \(actor.name)")
    }

    /// Gives a delivery up.
    public func dropDelivery(_ key: String) async throws -> StoryView {
        try await turn(
            try await storedDelivery(key), to: .suppressed, due: nil,
            reason: "dropped by \(actor.name)")
    }

    private func turn(
        _ record: DeliveryRecord, to state: DeliveryState, due: Moment?, reason: String
    ) async throws -> StoryView {
        let isLegal = try await store.turnDelivery(
            key: record.row.name, to: state, due: due, reason: reason, now: now)
        guard isLegal else {
            throw Refusal(
                .refused, code: "illegal_turn",
                "A delivery that is \(record.row.state.rawValue) cannot become "
                    + "\(state.rawValue).")
        }
        return try await delivery(record.row.name)
    }

    /// One person, whom a WHO means.
    func person(_ who: String) async throws -> Person {
        switch try await search.meaning(of: who) {
        case .person(let person): return person
        case .circle(let circle, _):
            throw Refusal(
                .refused, code: "is_circle", "\(circle.name) is a circle. Name one person.")
        case .stranger(_, let address):
            throw Refusal(
                .refused, code: "unknown_person", "Nobody here has the address \(address).")
        }
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
    public func ledgerStats() async throws -> LedgerStats {
        let counts = try await store.deliveryCounts()
        let lateness = try await store.latenesses(limit: 100_000).sorted()
        func rank(_ part: Double) -> Int64 {
            lateness.isEmpty ? 0 : lateness[Int(Double(lateness.count - 1) * part)]
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
