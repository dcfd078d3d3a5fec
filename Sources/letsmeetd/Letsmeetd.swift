import ArgumentParser
import Programs
import Settings

/// The daemon.
@main
struct Letsmeetd: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeetd",
        abstract: "Deliver what letsmeet has planned, in time.",
        discussion: "EXAMPLE: letsmeetd run", version: "letsmeetd \(Version.current)",
        subcommands: [RunCommand.self, OnceCommand.self, CheckCommand.self, SimulateCommand.self])

    static let leading = DaemonOptions.leading

    static func main() { begin() }
}
