/// A possible answer, and its label.
package struct Choice: Equatable, Sendable {
    /// The answer in an unambiguous form, such as an id.
    package let value: String
    /// The text that a person reads.
    package let label: String

    package init(value: String, label: String) {
        self.value = value
        self.label = label
    }
}

/// The choices and notes below a line while a person types it.
package struct Hints: Equatable, Sendable {
    /// The choices that match the typed text, the likeliest first.
    package var choices: [Choice] = []
    /// Notes about the typed text.
    package var notes: [String] = []

    package init(choices: [Choice] = [], notes: [String] = []) {
        self.choices = choices
        self.notes = notes
    }
}

/// A question to a person.
package struct Question: Sendable {
    /// The name of what is asked for, such as "Title".
    package var label: String
    /// The suggested answer, which an empty line means.
    package var text = ""
    /// True if the line starts with ``text``, which can be edited there. Otherwise ``text`` stands
    /// in brackets before the line, and an empty line means it.
    package var isEdited = false
    /// The initial content of the line in place of ``text``: a refused answer, to be corrected.
    package var draft: String?
    /// Choices that are shown before anything is typed. A person takes one by its number.
    package var offers: [Choice] = []
    /// Notes above the line, such as an error or the answers so far.
    package var notes: [String] = []
    /// Help on possible answers.
    package var help = ""
    /// The meaning of an empty answer, such as "no city"; empty if an answer is required.
    package var skipped = ""
    /// True if answers are collected, so that Backspace on an empty line removes the last one.
    package var isCollecting = false

    package init(
        label: String, text: String = "", isEdited: Bool = false, offers: [Choice] = [],
        notes: [String] = [], help: String = "", skipped: String = "", isCollecting: Bool = false
    ) {
        self.label = label
        self.text = text
        self.isEdited = isEdited
        self.offers = offers
        self.notes = notes
        self.help = help
        self.skipped = skipped
        self.isCollecting = isCollecting
    }

    /// The initial content of the line.
    package var line: String { draft ?? (isEdited ? text : "") }

    /// The text to type for an empty answer when a suggestion is shown in brackets.
    package static let nothing = "-"

    /// Help on possible answers and on how to give an empty one.
    ///
    /// - Parameter hasBrackets: whether the view shows ``text`` in brackets.
    /// - Returns: one line; empty if there is nothing to say.
    package func advice(hasBrackets: Bool) -> String {
        let way = hasBrackets ? (text.isEmpty ? "Enter" : Self.nothing) : "An empty line"
        // Rows are cut at the edge of the screen, so the less obvious part comes first.
        return [skipped.isEmpty ? "" : "\(way) means \(skipped)", help]
            .filter { !$0.isEmpty }.joined(separator: ". ")
    }
}

/// An answer to a question.
package enum Reply: Equatable, Sendable {
    /// The typed line.
    case text(String)
    /// One of the offers or hints.
    case choice(Choice)
    /// A request to remove the last answer.
    case takeBack
}

/// A way to ask a person questions, one after another.
package protocol Questioner {
    /// Asks until there is an answer.
    ///
    /// If the terminal can show hints, `hints` is called for each text in the line.
    mutating func ask(
        _ question: Question, hints: (_ text: String) async throws -> Hints
    ) async throws -> Reply
    /// Shows a message that stays on the screen.
    func say(_ text: String)
    /// Shows the name of a piece of work until the next question.
    func wait(for work: String)
}

extension Questioner {
    /// Asks a question without hints.
    package mutating func ask(_ question: Question) async throws -> Reply {
        try await ask(question) { _ in Hints() }
    }
}

/// The error when a person leaves before all questions are answered.
package enum Leaving: Error, Equatable {
    /// With Ctrl-C.
    case interrupted
    /// With a command to leave, with Ctrl-D, or because the input has ended.
    case ended

    /// The exit status of the command; after Ctrl-C the one that shells use.
    package var exitStatus: Int32 {
        switch self {
        case .interrupted: 130
        case .ended: 1
        }
    }
}
