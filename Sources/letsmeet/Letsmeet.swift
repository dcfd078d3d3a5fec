import ArgumentParser
import Foundation
import Planning

/// The command line.
@main
struct Letsmeet: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "letsmeet",
        abstract: "Plan real meetings of real people, and make sure that nobody misses one.",
        discussion: """
            EXAMPLE: letsmeet meeting new "Board games" --with anna,ben --place "Café Engel" \
            --start "fri 19:00"
            """,
        version: "letsmeet \(version)",
        subcommands: [
            SetupCommand.self, PeopleCommand.self, CircleCommand.self, PlaceCommand.self,
            MeetingCommand.self, RsvpCommand.self, NudgeCommand.self, MessageCommand.self,
            WhyCommand.self, OutboxCommand.self, LedgerCommand.self, RemindCommand.self,
            TodayCommand.self, ConfigCommand.self, DoctorCommand.self, BackupCommand.self,
            RestoreCommand.self, DemoCommand.self, VersionCommand.self,
        ])

    /// Runs the command that the arguments name. Every error is said once, in one form, and ends
    /// with the status that its refusal has.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(arguments)
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
        if let leaving = error as? Leaving {
            Terminal.say("Nothing was saved.")
            Foundation.exit(leaving.exitStatus)
        }
        let kind = exitCode(for: error)
        if kind == .success {
            Terminal.answer(fullMessage(for: error))
            Foundation.exit(0)
        }
        let isUsage = kind == .validationFailure
        let refusal =
            isUsage
            ? Refusal(.invalid, code: "usage", message(for: error)) : Refusal(error)
        if asJSON, let text = try? JSONText.of(refusal.answer) {
            Terminal.answer(text)
        } else {
            Terminal.say(isUsage ? fullMessage(for: error) : refusal.text)
        }
        Foundation.exit(refusal.category.exitStatus)
    }
}

extension Refusal {
    /// The refusal as a person reads it.
    var text: String {
        (["letsmeet: \(message)"] + candidates.map { "  \($0.label)" }).joined(separator: "\n")
    }
}
