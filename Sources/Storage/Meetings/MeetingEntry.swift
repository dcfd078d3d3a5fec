public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// An entry of a meeting's history, as it is read: an action, and the facts from then on.
public struct MeetingEntry: Equatable, Sendable {
    /// The kind of action.
    public let deed: MeetingAct.Deed
    /// The name of the person who did it.
    public let actor: String
    /// The time of the action.
    public let at: Moment
    /// True if nobody was notified.
    public let isQuiet: Bool
    /// The date of a series, by its original start; empty for the whole meeting.
    public let occurrence: String
    /// The title.
    public let title: String
    /// The text of the place; `nil` if it was not decided.
    public let place: String?
    /// The start.
    public let startsAt: Moment
    /// The end.
    public let endsAt: Moment
    /// The repetition as an RRULE; `nil` for a meeting that does not repeat.
    public let repetition: String?
}

extension MeetingEntry {
    fileprivate init?(row: Row) {
        guard let deed = MeetingAct.Deed(rawValue: row["act"]) else { return nil }
        self.init(
            deed: deed, actor: row["name"], at: Moment(milliseconds: row["at"]),
            isQuiet: row["is_quiet"], occurrence: row["occurrence"], title: row["title"],
            place: row["place_text"], startsAt: Moment(milliseconds: row["starts_at"]),
            endsAt: Moment(milliseconds: row["ends_at"]), repetition: row["repetition"])
    }
}

extension Store {
    /// The history of a meeting, the oldest entry first.
    ///
    /// - Parameters:
    ///   - meeting: the meeting.
    ///   - limit: the most entries; of more, the newest.
    /// - Returns: the entries.
    /// - Throws: ``StoreError``.
    public func history(of meeting: MeetingID, limit: Int) async throws -> [MeetingEntry] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT h.*, p.name FROM meeting_history h JOIN person p ON p.id = h.actor_id
                        WHERE h.meeting_id = :id ORDER BY h.number DESC LIMIT :limit
                        """), arguments: ["id": meeting.text, "limit": limit]
            ).compactMap { MeetingEntry(row: $0) }.reversed()
        }
    }
}
