import ArgumentParser
import Programs
import Settings

/// The command line.
@main
struct Letsmeet: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeet",
        abstract: "Plan real meetings of real people, and make sure that nobody misses one.",
        discussion: """
            EXAMPLE: letsmeet meeting new "Board games" --with anna,ben --place "Café Engel" \
            --start "fri 19:00"
            """,
        version: "letsmeet \(Version.current)",
        subcommands: [
            SetupCommand.self, PeopleCommand.self, CircleCommand.self, PlaceCommand.self,
            MeetingCommand.self, RsvpCommand.self, NudgeCommand.self, MessageCommand.self,
            WhyCommand.self, OutboxCommand.self, LedgerCommand.self, RemindCommand.self,
            TodayCommand.self, ConfigCommand.self, DoctorCommand.self, BackupCommand.self,
            RestoreCommand.self, DemoCommand.self, VersionCommand.self,
        ])

    static let leading = CommonOptions.leading

    static func main() { begin() }
}
