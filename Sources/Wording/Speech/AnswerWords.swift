public import Agenda

/// Answers and counts of answers in words; in English unless another language is given.
public enum AnswerWords {
    /// The counts of answers, as in "3 going · 1 maybe · 2 haven't answered". People brought along
    /// count as going. Answers for an old time are counted apart: "2 not yet for the new time".
    public static func counts(_ turnout: Turnout, in language: Language = .english) -> String {
        let speech = language.speech
        var text = ""
        for answer in order {
            let count = turnout.answers[answer] + (answer == .going ? turnout.plus : 0)
            guard count > 0 else { continue }
            if !text.isEmpty { text += " · " }
            text += String(count)
            text += " "
            text += speech.word(answer, of: count)
        }
        guard turnout.outdated > 0 else { return text }
        let rest = "\(turnout.outdated) \(speech.outdated)"
        return text.isEmpty ? rest : "\(text) · \(rest)"
    }

    /// The English word for an answer, as in "going".
    public static func word(_ answer: Answer) -> String { EnglishSpeech().word(answer, of: 2) }

    /// An answer as the rest of a sentence after a name, as in "is coming".
    public static func sentence(_ answer: Answer, in language: Language = .english) -> String {
        language.speech.sentence(answer)
    }

    /// An answer as a sentence, as in "Anna is coming, plus 2."
    public static func line(_ answered: GuestAnswer, in language: Language = .english) -> String {
        language.speech.line(
            answered.name, answered.answer,
            plus: answered.answer == .declined ? 0 : answered.plus)
    }

    /// The news of a seat for the organizer as a sentence, as in "Anna joined, plus 2."
    ///
    /// - Parameters:
    ///   - notice: the news.
    ///   - name: the name of the person.
    ///   - plus: the number of people they bring.
    ///   - language: the language.
    /// - Returns: the sentence.
    public static func line(
        _ notice: SeatNotice.Kind, of name: String, plus: Int, in language: Language = .english
    ) -> String {
        language.speech.line(name, notice, plus: plus)
    }

    /// The order in which answers are counted: people who are going come first.
    private static let order: [Answer] = [.going, .maybe, .invited, .waiting, .declined]
}
