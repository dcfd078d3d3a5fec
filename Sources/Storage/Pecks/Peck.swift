public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A notification as its person sees it in the inbox on the pages: read or unread, snoozed or not.
/// It stands there once, however many channels brought it.
public struct Peck: Equatable, Sendable {
    /// The key of the delivery that brought it first. It names the notification in the inbox.
    public let key: String
    /// The number of the row, for the order of rows of the same time.
    let number: Int64
    /// The meeting; `nil` for a notification that is about none.
    public let meeting: MeetingID?
    /// The original start of one date of a series; empty for the whole meeting.
    public let occurrence: String
    /// The kind of the notification.
    public let kind: NotificationKind
    /// The mark of the notification.
    public let mark: String
    /// The title of the meeting when the notification was sent.
    public let title: String
    /// The time at which it came, or at which its snooze ends.
    public let shownAt: Moment
    /// The time at which it was read; `nil` if it is unread.
    public let readAt: Moment?
    /// The end of its snooze; `nil` if it was never snoozed.
    public let snoozedUntil: Moment?
    /// True if the person may see the meeting, or the date, as it is now.
    public let isVisible: Bool
    /// True if it asks for an answer, and the meeting still waits for that answer.
    public let awaitsAnswer: Bool

    /// The position behind this notification, for the next page of a list.
    public var cursor: Cursor { Cursor(shownAt: shownAt, number: number) }

    /// A position in an inbox.
    public struct Cursor: Equatable, Sendable {
        let shownAt: Moment
        let number: Int64

        /// The position as text, such as `1764576000000-17`.
        public var text: String { "\(shownAt.milliseconds)-\(number)" }

        fileprivate init(shownAt: Moment, number: Int64) {
            (self.shownAt, self.number) = (shownAt, number)
        }

        /// Reads a position; `nil` for other texts.
        public init?(text: String) {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
                .map { Int64($0) }
            guard parts.count == 2, let time = parts[0], let number = parts[1] else { return nil }
            self.init(shownAt: Moment(milliseconds: time), number: number)
        }
    }
}

/// The part of an inbox to read.
public struct PeckFilter: Sendable {
    /// The parts of an inbox.
    public enum Part: Sendable {
        /// Everything that is not snoozed.
        case all
        /// What is unread and not snoozed.
        case unread
        /// What is snoozed.
        case snoozed
    }

    /// The part.
    public var part = Part.all
    /// The position behind which to begin; `nil` for the beginning.
    public var after: Peck.Cursor?
    /// The beginning of the key; empty for any.
    public var keyPrefix = ""
    /// The most notifications to return.
    public var limit: Int

    /// Creates a filter for everything that is not snoozed, up to `limit` notifications.
    public init(limit: Int) {
        self.limit = limit
    }
}

extension Peck {
    init(row: Row) throws {
        self.init(
            key: row["key"], number: row["number"],
            meeting: (row["meeting_id"] as String?).map { MeetingID(text: $0) },
            occurrence: row["occurrence"], kind: try StoredValue.decode(row["kind"]),
            mark: row["mark"], title: row["title"],
            shownAt: Moment(milliseconds: row["shown_at"]),
            readAt: (row["read_at"] as Int64?).map(Moment.init(milliseconds:)),
            snoozedUntil: (row["snoozed_until"] as Int64?).map(Moment.init(milliseconds:)),
            isVisible: row["is_visible"], awaitsAnswer: row["awaits_answer"])
    }
}
