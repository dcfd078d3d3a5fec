import ArgumentParser
import Daemon
import Foundation
import Planning
import Settings

/// The daemon.
@main
struct Letsmeetd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "letsmeetd",
        abstract: "Deliver what letsmeet has planned, in time.",
        discussion: "EXAMPLE: letsmeetd run",
        subcommands: [RunCommand.self, OnceCommand.self, CheckCommand.self, SimulateCommand.self])

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(DaemonOptions.leading.movedBehind(arguments))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error, asJSON: arguments.contains("--json"))
        }
    }

    private static func end(with error: any Error, asJSON: Bool) -> Never {
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        let kind = exitCode(for: error)
        if kind == .success {
            say(fullMessage(for: error), to: .standardOutput)
            Foundation.exit(0)
        }
        let isUsage = kind == .validationFailure
        let refusal =
            isUsage ? Refusal(.invalid, code: "usage", message(for: error)) : Refusal(error)
        if asJSON, let text = try? JSONText.of(refusal.answer) {
            say(text, to: .standardOutput)
        } else {
            say(
                isUsage ? fullMessage(for: error) : "letsmeetd: \(refusal.message)",
                to: .standardError)
        }
        Foundation.exit(refusal.category.exitStatus)
    }

    /// Writes a line in one go.
    static func say(_ text: String, to file: FileHandle) {
        file.write(Data("\(text)\n".utf8))
    }
}
