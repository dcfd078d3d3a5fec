import Agenda
import Planning
import Wording

/// An answer that was just noted, in words.
enum AnswerText {
    /// What was answered, and what was said with it.
    static func lines(of guest: MeetingView.Guest, to meeting: MeetingView) -> [String] {
        var lines = ["\(Style.bold(sentence(on: guest, to: meeting)))."]
        if let there = meeting.whenThere { lines.append("there \(there)") }
        if !guest.note.isEmpty { lines.append("\"\(Table.line(guest.note))\"") }
        return lines
    }

    /// "Anna and 2 others are going to Lunch on Sat 5 December 2026, 12:00–13:00
    /// (Europe/Helsinki)".
    static func sentence(on guest: MeetingView.Guest, to meeting: MeetingView) -> String {
        // Whoever notes another's answer is not the one who gave it.
        let name = guest.byOther ? guest.name : "You"
        let comes = guest.answer != Answer.declined.rawValue
        let others = comes && guest.plus > 0 ? " and \(TimeWords.count(guest.plus, "other"))" : ""
        let isOne = guest.byOther && others.isEmpty
        let deed =
            switch Answer(rawValue: guest.answer) {
            case .going: "\(isOne ? "is" : "are") going to"
            case .maybe: "may come to"
            case .declined: "\(isOne ? "is" : "are") not coming to"
            case .waiting: "\(isOne ? "waits" : "wait") for a seat in"
            case .invited, nil: "\(isOne ? "has" : "have") not answered for"
            }
        let isForAll = meeting.occurrence == nil ? meeting.repetition : nil
        return "\(name)\(others) \(deed) \(meeting.title)"
            + (isForAll.map { ", \($0), from \(meeting.when)" } ?? " on \(meeting.when)")
    }
}
