import Agenda
public import Ledger
import Storage
public import Timekeeping

/// The meetings that a list shows.
public enum MeetingScope: Sendable {
    /// The meetings that have not ended.
    case coming
    /// The meetings that have not ended and that the actor organizes.
    case mine
    /// The meetings that have not ended and to which the actor is invited.
    case invited
    /// The meetings that have ended.
    case past
}

extension Planner {
    /// The most rows that a list shows by default.
    public static let listRowsMax = 10_000

    /// The meetings of a scope.
    public func meetings(_ scope: MeetingScope) async throws -> MeetingLines {
        var filter = visible(limit: Self.listRowsMax + 1)
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

    /// The meetings of one day in the actor's time zone.
    public func meetings(on date: CivilDate) async throws -> MeetingLines {
        var filter = visible(limit: Self.listRowsMax + 1)
        filter.endsAfter = zone.moment(of: WallTime(date: date, time: .midnight))
        filter.startsBefore = zone.moment(of: WallTime(date: date.adding(days: 1), time: .midnight))
        return try await lines(filter, eachDate: true)
    }

    /// Converts the meetings that pass a filter to lines. The filter's limit is one more than is
    /// shown, to find out whether there are more.
    private func lines(
        _ filter: MeetingFilter, eachDate isEachDate: Bool = false
    ) async throws -> MeetingLines {
        try MeetingLines(
            try await summaries(filter, eachDate: isEachDate), countMax: filter.limit - 1,
            reader: zone,
            zone: zone(named:))
    }

    func line(_ summary: MeetingSummary) throws -> MeetingLine {
        MeetingLine(summary, zone: try zone(named: summary.zone), reader: zone)
    }

    /// One meeting with its people.
    ///
    /// - Parameters:
    ///   - name: the meeting.
    ///   - date: the date of a series to show; `nil` for the whole series.
    /// - Returns: the meeting in its current state.
    /// - Throws: ``Refusal``.
    public func meeting(_ name: String, on date: String? = nil) async throws -> MeetingView {
        let id = try await meetingID(name, on: date, pastToo: true)
        guard let bundle = try await store.meetingBundle(id) else {
            throw Self.unknownMeeting(name)
        }
        return try date.map {
            try view(bundle, on: try drafting.date($0, of: bundle.meeting, pastToo: true))
        } ?? view(bundle)
    }

    /// The deliveries of a meeting, or only those to one person, each with its history.
    public func deliveries(
        of name: String, to who: String?, limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<StoryView> {
        var filter = LedgerFilter(limit: limit + 1)
        let id = try await meetingID(name)
        filter.meeting = id
        if let who {
            filter.audience = try await audience(who)?.name
            if filter.audience == nil { filter.person = try await receiver(who, of: id).id }
        }
        try await checkMaySeeDeliveries(.meeting(id, called: name), to: filter.person)
        let outlook = try await outlook()
        return FirstRows(try await store.stories(filter), countMax: limit)
            .inOrder { ($0.begins, $0.record.row.name) < ($1.begins, $1.record.row.name) }
            .each { StoryView($0, reader: zone, outlook: outlook) }
    }

    /// The audience that a text names: the installation, or a circle of the actor's; `nil` if it
    /// does not name an audience.
    private func audience(_ who: String) async throws -> Audience? {
        if who == Audience.installation.name { return .installation }
        guard let told = WhoText(who), told.kind == .circle else { return nil }
        return .circle(try await storedCircle(told.name).id.text)
    }

    /// The deliveries that will be sent from one moment to another, sorted by due time. They
    /// include reminders of series that are not in the ledger yet.
    public func outbox(
        from start: Moment? = nil, until end: Moment? = nil, to who: String? = nil,
        kind: NotificationKind? = nil, limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<OutboxLine> {
        var filter = LedgerFilter(limit: limit + 1)
        filter.states = Set(DeliveryState.allCases.filter(\.isOpen))
        filter.dueFrom = start
        filter.dueThrough = end
        filter.usefulAt = now
        filter.kind = kind
        if let who { filter.person = try await knownPerson(who).id }
        try await checkMaySeeDeliveries(
            kind == .reminder ? .reminders : .outbox, to: filter.person)
        let (wanted, person) = (filter, filter.person)
        async let known = store.deliveries(wanted).map { OutboxLine($0, reader: zone) }
        guard let end, kind ?? .reminder == .reminder else {
            return FirstRows(try await known, countMax: limit)
        }
        let foreseen = try await foreseen(from: start ?? now, through: end, to: person)
        let all = try await known + foreseen
        return FirstRows(all.sorted { $0.comes(before: $1) }, countMax: limit)
    }
}

extension DeliveryStory {
    /// The time of the first attempt; the due time if there was none.
    fileprivate var begins: Moment { attempts.first?.at ?? record.row.due }
}
