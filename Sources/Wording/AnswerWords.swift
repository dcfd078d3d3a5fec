public import Agenda

/// Counts of answers in words.
public enum AnswerWords {
    /// "3 going · 1 maybe · 2 silent"; guests that people bring are added to those who come.
    public static func counts(_ turnout: Turnout) -> String {
        var text = ""
        for answer in order {
            let count = turnout.answers[answer] + (answer == .going ? turnout.plus : 0)
            guard count > 0 else { continue }
            if !text.isEmpty { text += " · " }
            text += String(count)
            text += " "
            text += word(answer)
        }
        return text
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

    /// What somebody said, as in "Anna comes".
    public static func sentence(_ answer: Answer) -> String {
        switch answer {
        case .invited: "has not answered"
        case .going: "comes"
        case .maybe: "may come"
        case .declined: "does not come"
        case .waiting: "waits for a place"
        }
    }

    /// An answer in a line, as in "Anna comes, with 2 more."
    public static func line(_ answered: GuestAnswer) -> String {
        let more = answered.answer != .declined && answered.plus > 0
        return "\(answered.name) \(sentence(answered.answer))"
            + (more ? ", with \(answered.plus) more." : ".")
    }

    /// Those who come first.
    private static let order: [Answer] = [.going, .maybe, .invited, .waiting, .declined]
}
