public import Ledger
import Storage
import Timekeeping

/// A notification in the inbox of the actor.
public struct PeckView: Encodable, Sendable {
    /// The id: the key of the delivery that brought it first.
    public let id: String
    /// The kind.
    public let kind: NotificationKind
    /// The meeting; `null` if the actor may not see it any more.
    @Null public var meeting: String?
    /// The original start of one date of a series; `null` for the whole meeting.
    @Null public var occurrence: String?
    /// The title of the meeting when the notification was sent; the subject of one that is about no
    /// meeting.
    public let title: String
    /// The time at which it came, in UTC; of a snooze, its end.
    public let at: Timestamp
    /// True if it was read.
    public let isRead: Bool
    /// The end of its snooze; `null` unless it is snoozed now.
    @Null public var snoozedUntil: Timestamp?
    /// True if the meeting waits for the answer of the actor.
    public let awaitsAnswer: Bool

    private enum CodingKeys: String, CodingKey {
        case id, kind, meeting, occurrence, title, at
        case isRead = "read"
        case snoozedUntil = "snoozed_until"
        case awaitsAnswer = "awaits_answer"
    }

    init(_ peck: Peck, now: Moment, reader: Zone) {
        id = peck.key
        kind = peck.kind
        title = peck.title
        at = Timestamp(peck.shownAt, reader: reader)
        isRead = peck.readAt != nil
        awaitsAnswer = peck.isVisible && peck.awaitsAnswer
        meeting = peck.isVisible ? peck.meeting?.text : nil
        occurrence = peck.occurrence.isEmpty ? nil : peck.occurrence
        snoozedUntil = peck.snoozedUntil.flatMap { $0 > now ? Timestamp($0, reader: reader) : nil }
    }
}

/// A part of the inbox of the actor, the newest first.
public struct PeckList: Encodable, Sendable {
    /// The notifications.
    public let pecks: [PeckView]
    /// The number of unread notifications in the whole inbox, up to 100.
    public let unread: Int
    /// The position at which the list goes on; `null` at its end.
    @Null public var next: String?
}

/// The result of marking notifications as read.
public struct PeckReading: Encodable, Sendable {
    /// The number of notifications that were unread before.
    public let read: Int
    /// The number of unread notifications that are left, up to 100.
    public let unread: Int
}
