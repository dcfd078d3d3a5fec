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

    /// A forecast of nothing.
    public init() {}
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
        guard try await store.plannedSinks() != Self.names(of: sinks) else { return forecast }
        let replanning = sending().replanning(because: "")
        var receivers: Set<Receiver> = []
        var last: MeetingID?
        repeat {
            let ids = try await store.meetings(
                endingAfter: now, after: last, limit: Self.forecastPageRows)
            for bundle in try await store.meetingBundles(ids) {
                // A meeting that cannot be planned is reported when letsmeetd starts.
                let planned = try? replanning(bundle).difference.added
                for row in planned ?? [] where isNewsForOne(row) {
                    receivers.insert(row.key.notification.receiver)
                    let isInvitation = row.key.notification.kind == .invitation
                    forecast.invitations += isInvitation ? 1 : 0
                    forecast.changes += isInvitation ? 0 : 1
                }
            }
            last = ids.count == Self.forecastPageRows ? ids.last : nil
        } while last != nil
        forecast.people = receivers.count
        return forecast
    }

    /// Counts the notifications that go out at once if mail is set up.
    ///
    /// - Returns: the numbers.
    /// - Throws: as ``foreseeSinks()``.
    public func foreseeMail() async throws -> SinkForecast {
        var planner = self
        planner.sinks = [.mail]
        return try await planner.foreseeSinks()
    }

    /// True if a row tells a person at once that they are invited, or what has changed.
    private func isNewsForOne(_ row: LedgerRow) -> Bool {
        row.key.notification.kind.isNews && row.key.notification.receiver.person != nil
            && row.state == .planned && row.due <= now
            && row.key.channel != SinkKind.stdout.name
    }
}
