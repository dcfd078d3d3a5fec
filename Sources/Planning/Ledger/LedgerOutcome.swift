import Storage
import Timekeeping

/// What turning deliveries by hand did, or would do.
public struct LedgerOutcome: ChangeOutcome {
    /// The deliveries as they stand then.
    public let deliveries: [DeliveryView]
    /// What waits from now on, and what does not.
    public let notifications: NotificationsView
    /// `running` or `none`: whether a daemon works on this home.
    public let daemon: String
    /// Nothing else.
    public let remarks: [String] = []

    private enum CodingKeys: CodingKey {
        case deliveries
        case daemon
    }

    init(_ turned: [DeliveryStory], reader: Zone, daemon: String) {
        deliveries = turned.map {
            DeliveryView(
                $0.record.row, name: $0.record.personName, attempts: $0.attempts, reader: reader)
        }
        notifications = NotificationsView(turned: deliveries)
        self.daemon = daemon
    }
}
