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

            EXAMPLE: letsmeet meeting new "Board games" --who anna,ben --place "Café Engel" \
            --start "fri 19:00"
            """,
        version: "letsmeet \(Version.current)",
        subcommands: [
            SetupCommand.self, OpenCommand.self, AccountCommand.self, PeopleCommand.self,
            CircleCommand.self,
            PlaceCommand.self, MeetingCommand.self, RsvpCommand.self, JoinCommand.self,
            LeaveCommand.self, NudgeCommand.self, MessageCommand.self, PecksCommand.self,
            WhyCommand.self, OutboxCommand.self, LedgerCommand.self, RemindCommand.self,
            FollowCommand.self, UnfollowCommand.self, FollowersCommand.self,
            FollowingCommand.self, FeedCommand.self,
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
        "letsmeet agenda": "letsmeet today --week", "letsmeet week": "letsmeet today --week",
        "letsmeet tomorrow": "letsmeet today tomorrow", "letsmeet init": "letsmeet setup",
        "letsmeet login": "letsmeet open", "letsmeet status": "letsmeet doctor",
        "letsmeet settings": "letsmeet config show", "letsmeet places": "letsmeet place saved",
        "letsmeet inbox": "letsmeet pecks", "letsmeet notifications": "letsmeet pecks",
        "letsmeet answer": "letsmeet rsvp", "letsmeet reminders": "letsmeet remind list",
        "letsmeet config get": "letsmeet config show",
        "letsmeet config list": "letsmeet config show",
        "letsmeet place list": "letsmeet place saved",
        "letsmeet place find": "letsmeet place search",
        "letsmeet people new": "letsmeet people add",
        "letsmeet circle create": "letsmeet circle new",
        "letsmeet meeting create": "letsmeet meeting new",
        "letsmeet meeting rsvp": "letsmeet rsvp", "letsmeet meeting answer": "letsmeet rsvp",
        "letsmeet meeting message": "letsmeet message", "letsmeet meeting why": "letsmeet why",
        "letsmeet meeting nudge": "letsmeet nudge",
        "letsmeet meeting join": "letsmeet join", "letsmeet meeting leave": "letsmeet leave",
        "letsmeet unjoin": "letsmeet leave", "letsmeet attend": "letsmeet join",
        "letsmeet requests": "letsmeet meeting requests",
        "letsmeet admit": "letsmeet meeting admit",
        "letsmeet meeting approve": "letsmeet meeting admit",
        "letsmeet meeting reject": "letsmeet meeting refuse",
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

    /// The command that sets the home up, if nothing is set yet.
    static func hint(after refusal: Refusal) -> String? {
        guard Screen.isInteractive, refusal.category == .refused else { return nil }
        let arguments = CommandLine.arguments
        let option = arguments.firstIndex(of: "--home").map { arguments.dropFirst($0 + 1).first }
        let environment = ProcessInfo.processInfo.environment
        let home = Home(option: option ?? nil, environment: environment)
        guard let known = try? Configuration(home: home, environment: environment),
            SettingName.allCases.allSatisfy({ known.entry($0) == nil })
        else { return nil }
        return "This home is not set up yet. To set it up: letsmeet setup"
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
