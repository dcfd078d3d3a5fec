/// Something that may be taken as an answer, and the words by which it is shown.
struct Choice: Equatable, Sendable {
    /// What is meant, in a form that no reader of it can mistake.
    let value: String
    /// What a person reads.
    let label: String
}

/// What is shown below a line while it is typed.
struct Hints: Equatable, Sendable {
    /// The choices that fit what was typed, the likeliest first.
    var choices: [Choice] = []
    /// What else there is to say of it.
    var notes: [String] = []
}

/// What somebody is asked.
struct Question: Sendable {
    /// What the answer is: "Title".
    var label: String
    /// What is meant where nothing is typed.
    var text = ""
    /// Whether ``text`` stands in the line itself, to be changed there: else it stands in brackets
    /// before the line, and an empty line means it.
    var isEdited = false
    /// What stands in the line at first, where that can be edited and is not ``text``: an answer
    /// that was refused, to be mended.
    var draft: String?
    /// Choices that are there before anything is typed; a number takes one.
    var offers: [Choice] = []
    /// What is shown above: what went wrong, or what there is already.
    var notes: [String] = []
    /// What an answer may be.
    var help = ""
    /// What an answer without words means: "no city"; empty where there has to be one.
    var skipped = ""
    /// Whether answers are collected, so that Backspace on an empty line takes the last one back.
    var isCollecting = false

    /// What stands in a line that can be edited.
    var line: String { draft ?? (isEdited ? text : "") }

    /// What is typed for an answer without words where a suggestion stands in brackets.
    static let nothing = "-"

    /// What an answer may be, and how to give none: where the view `hasBrackets`, ``text`` stands
    /// in them.
    func advice(hasBrackets: Bool) -> String {
        let way = hasBrackets ? (text.isEmpty ? "Enter" : Self.nothing) : "An empty line"
        // Rows are cut at the screen's edge: what cannot be guessed comes first.
        return [skipped.isEmpty ? "" : "\(way) means \(skipped)", help]
            .filter { !$0.isEmpty }.joined(separator: ". ")
    }
}

/// What somebody answered.
enum Reply: Equatable, Sendable {
    /// The line as it stands.
    case text(String)
    /// One of the offers or hints.
    case choice(Choice)
    /// The last answer shall be taken back.
    case takeBack
}

/// Asks a person questions, one after another.
protocol Questioner {
    /// Asks until there is an answer.
    ///
    /// `hints` is asked about each text that stands in the line, where there is a way to show
    /// what it answers.
    mutating func ask(
        _ question: Question, hints: (_ text: String) async throws -> Hints
    ) async throws -> Reply
    /// Says something that stays on the screen.
    func say(_ text: String)
    /// Says what takes a moment, until the next question.
    func wait(for work: String)
}

extension Questioner {
    /// Asks something for which there is nothing to show while it is typed.
    mutating func ask(_ question: Question) async throws -> Reply {
        try await ask(question) { _ in Hints() }
    }
}
