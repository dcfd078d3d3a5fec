import Agenda
import Ledger
import Storage
import Timekeeping
public import Wording

/// A planned delivery, as `outbox` and `letsmeetd simulate` print it.
public struct OutboxLine: Encodable, Sendable {
    /// A receiver.
    public struct Receiver: Encodable, Sendable {
        /// The name.
        public let name: String
        /// The address of the channel, else the person's mail address; `null` when none is known.
        @Null public var address: String?
    }

    /// The content of a line, in one object: a year of many series has a million lines, and sorting
    /// moves only references.
    private final class Content: Sendable {
        let row: LedgerRow
        let key: String
        let name: String
        let address: String
        let title: String
        let reader: Zone

        init(_ row: LedgerRow, name: String, address: String, title: String, reader: Zone) {
            self.row = row
            key = row.name
            self.name = name
            self.address = address
            self.title = title
            self.reader = reader
        }
    }

    private let content: Content

    init(_ record: DeliveryRecord, reader: Zone, sight: DeliverySight) {
        self.init(
            record.row.seen(sight), name: record.personName, address: record.address(sight),
            title: record.meetingTitle, reader: reader)
    }

    /// Describes a row, with its receiver's name and address and its meeting's title.
    init(_ row: LedgerRow, name: String, address: String, title: String, reader: Zone) {
        content = Content(row, name: name, address: address, title: title, reader: reader)
    }

    private var notification: NotificationKey { content.row.key.notification }
    private var isAboutMeeting: Bool { notification.kind.isAboutMeeting }

    /// The time at which it is due, in UTC.
    public var due: Timestamp { Timestamp(content.row.due, reader: content.reader) }
    /// The key.
    public var key: String { content.key }
    /// The kind of notification.
    public var kind: String { notification.kind.rawValue }
    /// The receiver.
    public var to: Receiver {
        Receiver(name: content.name, address: content.address.isEmpty ? nil : content.address)
    }
    /// The receiver in words: the name of a person, or "the circle Hikers".
    public var receiver: String { notification.receiver.words(named: content.name) }
    /// The meeting's id; `nil` if the delivery is about none.
    public var meeting: String? { isAboutMeeting ? notification.meeting : nil }
    /// The date of a recurring meeting, by its original start; else `nil`.
    public var occurrence: String? {
        isAboutMeeting && !notification.occurrence.isEmpty ? notification.occurrence : nil
    }
    /// The meeting's title; `nil` if the delivery is about none.
    public var title: String? { isAboutMeeting ? content.title : nil }
    /// The sink.
    public var channel: String { content.row.key.channel }
    /// The state.
    public var state: String { content.row.state.rawValue }
    /// The time at which it would be due, if it is held back; else `nil`.
    public var wanted: Timestamp? {
        content.row.hold.map { Timestamp($0.wanted, reader: content.reader) }
    }
    /// The reason for the state; may be empty.
    public var reason: String { content.row.reason }
    /// The title, followed by the day of the occurrence: "Choir, Tue 8 December 2026".
    public var subject: String {
        Self.subject(content.title, of: notification, reader: content.reader)
    }

    /// True if it is sorted before another line: by due time, then by key.
    func comes(before other: OutboxLine) -> Bool {
        let (left, right) = (content, other.content)
        guard left.row.due == right.row.due else { return left.row.due < right.row.due }
        return left.key < right.key
    }

    private enum CodingKeys: CodingKey {
        case due, key, kind, to, meeting, occurrence, title, channel, state, wanted, reason
    }

    /// Writes all fields; missing values as `null`.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(due, forKey: .due)
        try fields.encode(key, forKey: .key)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(to, forKey: .to)
        try fields.encode(meeting, forKey: .meeting)
        try fields.encode(occurrence, forKey: .occurrence)
        try fields.encode(title, forKey: .title)
        try fields.encode(channel, forKey: .channel)
        try fields.encode(state, forKey: .state)
        try fields.encode(wanted, forKey: .wanted)
        try fields.encode(reason, forKey: .reason)
    }
}

extension OutboxLine: JSONLine {
    /// The same JSON as from encoding, in a tenth of the time.
    public var json: JSONObjectText {
        var line = JSONObjectText()
        line.add("channel", channel)
        line.add("due", content.row.due.utcText)
        line.add("key", key)
        line.add("kind", kind)
        line.add("meeting", meeting)
        line.add("occurrence", occurrence)
        line.add("reason", reason)
        line.add("state", state)
        line.add("title", title)
        line.add("to") { receiver in
            receiver.add("address", content.address.isEmpty ? nil : content.address)
            receiver.add("name", content.name)
        }
        line.add("wanted", wanted?.text)
        return line
    }
}

extension OutboxLine {
    /// A title, followed by the day of the occurrence. A reminder takes the day of the actual
    /// start, all other kinds the day of the original start, which names the occurrence.
    static func subject(_ title: String, of key: NotificationKey, reader: Zone) -> String {
        guard key.kind.isAboutMeeting else { return "" }
        let named = CalendarStamp(key.occurrence)?.day
        let start = key.mark.start
        let isOfDate = key.kind == .reminder && !key.isSnooze && named != nil
        let day = (isOfDate ? start.map { reader.wallTime(at: $0).date } : nil) ?? named
        return day.map { "\(title), \(TimeWords.date($0))" } ?? title
    }
}
