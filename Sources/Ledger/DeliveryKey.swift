/// The key of a notification: one message for one person or one audience, independent of the
/// channels.
public struct NotificationKey: Hashable, Sendable {
    /// The meeting's id; empty for a notification that is not about a meeting.
    public let meeting: String
    /// The original start of one occurrence of a recurring meeting; empty for a meeting that does
    /// not repeat.
    public let occurrence: String
    /// The person or the audience.
    public let receiver: Receiver
    /// The kind of notification.
    public let kind: NotificationKind
    /// The part that distinguishes notifications of the same kind: the meeting's revision, a
    /// reminder's offset and start, or a message's id.
    public let mark: NotificationMark

    /// Creates the key.
    public init(
        meeting: String, occurrence: String, receiver: Receiver, kind: NotificationKind,
        mark: NotificationMark
    ) {
        self.meeting = meeting
        self.occurrence = occurrence
        self.receiver = receiver
        self.kind = kind
        self.mark = mark
    }

    /// Creates the key of a notification to a person with this id.
    public init(
        meeting: String, occurrence: String, person: String, kind: NotificationKind,
        mark: NotificationMark
    ) {
        self.init(
            meeting: meeting, occurrence: occurrence, receiver: .person(person), kind: kind,
            mark: mark)
    }
}

/// One notification through one channel: the key of a ledger row, unique within a ledger.
public struct DeliveryKey: Hashable, Sendable {
    /// The notification.
    public let notification: NotificationKey
    /// The channel's name, such as `stdout`.
    public let channel: String
    /// The address within the channel; empty for a channel without addresses.
    public let address: String

    /// Creates the key.
    public init(notification: NotificationKey, channel: String, address: String) {
        self.notification = notification
        self.channel = channel
        self.address = address
    }

    /// The number of characters of a ``name``.
    public static let nameCharacters = 26

    /// The key in 26 letters and digits. `ledger` prints it, and the receiver sees it as the
    /// identity of the delivery.
    ///
    /// It is computed from the parts of the key alone, so a retry has the same name, and so has a
    /// delivery that is planned again after a restore. The receiver can drop the second one.
    public var name: String {
        var hash = SipHash()
        hash.append(part: notification.meeting)
        hash.append(part: notification.occurrence)
        hash.append(part: notification.receiver.text)
        hash.append(part: notification.kind.rawValue)
        hash.append(part: notification.mark.text)
        hash.append(part: channel)
        hash.append(part: address)
        return Base32.text(hash.value)
    }
}

extension SipHash {
    /// Appends a part with its length before it, so that different lists of parts never give the
    /// same bytes.
    fileprivate mutating func append(part: String) {
        append(decimal: part.utf8.count)
        append(UInt8(ascii: ":"))
        for byte in part.utf8 { append(byte) }
    }

    private mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
