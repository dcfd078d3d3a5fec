import Agenda
import Planning
import TextUI
import Wording

/// The text of an answer that was just saved.
enum AnswerText {
    /// The answer, the time at the place, and the note.
    static func lines(of guest: MeetingView.Guest, to meeting: MeetingView) -> [String] {
        var lines = ["\(Style.bold(sentence(on: guest, to: meeting)))."]
        if let there = meeting.whenThere { lines.append("local time \(there)") }
        if !guest.note.isEmpty { lines.append("\"\(Table.line(guest.note))\"") }
        return lines
    }

    /// "Anna and 2 others are going to Lunch on Sat 5 December 2026, 12:00–13:00
    /// (Europe/Helsinki)".
    static func sentence(on guest: MeetingView.Guest, to meeting: MeetingView) -> String {
        // An answer that somebody else entered is shown under the name of its person.
        let name = guest.byOther ? guest.name : "You"
        let comes = guest.answer != .declined
        let others = comes && guest.plus > 0 ? " and \(TimeWords.count(guest.plus, "other"))" : ""
        let isOne = guest.byOther && others.isEmpty
        let deed =
            switch guest.answer {
            case .going: "\(isOne ? "is" : "are") going to"
            case .maybe: "may come to"
            case .declined: "\(isOne ? "is" : "are") not coming to"
            case .waiting: "\(isOne ? "is" : "are") on the waiting list for"
            case .invited: "\(isOne ? "has" : "have") not answered the invitation to"
            }
        return "\(name)\(others) \(deed) \(titleAndTime(of: meeting))"
    }

    /// "Lunch on Sat 5 December 2026, 12:00–13:00 (Europe/Helsinki)", or for all dates of a series
    /// "Lunch, every week, from Sat 5 December 2026, 12:00–13:00 (Europe/Helsinki)".
    static func titleAndTime(of meeting: MeetingView) -> String {
        let isForAll = meeting.occurrence == nil ? meeting.repetition : nil
        return meeting.title
            + (isForAll.map { ", \($0), from \(meeting.when)" } ?? " on \(meeting.when)")
    }
}
