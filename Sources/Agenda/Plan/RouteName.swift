import Ledger

/// A route by which news reaches a receiver: a channel, with its name if there may be several of
/// its kind. Mail is one route, whatever the address.
struct RouteName: Hashable {
    let channel: String
    let name: String
}

/// A receiver's knowledge of the content of a notification, as far as one route told it.
enum RouteKnowledge {
    /// The same: the route did not tell them of what changed and was taken back. It brings nothing.
    case same
    /// Something else. It brings the notification, as long as the receiver does not know it by
    /// another route.
    case other
    /// Something else. It brings the notification even if the receiver knows it by another route.
    case missed
}

extension LedgerRow {
    /// The row's route.
    var routeName: RouteName {
        RouteName(
            channel: key.channel, name: key.channel == SinkKind.mail.name ? "" : key.address)
    }
}

extension PlannedNotification {
    /// True if it still has to be sent by a route.
    func isNew(on route: RouteName) -> Bool {
        switch routes[route] {
        case .same: false
        case .missed: true
        case .other, nil: isNew
        }
    }

    /// True if a row that waits on a route stays.
    func isWanted(on route: RouteName) -> Bool { routes[route] != .same }

    /// True if it has to be sent by a route even if it is not new to its receiver.
    var isMissed: Bool { routes.values.contains(.missed) }
}
