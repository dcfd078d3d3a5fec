import Agenda
import Ledger
import Storage
import Timekeeping
public import Wording

/// A delivery that will be sent, as `outbox` and `letsmeetd simulate` print it.
public struct OutboxLine: Encodable, Sendable {
    /// Whom it is for.
    public struct Receiver: Encodable, Sendable {
        /// The name.
        public let name: String
        /// The address of the channel, else the person's mail address; `null` when none is known.
        @Null public var address: String?
    }

    /// What a line says, in one place: a year of many series has a million lines, which are sorted.
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
            self.address = row.key.address.isEmpty ? address : row.key.address
            self.title = title
            self.reader = reader
        }
    }

    private let content: Content

    init(_ record: DeliveryRecord, reader: Zone) {
        self.init(
            record.row, name: record.personName, address: record.personAddress,
            title: record.meetingTitle, reader: reader)
    }

    /// Describes a row, with its receiver's name and mail address and its meeting's title.
    init(_ row: LedgerRow, name: String, address: String, title: String, reader: Zone) {
        content = Content(row, name: name, address: address, title: title, reader: reader)
    }

    private var notification: NotificationKey { content.row.key.notification }
    private var isAboutMeeting: Bool { notification.kind.isAboutMeeting }

    /// When it is to be sent, in UTC.
    public var due: Timestamp { Timestamp(content.row.due, reader: content.reader) }
    /// The key.
    public var key: String { content.key }
    /// What it is about.
    public var kind: String { notification.kind.rawValue }
    /// Whom it is for.
    public var to: Receiver {
        Receiver(name: content.name, address: content.address.isEmpty ? nil : content.address)
    }
    /// The meeting's id; `nil` for what is about none.
    public var meeting: String? { isAboutMeeting ? notification.meeting : nil }
    /// The date of a meeting that repeats, by its original start; `nil` for all else.
    public var occurrence: String? {
        isAboutMeeting && !notification.occurrence.isEmpty ? notification.occurrence : nil
    }
    /// The meeting's title; `nil` for what is about none.
    public var title: String? { isAboutMeeting ? content.title : nil }
    /// The way it goes.
    public var channel: String { content.row.key.channel }
    /// Where it stands.
    public var state: String { content.row.state.rawValue }
    /// When it would be sent by itself, where something else has a say in it; else `nil`.
    public var wanted: Timestamp? {
        content.row.hold.map { Timestamp($0.wanted, reader: content.reader) }
    }
    /// Why it stands there; empty when there is nothing to say.
    public var reason: String { content.row.reason }
    /// The title, with the day of the date that it is about: "Choir, Tue 8 December 2026".
    public var subject: String {
        Self.subject(content.title, of: notification, reader: content.reader)
    }

    /// Whether it comes before another one.
    func comes(before other: OutboxLine) -> Bool {
        let (left, right) = (content, other.content)
        guard left.row.due == right.row.due else { return left.row.due < right.row.due }
        return left.key < right.key
    }

    private enum CodingKeys: CodingKey {
        case due, key, kind, to, meeting, occurrence, title, channel, state, wanted, reason
    }

    /// Writes what is shown; `null` where there is nothing.
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
    /// The same as it is encoded, in a tenth of the time.
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
    /// A title, with the day of the date that a notification is about: a reminder says when that
    /// begins, all else how it is named.
    static func subject(_ title: String, of key: NotificationKey, reader: Zone) -> String {
        guard key.kind.isAboutMeeting else { return "" }
        let named = CalendarStamp(key.occurrence)?.day
        let start = key.mark.split(separator: "@").last.flatMap { try? Moment.parse(String($0)) }
        let isOfDate = key.kind == .reminder && !key.isSnooze && named != nil
        let day = (isOfDate ? start.map { reader.wallTime(at: $0).date } : nil) ?? named
        return day.map { "\(title), \(TimeWords.date($0))" } ?? title
    }
}
