import ArgumentParser
import Foundation
import Planning

/// Refuses options that are given more than once but take one value. The parser would keep the last
/// value and drop the others without a word.
enum RepeatedOptions {
    /// Refuses an option that is given more than once but takes one value. Flags may be repeated.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the call.
    ///   - command: the command that they name.
    /// - Throws: ``Refusal`` with `usage`, which names the option.
    static func check(
        _ arguments: [String], of command: any ParsableCommand.Type
    ) throws(Refusal) {
        let asksForHelp = arguments.contains { ["--help", "-h"].contains($0) }
        let typed = names(in: arguments)
        // Describing a command takes time, which only calls with a repeated name have to spend.
        guard !asksForHelp, hasRepetition(typed) else { return }
        for names in singleOptions(of: command) {
            let given = typed.filter(names.contains)
            if given.count > 1 { throw refusal(of: given) }
        }
    }

    /// The names of the options before `--`, without their values.
    private static func names(in arguments: [String]) -> [String] {
        arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { argument in
            String(argument.prefix { $0 != "=" })
        }
    }

    /// Second names of options that take one value, each with the first name.
    private static let synonyms = ["--length": "--duration"]

    private static func hasRepetition(_ names: [String]) -> Bool {
        Set(names.map { synonyms[$0] ?? $0 }).count < names.count
    }

    private static func refusal(of given: [String]) -> Refusal {
        let distinct = Set(given).sorted()
        let fault =
            distinct.count > 1
            ? "\(distinct.joined(separator: " and ")) are the same option, which takes one value."
                + " Give one of them."
            : "\(distinct.joined()) is given \(given.count == 2 ? "twice" : "\(given.count) times")"
                + ", but takes one value. Give it once."
        return Refusal(.invalid, code: "usage", fault)
    }

    /// The names of each option of a command that takes one value, as the parser describes them.
    private static func singleOptions(of command: any ParsableCommand.Type) -> [Set<String>] {
        let described = Data(command._dumpHelp().utf8)
        guard let help = try? JSONDecoder().decode(Help.self, from: described) else { return [] }
        return (help.command.arguments ?? []).filter { $0.kind == "option" && !$0.isRepeating }
            .map { argument in
                Set((argument.names ?? []).filter { $0.kind == "long" }.map { "--\($0.name)" })
            }
    }

    /// The parser's description of a command.
    private struct Help: Decodable {
        let command: Command

        struct Command: Decodable {
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            let kind: String
            let isRepeating: Bool
            let names: [Name]?
        }

        struct Name: Decodable {
            let kind: String
            let name: String
        }
    }
}
