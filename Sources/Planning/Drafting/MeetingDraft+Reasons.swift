import Agenda
import Timekeeping
import Wording

extension MeetingDraft {
    /// The facts that an edit changed, as the reason of the deliveries that it supersedes: "the
    /// start and the place changed".
    ///
    /// It is ``Planner/edited`` if only other facts changed.
    var changeReason: String {
        if let dateReason { return dateReason }
        let (old, new) = (before.meeting, meeting)
        let facts = [
            ("the title", old.title != new.title),
            ("the start", old.time.startsAt != new.time.startsAt),
            ("the length", old.time.duration != new.time.duration),
            ("the place", old.place != new.place),
            ("the repetition", old.series?.rule != new.series?.rule),
            ("the reminders", old.reminders != new.reminders),
            ("the time to answer by", old.answerBy != new.answerBy),
            ("the note", old.note != new.note), ("the link", old.link != new.link),
        ].filter(\.1).map(\.0)
        guard let last = facts.last else { return Planner.edited }
        let others = facts.dropLast().joined(separator: ", ")
        return (others.isEmpty ? last : "\(others) and \(last)") + " changed"
    }

    /// A reason that names the date of a series, if only one date is changed: "the start changed
    /// for the date Sun 20 December 2026". The date is the one of its original start.
    func naming(_ reason: String) -> String {
        guard !reason.isEmpty, let day = date.flatMap({ CalendarStamp($0.name)?.day }) else {
            return reason
        }
        return "\(reason) for the date \(TimeWords.date(day))"
    }
}
