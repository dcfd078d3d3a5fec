import ArgumentParser
import Planning

/// The commands that a call names, one inside the other.
struct CommandPath {
    /// As they are typed: `letsmeet meeting new`.
    private var text: String
    /// Those inside the last of them; empty where it is one that does something.
    private var commands: [any ParsableCommand.Type]
    /// What to type in place of commands that there are not.
    private let otherWords: [String: String]

    /// Only the program.
    init(of program: any Program.Type) {
        text = program.configuration.commandName ?? ""
        commands = program.configuration.subcommands
        otherWords = program.otherWords
    }

    /// Where to read how the command is called.
    var advice: String { "See: \(text) --help" }

    /// Follows the arguments down to the command that they name.
    ///
    /// The parser would complain of an option, and not of the command that has no such option
    /// because there is no such command, or because none is named.
    ///
    /// - Parameters:
    ///   - arguments: the call.
    ///   - leading: the options of every command, which can do nothing without one.
    /// - Throws: ``Refusal`` with `usage`, for a word that can only be a command and is none, and
    ///   for options without a command.
    mutating func follow(_ arguments: [String], leading: LeadingOptions) throws(Refusal) {
        for word in arguments where word != "help" {
            guard !commands.isEmpty else { return }
            guard !word.hasPrefix("-") else {
                let asksForHelp = arguments.contains { ["--help", "-h", "--version"].contains($0) }
                guard leading.hold(word), !asksForHelp else { return }
                throw refusal("\(text) wants the name of a command")
            }
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                throw refusal("There is no command \(text) \(word)", near: near(word))
            }
            text += " \(word)"
            commands = next.configuration.subcommands
        }
    }

    /// Commands that somebody may have meant by a word: the one that does the same, else those of
    /// this name one level below.
    private func near(_ word: String) -> [String] {
        if let other = otherWords["\(text) \(word)"] { return [other] }
        return commands.map { $0.configuration }.filter { command in
            command.subcommands.contains { $0.configuration.commandName == word }
        }.map { "\(text) \($0.commandName ?? "") \(word)" }
    }

    private func refusal(_ reason: String, near: [String] = []) -> Refusal {
        let names = commands.compactMap { $0.configuration.commandName }
        let advice = near.isEmpty ? "" : " Did you mean: \(near.joined(separator: ", "))?"
        return Refusal(
            .invalid, code: "usage",
            "\(reason).\(advice) There are: \(names.joined(separator: ", ")).")
    }
}

/// What is wrong with a call, in the form that all refusals have.
enum UsageText {
    /// What the parser of arguments says, as a sentence in one line: without the usage that it
    /// may show below, and with advice where words were perhaps one name.
    static func sentence(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        guard let last = words.last else { return words }
        let sentence = ".?!".contains(last) ? words : words + "."
        let isOneWordTooMany = words.contains("nexpected argument") && !words.contains("'-")
        return isOneWordTooMany ? "\(sentence) \(quotingAdvice)" : sentence
    }

    private static let quotingAdvice = "Put a name of several words in quotes."
}
