import Ledger

/// One notification on one route, regardless of the mail address. After people were merged, a
/// slot may have two rows, of which only one may still be sent.
struct DeliverySlot: Hashable {
    let notification: NotificationKey
    let route: RouteName

    init(_ row: LedgerRow) {
        notification = row.key.notification
        route = row.routeName
    }

    /// The row that occupies each slot. If several rows share a slot, an accepted row comes before
    /// one that is being sent, and this before one that may have arrived. Waiting rows are not
    /// included.
    static func taken(by rows: [LedgerRow]) -> [DeliverySlot: String] {
        var slots: [DeliverySlot: String] = [:]
        for state in [DeliveryState.accepted, .claimed, .ambiguous] {
            for row in rows where row.state == state {
                let slot = DeliverySlot(row)
                if slots[slot] == nil { slots[slot] = row.name }
            }
        }
        return slots
    }
}

extension [DeliverySlot: String] {
    /// Assigns the slot to the row unless another row has it. Returns true if the row has it now.
    mutating func take(_ row: LedgerRow) -> Bool {
        let slot = DeliverySlot(row)
        let owner = self[slot] ?? row.name
        self[slot] = owner
        return owner == row.name
    }
}
