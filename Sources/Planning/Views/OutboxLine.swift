import Agenda
import Ledger
import Storage
import Timekeeping

/// A delivery that will be sent, as `outbox` and `letsmeetd simulate` print it.
public struct OutboxLine: Encodable, Sendable {
    /// Whom it is for.
    public struct Receiver: Encodable, Sendable {
        /// The name.
        public let name: String
        /// Where it goes; `null` for a channel without addresses.
        @Null public var address: String?
    }

    /// When it is to be sent, in UTC.
    public let due: Timestamp
    /// The key.
    public let key: String
    /// What it is about.
    public let kind: String
    /// Whom it is for.
    public let to: Receiver
    /// The meeting's id.
    public let meeting: String
    /// The meeting's title.
    public let title: String
    /// The way it goes.
    public let channel: String
    /// Where it stands.
    public let state: String

    init(_ record: DeliveryRecord, reader: Zone) {
        let address = record.row.key.address
        due = Timestamp(record.row.due, reader: reader)
        key = record.row.name
        kind = record.row.key.notification.kind.rawValue
        to = Receiver(name: record.personName, address: address.isEmpty ? nil : address)
        meeting = record.row.key.notification.meeting
        title = record.meetingTitle
        channel = record.row.key.channel
        state = record.row.state.rawValue
    }
}
