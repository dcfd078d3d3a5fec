public import Agenda
import Ledger
import Storage
import Timekeeping

/// The result, or the preview, of changing the state of deliveries by hand.
public struct LedgerOutcome: ChangeOutcome {
    /// The deliveries in their new state.
    public let deliveries: [DeliveryView]
    /// The receivers of the deliveries in words, in the same order.
    public let receivers: [String]
    /// The deliveries that wait from now on, and those that no longer do.
    public let notifications: NotificationsView
    /// `running` if a daemon runs on this home, else `none`.
    public let daemon: DaemonPresence
    /// No remarks.
    public let remarks: [Remark] = []

    private enum CodingKeys: CodingKey {
        case deliveries
        case daemon
    }

    init(
        _ turned: [DeliveryStory], reader: Zone, identities: DeliveryIdentities,
        sight: (DeliveryRecord) -> DeliverySight, daemon: DaemonPresence
    ) {
        deliveries = turned.map {
            DeliveryView(
                $0.record.row, name: $0.record.personName, attempts: $0.attempts, reader: reader,
                identities: identities, sight: sight($0.record))
        }
        receivers = turned.map {
            $0.record.row.key.notification.receiver.words(named: $0.record.personName)
        }
        notifications = NotificationsView(turned: deliveries)
        self.daemon = daemon
    }
}
