import Agenda
import GRDB
import Ledger
import Timekeeping

/// Writes the news of open meetings, in the transactions that change the meetings.
extension MeetingRevision {
    /// Records the news that this revision is for feeds.
    ///
    /// - Parameters:
    ///   - before: the meeting before; `nil` for a new one.
    ///   - db: the database.
    /// - Throws: an error of SQLite.
    func noteOpenNews(after before: MeetingBundle?, in db: Database) throws {
        guard let seating = meeting.seating else { return }
        let kind = OpenNews.kind(
            from: before.map { ($0.meeting, $0.participants.seatsTaken) },
            to: (meeting, participants.seatsTaken))
        let isPublic = seating.audience == .everyone
        if let kind {
            try save(OpenNews(kind, at: now), isEnd: false, isPublic, in: db)
        }
        guard kind != nil || before?.meeting.seating?.audience != seating.audience else { return }
        if kind != nil {
            try save(OpenNews(.over, at: meeting.endsAt), isEnd: true, isPublic, in: db)
        }
        try db.cachedStatement(
            sql: "UPDATE open_news SET is_public = :public WHERE meeting_id = :meeting"
        ).execute(arguments: ["public": isPublic, "meeting": meeting.id.text])
    }

    private func save(
        _ news: OpenNews, isEnd: Bool, _ isPublic: Bool, in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO open_news (meeting_id, is_end, organizer_id, kind, at, is_public)
                VALUES (:meeting, :end, :organizer, :kind, :at, :public)
                ON CONFLICT (meeting_id, is_end) DO UPDATE SET
                    kind = excluded.kind, at = excluded.at, is_public = excluded.is_public
                """
        ).execute(arguments: [
            "meeting": meeting.id.text, "end": isEnd, "organizer": meeting.organizer.text,
            "kind": news.kind.rawValue, "at": news.at.milliseconds, "public": isPublic,
        ])
    }
}
