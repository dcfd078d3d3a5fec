/// What one person is to be told, apart from the ways by which it reaches them.
public struct NotificationKey: Hashable, Sendable {
    /// The meeting's id.
    public let meeting: String
    /// The original start of one date of a series; empty for a meeting that does not repeat.
    public let occurrence: String
    /// The person's id.
    public let person: String
    /// What it is about.
    public let kind: NotificationKind
    /// What tells two notifications of one kind apart: the revision told, a reminder's offset and
    /// start, a message's id.
    public let mark: String

    /// Names a notification.
    public init(
        meeting: String, occurrence: String, person: String, kind: NotificationKind, mark: String
    ) {
        self.meeting = meeting
        self.occurrence = occurrence
        self.person = person
        self.kind = kind
        self.mark = mark
    }
}

/// One notification through one channel: the key of a ledger row, unique in a ledger.
public struct DeliveryKey: Hashable, Sendable {
    /// What is told, and to whom.
    public let notification: NotificationKey
    /// The channel's name, such as `stdout`.
    public let channel: String
    /// Where the channel sends it; empty for a channel without addresses.
    public let address: String

    /// Names a delivery.
    public init(notification: NotificationKey, channel: String, address: String) {
        self.notification = notification
        self.channel = channel
        self.address = address
    }

    /// The key in 26 letters and digits: what `ledger` prints, and what the receiver sees as the
    /// delivery's identity.
    ///
    /// It is made from the key's parts alone, so a retry carries the same name, and so does a
    /// delivery that is planned again after a restore: a receiver can drop the second one.
    public var name: String {
        let parts = [
            notification.meeting, notification.occurrence, notification.person,
            notification.kind.rawValue, notification.mark, channel, address,
        ]
        return Base32.text(SipHash.hash128(Self.joined(parts)))
    }

    /// About how many bytes the length of a part takes, with its colon.
    private static let lengthBytes = 4

    /// Each part is led by its length, so that no two lists of parts give the same bytes.
    private static func joined(_ parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count + Self.lengthBytes })
        for part in parts {
            bytes += "\(part.utf8.count):".utf8
            bytes += part.utf8
        }
        return bytes
    }
}
