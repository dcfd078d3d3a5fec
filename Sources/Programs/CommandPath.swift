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
    /// because there is no such command.
    ///
    /// - Throws: ``Refusal`` with `usage`, for a word that can only be a command and is none.
    mutating func follow(_ arguments: [String]) throws(Refusal) {
        for word in arguments {
            guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                let names = commands.compactMap { $0.configuration.commandName }
                throw Refusal(
                    .invalid, code: "usage",
                    "There is no command \(text) \(word). There are: "
                        + "\(names.joined(separator: ", ")).")
            }
            text += " \(word)"
            commands = next.configuration.subcommands
        }
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
