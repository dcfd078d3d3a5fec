/// What one person, or one audience, is to be told, apart from the ways by which it reaches them.
public struct NotificationKey: Hashable, Sendable {
    /// The meeting's id; empty for what is about no meeting.
    public let meeting: String
    /// The original start of one date of a series; empty for a meeting that does not repeat.
    public let occurrence: String
    /// To whom.
    public let receiver: Receiver
    /// What it is about.
    public let kind: NotificationKind
    /// What tells two notifications of one kind apart: the revision told, a reminder's offset and
    /// start, a message's id.
    public let mark: String

    /// Names a notification.
    public init(
        meeting: String, occurrence: String, receiver: Receiver, kind: NotificationKind,
        mark: String
    ) {
        self.meeting = meeting
        self.occurrence = occurrence
        self.receiver = receiver
        self.kind = kind
        self.mark = mark
    }

    /// Names a notification to a person, by their id.
    public init(
        meeting: String, occurrence: String, person: String, kind: NotificationKind, mark: String
    ) {
        self.init(
            meeting: meeting, occurrence: occurrence, receiver: .person(person), kind: kind,
            mark: mark)
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
        var hash = SipHash()
        hash.append(part: notification.meeting)
        hash.append(part: notification.occurrence)
        hash.append(part: notification.receiver.text)
        hash.append(part: notification.kind.rawValue)
        hash.append(part: notification.mark)
        hash.append(part: channel)
        hash.append(part: address)
        return Base32.text(hash.value)
    }
}

extension SipHash {
    /// Each part is led by its length, so that no two lists of parts give the same bytes.
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
