public import Agenda

/// Counts of answers in words; in English where no other language is asked for.
public enum AnswerWords {
    /// "3 going · 1 maybe · 2 silent"; guests that people bring are added to those who come.
    public static func counts(_ turnout: Turnout, in language: Language = .english) -> String {
        let speech = language.speech
        var text = ""
        for answer in order {
            let count = turnout.answers[answer] + (answer == .going ? turnout.plus : 0)
            guard count > 0 else { continue }
            if !text.isEmpty { text += " · " }
            text += String(count)
            text += " "
            text += speech.word(answer)
        }
        return text
    }

    /// The word by which people know an answer.
    public static func word(_ answer: Answer) -> String { EnglishSpeech().word(answer) }

    /// What somebody said, as in "Anna comes".
    public static func sentence(_ answer: Answer, in language: Language = .english) -> String {
        language.speech.sentence(answer)
    }

    /// An answer in a line, as in "Anna comes, with 2 more."
    public static func line(_ answered: GuestAnswer, in language: Language = .english) -> String {
        language.speech.line(
            answered.name, answered.answer,
            plus: answered.answer == .declined ? 0 : answered.plus)
    }

    /// Those who come first.
    private static let order: [Answer] = [.going, .maybe, .invited, .waiting, .declined]
}
