import Agenda
import GRDB
import Ledger
import Timekeeping

extension MeetingAct {
    func append(to meeting: Meeting, in db: Database) throws {
        let entry = PastFacts.Entry(self, on: meeting)
        let allEndAt = meeting.endsAt
        let meeting = date.map(meeting.on) ?? meeting
        try db.cachedStatement(
            sql: """
                INSERT INTO meeting_history (
                    meeting_id, number, at, actor_id, act, is_quiet, revision, title, place_text,
                    start_wall, zone, duration, starts_at, ends_at, occurrence,
                    repetition, all_end_at, whole_digest, facts_digest, is_announced,
                    tells_texts)
                VALUES (?, (
                        SELECT coalesce(max(number), 0) + 1 FROM meeting_history
                        WHERE meeting_id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                    ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                meeting.id.text, meeting.id.text, at.milliseconds, actor.text, deed.rawValue,
                isQuiet,
                entry.revision, meeting.title, meeting.place?.text,
                meeting.time.start.description, meeting.time.zone, meeting.time.duration.iso,
                meeting.time.startsAt.milliseconds, meeting.time.endsAt.milliseconds,
                entry.date, meeting.series?.rule.description, allEndAt.milliseconds,
                entry.whole, entry.facts, entry.isAnnounced, entry.tellsTexts,
            ])
    }
}
