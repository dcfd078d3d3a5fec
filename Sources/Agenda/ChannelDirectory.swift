public import Ledger
public import Timekeeping

/// The ways that are on, and where each person is reached by them.
public struct ChannelDirectory: Sendable {
    /// The ways that are on.
    public var channels: [Channel]
    /// Mail addresses by person.
    public var addresses: [String: String]
    /// What concerns the mail addresses of these people.
    public var suppressions: [PersonID: [Suppression]] = [:]

    /// Makes a directory; `addresses` is keyed by person id.
    public init(channels: [Channel], addresses: [String: String]) {
        self.channels = channels
        self.addresses = addresses
    }

    /// Whether a row goes where its person is reached now; a way that is off is no reason to give
    /// a row up.
    func leadTo(_ row: LedgerRow) -> Bool {
        channels.allSatisfy { channel in
            channel.name != row.key.channel || address(channel, row) == row.key.address
        }
    }

    /// What concerns the address of a row's person.
    func suppressions(of row: LedgerRow) -> [Suppression] {
        guard !suppressions.isEmpty else { return [] }
        return suppressions[PersonID(text: row.key.notification.person)] ?? []
    }

    private func address(_ channel: Channel, _ row: LedgerRow) -> String {
        channel.needsAddress ? addresses[row.key.notification.person] ?? "" : ""
    }

    /// One row for each way; a person who cannot be reached by one, or to whose address nothing is
    /// sent, gets a row that says so.
    public func rows(for notification: PlannedNotification, now: Moment) -> [LedgerRow] {
        channels.map { channel in
            let address =
                channel.needsAddress ? addresses[notification.key.person] ?? "" : ""
            let isReachable = !channel.needsAddress || !address.isEmpty
            let row = LedgerRow(
                key: DeliveryKey(
                    notification: notification.key, channel: channel.name, address: address),
                state: isReachable ? .planned : .suppressed, due: notification.due,
                deadline: notification.deadline,
                reason: isReachable ? "" : "no address for \(channel.name)")
            return row.suppressed(by: suppressions(of: row), now: now) ?? row
        }
    }
}
