import Timekeeping
import Wording

/// The repetitions that a form offers.
enum Repetitions {
    /// The value of the choice to type a repetition in words.
    static let inWords = "words"

    /// The value of each choice, which letsmeet reads as a repetition, and its phrase.
    private static func choices(_ words: PageWords) -> [(value: String, text: String)] {
        [
            ("", words("Never")), ("daily", words("Every day")), ("weekly", words("Every week")),
            ("every 2 weeks", words("Every two weeks")), ("monthly", words("Every month")),
            ("yearly", words("Every year")),
        ]
    }

    /// The value of the choice that means a rule; the rule itself if none does.
    static func value(of rule: String, from start: CivilDate) -> String {
        ["daily", "weekly", "every 2 weeks", "monthly", "yearly"].first { value in
            (try? RecurrenceRule(typed: value, from: start))?.description == rule
        } ?? rule
    }

    /// The choices of a form. A chosen repetition that is none of them is added.
    static func values(chosen: String, _ words: PageWords) -> [TemplateValues] {
        var choices = choices(words)
        if !choices.contains(where: { $0.value == chosen }) {
            let rule = try? RecurrenceRule(chosen)
            choices.append(
                (chosen, rule.map { TimeWords.repetition($0, in: words.language) } ?? chosen))
        }
        return choices.map { value, text in
            ["value": .text(value), "text": .text(text), "isChosen": .flag(value == chosen)]
        }
    }
}
