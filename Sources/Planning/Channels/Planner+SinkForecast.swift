import Agenda
import Ledger
import Storage
import Timekeeping

/// The notifications that people get because another way to reach them is enabled.
public struct SinkForecast: Equatable, Sendable {
    /// The number of people.
    public internal(set) var people = 0
    /// The number of invitations.
    public internal(set) var invitations = 0
    /// The number of changes and cancellations.
    public internal(set) var changes = 0
    /// The number of messages and nudges.
    public internal(set) var messages = 0

    /// A forecast of nothing.
    public init() {}

    fileprivate mutating func count(_ kind: NotificationKind) {
        switch kind {
        case .invitation: invitations += 1
        case .change, .cancellation: changes += 1
        default: messages += 1
        }
    }
}

extension Planner {
    /// The number of meetings that are read at once.
    private static let forecastPageRows = 50

    /// Counts the notifications that go out at once when the enabled sinks are used for the first
    /// time: those that were only printed, or still wait, and are of use.
    ///
    /// - Returns: the numbers; all 0 if the sinks have not changed.
    /// - Throws: ``StoreError``.
    public func foreseeSinks() async throws -> SinkForecast {
        var forecast = SinkForecast()
        var receivers: Set<Receiver> = []
        let used = try await store.plannedSinks()?.split(separator: " ").map(String.init) ?? []
        try await foreseeSwitch { _, difference in
            // A meeting of the owner is planned for new sinks as soon as their address changes.
            let waiting = (difference.unchanged + difference.rescheduled)
                .filter { !used.contains($0.key.channel) }
            for row in difference.added + waiting where isForOneNow(row) {
                receivers.insert(row.key.notification.receiver)
                forecast.count(row.key.notification.kind)
            }
        }
        forecast.people = receivers.count
        return forecast
    }

    /// Replans the coming meetings for the enabled sinks as letsmeetd does when it sees them for
    /// the first time. Nothing is saved.
    ///
    /// - Parameters:
    ///   - meeting: the only meeting to replan; `nil` for all.
    ///   - body: takes each meeting with the changes of its ledger. It is not called if the sinks
    ///     have not changed.
    /// - Throws: ``StoreError``.
    private func foreseeSwitch(
        of meeting: MeetingID? = nil, _ body: (MeetingBundle, LedgerDifference) -> Void
    ) async throws {
        guard try await store.plannedSinks() != Self.names(of: sinks) else { return }
        let replanning = sending().replanning(because: "")
        var last: MeetingID?
        repeat {
            let ids = try await store.meetings(
                endingAfter: now, after: last, limit: Self.forecastPageRows)
            let wanted = meeting.map { one in ids.filter { $0 == one } } ?? ids
            for bundle in try await store.meetingBundles(wanted) {
                // A meeting that cannot be planned is reported when letsmeetd starts.
                guard let difference = try? replanning(bundle).difference else { continue }
                body(bundle, difference)
            }
            last = ids.count == Self.forecastPageRows ? ids.last : nil
        } while last != nil
    }

    /// The changes of the outbox when letsmeetd sees the enabled sinks for the first time. There
    /// are none while it runs, because it may run with other settings, and if only its terminal
    /// is enabled.
    func foreseeOutbox(_ filter: LedgerFilter) async throws -> SinkSwitch {
        var change = SinkSwitch()
        guard reachesPeople, !isDaemonRunning else { return change }
        try await foreseeSwitch(of: filter.meeting) { bundle, difference in
            change.replaced.formUnion(difference.superseded.map(\.name))
            change.lines += difference.added.filter(filter.holds).compactMap {
                line(of: $0, in: bundle, to: filter.person)
            }
        }
        return change
    }

    /// Counts the notifications that go out at once if mail is set up.
    ///
    /// - Returns: the numbers.
    /// - Throws: as ``foreseeSinks()``.
    public func foreseeMail() async throws -> SinkForecast {
        var planner = self
        planner.sinks = [.mail] + sinks.filter { $0.readers == .accounts }
        return try await planner.foreseeSinks()
    }

    /// True if a row tells a person something at once that is not only printed.
    private func isForOneNow(_ row: LedgerRow) -> Bool {
        let kind = row.key.notification.kind
        return (kind.isNews || [.message, .nudge, .refusal].contains(kind))
            && row.key.notification.receiver.person != nil && row.state == .planned
            && row.due <= now && row.key.channel != SinkKind.stdout.name
            && row.key.channel != SinkKind.page.name
    }
}

extension LedgerFilter {
    /// True if a row that is to be added is one of those that the filter asks for.
    fileprivate func holds(_ row: LedgerRow) -> Bool {
        row.state == .planned && kind.map { $0 == row.key.notification.kind } ?? true
            && dueFrom.map { row.due >= $0 } ?? true && dueThrough.map { row.due <= $0 } ?? true
    }
}
