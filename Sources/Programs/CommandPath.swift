import ArgumentParser
import Planning
import Timekeeping

/// The path of nested commands in a call.
struct CommandPath {
    /// The commands as typed: `letsmeet meeting new`.
    private var text: String
    /// The last command of the path.
    private(set) var last: any ParsableCommand.Type
    /// The subcommands of the last command; empty if it has none.
    private var commands: [any ParsableCommand.Type]
    /// The commands to suggest in place of unknown ones.
    private let otherWords: [String: String]

    /// Makes a path that contains only the program.
    init(of program: any Program.Type) {
        text = program.configuration.commandName ?? ""
        last = program
        commands = program.configuration.subcommands
        otherWords = program.otherWords
    }

    /// The advice that leads to the help of the command.
    var advice: String { "See: \(text) --help" }

    /// The first example in the help of the command; `nil` if there is none.
    var example: String? {
        let lines = last.configuration.discussion.split(separator: "\n")
        return lines.first { $0.hasPrefix(Self.exampleMark) }.map {
            "Example: \($0.dropFirst(Self.exampleMark.count))"
        }
    }

    private static let exampleMark = "EXAMPLE: "

    /// Follows the arguments to the command that they name.
    ///
    /// Without this check, the parser would complain about an option when the real fault is that
    /// the command does not exist or that none is named.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the call.
    ///   - leading: the options of every command; without a command they are a usage error.
    /// - Throws: ``Refusal`` with `usage` for an unknown command, and for options without a
    ///   command.
    mutating func follow(_ arguments: [String], leading: LeadingOptions) throws(Refusal) {
        for (place, word) in arguments.enumerated() where word != "help" {
            guard !commands.isEmpty else { return }
            guard !word.hasPrefix("-") else {
                let asksForHelp = arguments.contains { ["--help", "-h", "--version"].contains($0) }
                guard leading.hold(word), !asksForHelp,
                    last.configuration.defaultSubcommand == nil
                else { return }
                throw refusal("\(text) needs the name of a command")
            }
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
                throw unknown(word, before: arguments.dropFirst(place + 1).first)
            }
            text += " \(word)"
            last = next
            commands = next.configuration.subcommands
        }
    }

    /// Commands that may have been meant by a word: the one listed in ``otherWords``, with the next
    /// word if this is one of its subcommands; otherwise those that have a subcommand of this name.
    private func near(_ word: String, before next: String? = nil) -> [String] {
        if let other = otherWords["\(text) \(word)"] {
            return [next.map { extended(other, by: $0) } ?? other]
        }
        let elsewhere = commands.map { $0.configuration }.filter { command in
            command.subcommands.contains { $0.configuration.commandName == word }
        }
        return elsewhere.map { "\(text) \($0.commandName ?? "") \(word)" }
    }

    /// A command with its subcommand of this name; the command alone if it has none.
    private func extended(_ path: String, by word: String) -> String {
        let command = commands.first { path == "\(text) \($0.configuration.commandName ?? "")" }
        let subcommands = command?.configuration.subcommands ?? []
        return subcommands.contains { $0.configuration.commandName == word }
            ? "\(path) \(word)" : path
    }

    /// The commands whose names are spelled most like a word.
    private func alike(_ word: String) -> [String] {
        let configurations = commands.map { $0.configuration }
        let own = configurations.compactMap(\.commandName)
        let others = otherWords.keys.filter { $0.hasPrefix("\(text) ") }.map {
            String($0.dropFirst(text.count + 1))
        }
        let inner = configurations.flatMap(\.subcommands).compactMap {
            $0.configuration.commandName
        }
        var spelling = Spelling(of: word.lowercased())
        let found = Set(own + others + inner).sorted().compactMap { name in
            spelling.distance(to: name.utf8).map { (name, $0) }
        }
        let least = found.map(\.1).min()
        return found.filter { $0.1 == least }.flatMap { name, _ in
            own.contains(name) ? ["\(text) \(name)"] : near(name)
        }
    }

    /// The most commands that are suggested for one word.
    private static let nearMax = 4

    private func unknown(_ word: String, before next: String?) -> Refusal {
        let meant = near(word, before: next)
        return refusal(
            "There is no command \(text) \(word)", near: meant.isEmpty ? alike(word) : meant)
    }

    private func refusal(_ reason: String, near: [String] = []) -> Refusal {
        let names = commands.compactMap { $0.configuration.commandName }
        let advice =
            near.isEmpty
            ? "The commands are: \(names.joined(separator: ", "))."
            : "Did you mean: \(near.prefix(Self.nearMax).joined(separator: ", "))?"
        return Refusal(.invalid, code: "usage", "\(reason). \(advice)")
    }
}

/// Turns errors of the argument parser into the form that all refusals have.
enum UsageText {
    /// The parser's message as one sentence in one line: without the usage text below it, and with
    /// advice about quotes if several words may be one name.
    static func sentence(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        guard let last = words.last else { return words }
        let sentence = ".?!".contains(last) ? words : words + "."
        let isOneWordTooMany = words.contains("nexpected argument") && !words.contains("'-")
        return isOneWordTooMany ? "\(sentence) \(quotingAdvice)" : sentence
    }

    /// A help text in which the line with the usage is broken between arguments. The parser breaks
    /// all other lines itself.
    static func breakingUsage(in help: String) -> String {
        help.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { $0.hasPrefix("USAGE: ") ? broken($0) : [String($0)] }
            .joined(separator: "\n")
    }

    /// The most columns of a line of the usage.
    private static let columnsMax = 80

    private static func broken(_ usage: Substring) -> [String] {
        let indent = String(repeating: " ", count: "USAGE: ".count)
        return argumentParts(of: usage).reduce(into: []) { lines, part in
            if let last = lines.last, last.count + 1 + part.count <= columnsMax {
                lines[lines.count - 1] = "\(last) \(part)"
            } else {
                lines.append(lines.isEmpty ? part : indent + part)
            }
        }
    }

    /// The words of a usage, where an option stays together with its value.
    private static func argumentParts(of usage: Substring) -> [String] {
        usage.split(separator: " ").reduce(into: []) { parts, word in
            let last = parts.last ?? ""
            let isOpen = last.hasPrefix("[") && !last.hasSuffix("]")
            let isValue = last.hasPrefix("--") && !last.contains(" ") && word.hasPrefix("<")
            if isOpen || isValue || word == "..." {
                parts[parts.count - 1] = "\(last) \(word)"
            } else {
                parts.append(String(word))
            }
        }
    }

    private static let quotingAdvice = "Put a name of several words in quotes."
}
