import Agenda

extension MeetingDraft {
    /// The facts that an edit changed, as the reason of the deliveries that it supersedes: "the
    /// start and the place changed". A date of a series that was changed alone is named as such.
    ///
    /// It is ``Planner/edited`` if only other facts changed.
    var changeReason: String {
        guard date == nil else { return "a date of the series changed" }
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
}
