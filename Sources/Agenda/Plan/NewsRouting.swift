import Ledger
import Timekeeping

/// Decides whether news may be left out on the routes by which its receiver knows its content.
///
/// A change that was taken back goes by the routes that brought it, and not by the others. If one
/// of those routes is gone or cannot deliver, it goes by all: a notification that comes twice is
/// visible, and one that never comes is not.
struct NewsRouting {
    /// All rows of the meeting.
    let rows: [LedgerRow]
    /// The state of each row by the name derived from its key.
    let states: [String: DeliveryState]
    /// The routes of the receivers.
    let channels: ChannelDirectory
    /// The current time.
    let now: Moment

    /// The notification, which goes by all routes unless those that need it can carry it.
    func checked(_ notification: PlannedNotification) -> PlannedNotification {
        guard notification.routes.values.contains(.same), !isCarried(notification) else {
            return notification
        }
        var notification = notification
        notification.routes = notification.routes.filter { $0.value != .same }
        return notification
    }

    private func isCarried(_ notification: PlannedNotification) -> Bool {
        let needing = notification.routes.filter { $0.value != .same }.keys
        guard !needing.isEmpty || !notification.isNew else { return false }
        let able = Set(
            channels.rows(for: notification, now: now).filter(isAble).map(\.routeName))
        return needing.allSatisfy { able.contains($0) } && !mayBeLost(notification)
    }

    /// True if a row can still be sent, or was sent.
    private func isAble(_ row: LedgerRow) -> Bool {
        guard row.state == .planned else { return false }
        switch states[row.name] {
        case nil, .superseded, .planned, .claimed, .ambiguous, .accepted: return true
        case .suppressed:
            return rows.contains { $0.key.name == row.name && $0.hold?.kind == .list }
        case .failed, .expired, .parked: return false
        }
    }

    /// True if it may have gone out on a route that is gone, and nobody will ever know.
    private func mayBeLost(_ notification: PlannedNotification) -> Bool {
        rows.contains {
            $0.key.notification == notification.key && $0.mayHaveArrived
                && [.ambiguous, .superseded, .parked].contains($0.state) && !channels.leadTo($0)
        }
    }
}
