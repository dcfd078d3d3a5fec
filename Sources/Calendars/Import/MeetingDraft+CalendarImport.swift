import Agenda
import Planning
import Timekeeping

extension MeetingDraft {
    /// Copies the content of a meeting that was read from a calendar file.
    ///
    /// - Parameters:
    ///   - read: the meeting.
    ///   - zone: the rules of its time zone.
    mutating func take(_ read: Meeting, in zone: Zone) {
        if let rule = read.series?.rule, meeting.series != nil {
            // The answers to single dates move along.
            reschedule(read.time, by: rule, in: zone)
        }
        meeting.title = read.title
        meeting.note = read.note
        meeting.link = read.link
        meeting.place = read.place
        meeting.time = read.time
        meeting.status = read.status
        meeting.reminders = read.reminders
        meeting.sequence = max(meeting.sequence, read.sequence)
        meeting.series = read.series
        meeting.series?.revision = meeting.revision
        meeting.series?.datesRevision = meeting.revision
        for name in (read.series?.changes ?? [:]).keys {
            meeting.series?.changes[name]?.revision = meeting.revision
        }
    }
}
