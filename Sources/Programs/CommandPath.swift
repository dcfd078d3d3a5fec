import ArgumentParser
import Planning

/// The commands that a call names, one inside the other.
struct CommandPath {
    /// As they are typed: `letsmeet meeting new`.
    private var text: String
    /// Those inside the last of them; empty where it is one that does something.
    private var commands: [any ParsableCommand.Type]

    /// Only the program.
    init(of program: any ParsableCommand.Type) {
        text = program.configuration.commandName ?? ""
        commands = program.configuration.subcommands
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
                throw refusal("There is no command \(text) \(word)")
            }
            text += " \(word)"
            commands = next.configuration.subcommands
        }
    }

    private func refusal(_ reason: String) -> Refusal {
        let names = commands.compactMap { $0.configuration.commandName }
        return Refusal(
            .invalid, code: "usage", "\(reason). There are: \(names.joined(separator: ", ")).")
    }
}

/// What is wrong with a call, in the form that all refusals have.
enum UsageText {
    /// What the parser of arguments says, as a sentence in one line: without the usage that it
    /// may show below.
    static func sentence(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        guard let last = words.last, !".?!".contains(last) else { return words }
        return words + "."
    }
}
