public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A meeting in the history of a person or a circle.
public struct ListedMeeting: Sendable {
    /// The meeting.
    public let id: MeetingID
    /// The title.
    public let title: String
    /// The start. For a series, that of its first date.
    public let startsAt: Moment
    /// The end. For a series, that of its last date.
    public let endsAt: Moment
    /// The length. For a series, that of each date.
    public let duration: TimeSpan
    /// The time zone.
    public let zone: String
    /// The status.
    public let status: MeetingStatus
    /// True if it repeats.
    public let isSeries: Bool
}

extension ListedMeeting {
    /// The columns of a meeting `m` that ``init(row:)`` reads.
    static let columns =
        "m.id, m.title, m.starts_at, m.ends_at, m.duration, m.zone, m.status, m.repetition"

    init(row: Row) throws {
        self.init(
            id: MeetingID(text: row["id"]), title: row["title"],
            startsAt: Moment(milliseconds: row["starts_at"]),
            endsAt: Moment(milliseconds: row["ends_at"]),
            duration: try StoredValue.read(row["duration"]) { try TimeSpan.parse($0) },
            zone: row["zone"],
            status: try StoredValue.decode(row["status"]), isSeries: row["repetition"] != nil)
    }
}
