public import Agenda

/// Counts of answers in words.
public enum AnswerWords {
    /// "3 going · 1 maybe · 2 silent"; guests that people bring are added to those who come.
    public static func counts(_ answers: AnswerCounts, plus: Int) -> String {
        var text = ""
        for answer in order {
            let count = answers[answer] + (answer == .going ? plus : 0)
            guard count > 0 else { continue }
            if !text.isEmpty { text += " · " }
            text += String(count)
            text += " "
            text += word(answer)
        }
        return text
    }

    /// The counts of these participants.
    public static func counts(of participants: [Participant]) -> String {
        let present = participants.filter { !$0.isRemoved }
        let plus = present.filter { $0.answer == .going }.reduce(0) { $0 + $1.plus }
        return counts(AnswerCounts(of: present.map(\.answer)), plus: plus)
    }

    /// The word by which people know an answer.
    public static func word(_ answer: Answer) -> String {
        switch answer {
        case .invited: "silent"
        case .going: "going"
        case .maybe: "maybe"
        case .declined: "declined"
        case .waiting: "waiting"
        }
    }

    /// Those who come first.
    private static let order: [Answer] = [.going, .maybe, .invited, .waiting, .declined]
}
