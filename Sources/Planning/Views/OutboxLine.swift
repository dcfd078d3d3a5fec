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

    /// When it is to be sent, in UTC.
    public let due: Timestamp
    /// The key.
    public let key: String
    /// What it is about.
    public let kind: String
    /// Whom it is for.
    public let to: Receiver
    /// The meeting's id; `null` for what is about none.
    @Null public var meeting: String?
    /// The date of a meeting that repeats, by its original start; `null` for all else.
    @Null public var occurrence: String?
    /// The meeting's title; `null` for what is about none.
    @Null public var title: String?
    /// The way it goes.
    public let channel: String
    /// Where it stands.
    public let state: String
    /// When it would be sent by itself, where something else has a say in it; else `null`.
    @Null public var wanted: Timestamp?
    /// Why it stands there; empty when there is nothing to say.
    public let reason: String
    /// The title, with the day of the date that it is about: "Choir, Tue 8 December 2026".
    public let subject: String

    private enum CodingKeys: CodingKey {
        case due, key, kind, to, meeting, occurrence, title, channel, state, wanted, reason
    }

    init(_ record: DeliveryRecord, reader: Zone) {
        self.init(
            record.row, name: record.personName, address: record.personAddress,
            title: record.meetingTitle, reader: reader)
    }

    /// Describes a row, with its receiver's name and mail address and its meeting's title.
    init(_ row: LedgerRow, name: String, address: String, title: String, reader: Zone) {
        let key = row.key
        let address = key.address.isEmpty ? address : key.address
        due = Timestamp(row.due, reader: reader)
        self.key = row.name
        kind = key.notification.kind.rawValue
        to = Receiver(name: name, address: address.isEmpty ? nil : address)
        if key.notification.kind.isAboutMeeting {
            meeting = key.notification.meeting
            self.title = title
            occurrence = key.notification.occurrence.isEmpty ? nil : key.notification.occurrence
        }
        channel = key.channel
        state = row.state.rawValue
        wanted = row.hold.map { Timestamp($0.wanted, reader: reader) }
        reason = row.reason
        subject = Self.subject(title, of: key.notification, reader: reader)
    }
}

extension OutboxLine: JSONLine {
    /// The same as it is encoded, in a tenth of the time.
    public var json: JSONObjectText {
        var receiver = JSONObjectText()
        receiver.add("address", to.address)
        receiver.add("name", to.name)
        var line = JSONObjectText()
        line.add("channel", channel)
        line.add("due", due.text)
        line.add("key", key)
        line.add("kind", kind)
        line.add("meeting", meeting)
        line.add("occurrence", occurrence)
        line.add("reason", reason)
        line.add("state", state)
        line.add("title", title)
        line.add("to", receiver)
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
