import Agenda
import Ledger

extension DeliveryView {
    /// Deliveries as people count them: without those to an inbox whose notification goes another
    /// way, too.
    public static func besidesInbox(_ deliveries: [DeliveryView]) -> [DeliveryView] {
        let told = Set(deliveries.filter { !$0.isForInbox }.map(\.notificationWords))
        return deliveries.filter { !$0.isForInbox || !told.contains($0.notificationWords) }
    }

    /// True if it goes to the inbox of a person with an account.
    public var isForInbox: Bool { channel == SinkKind.page.name }

    /// The parts that distinguish its notification from others in one answer.
    private var notificationWords: [String] {
        [meeting, occurrence, person ?? "", kind.rawValue, mark]
    }
}
