import ArgumentParser
import Foundation
import Planning
import Programs
import Settings
import TextUI

/// The command-line program.
@main
struct Letsmeet: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeet",
        abstract: "Plan meetings with real people, and make sure nobody misses them.",
        discussion: """
            To complete commands, options and values with the Tab key, install the script that \
            --generate-completion-script prints for bash, zsh or fish. The README shows how.

            EXAMPLE: letsmeet meeting new "Board games" --with anna,ben --place "Café Engel" \
            --start "fri 19:00"
            """,
        version: "letsmeet \(Version.current)",
        subcommands: [
            SetupCommand.self, OpenCommand.self, AccountCommand.self, PeopleCommand.self,
            CircleCommand.self,
            PlaceCommand.self, MeetingCommand.self, RsvpCommand.self, NudgeCommand.self,
            MessageCommand.self,
            WhyCommand.self, OutboxCommand.self, LedgerCommand.self, RemindCommand.self,
            TodayCommand.self, CalendarCommand.self, CronCommand.self, SinkCommand.self,
            MailCommand.self,
            TemplateCommand.self,
            ConfigCommand.self, DoctorCommand.self,
            BackupCommand.self, RestoreCommand.self, ExportCommand.self, DemoCommand.self,
            VersionCommand.self,
        ])

    static let leading = CommonOptions.leading

    static let otherWords = [
        "letsmeet invite": "letsmeet meeting invite",
        "letsmeet next": "letsmeet meeting show next",
        "letsmeet list": "letsmeet meeting list", "letsmeet show": "letsmeet meeting show",
        "letsmeet new": "letsmeet meeting new", "letsmeet add": "letsmeet people add",
        "letsmeet contacts": "letsmeet people list", "letsmeet contact": "letsmeet people show",
        "letsmeet person": "letsmeet people", "letsmeet circles": "letsmeet circle list",
        "letsmeet meetings": "letsmeet meeting list",
        "letsmeet send": "letsmeetd once", "letsmeet run": "letsmeetd run",
        "letsmeet once": "letsmeetd once",
        "letsmeet meeting delete": "letsmeet meeting cancel",
        "letsmeet meeting remove": "letsmeet meeting cancel",
        "letsmeet meeting add": "letsmeet meeting new",
        "letsmeet people delete": "letsmeet people remove",
        "letsmeet people search": "letsmeet people list --search",
        "letsmeet people find": "letsmeet people list --search",
    ]

    static func main() { begin() }

    static func choose(for refusal: Refusal) throws -> Candidate? {
        guard Screen.isInteractive, !refusal.candidates.isEmpty else { return nil }
        let lines = refusal.candidates.enumerated().map {
            "  \($0.offset + 1)  \($0.element.label)"
        }
        Terminal.say(([refusal.message] + lines).joined(separator: "\n"))
        let number = Int(Terminal.line("Number (Enter to stop): "))
        guard let number, refusal.candidates.indices.contains(number - 1) else {
            throw ExitCode(refusal.category.exitStatus)
        }
        return refusal.candidates[number - 1]
    }

    /// Without a command, prints the help, in a new home with the command to begin with.
    func run() async throws {
        let home = Home(option: nil, environment: ProcessInfo.processInfo.environment)
        if home.isNew {
            Terminal.answer("To start, set up your home: letsmeet setup\n")
        }
        throw CleanExit.helpRequest(self)
    }
}
