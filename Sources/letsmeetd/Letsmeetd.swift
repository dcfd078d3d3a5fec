import ArgumentParser
import Programs

/// The daemon.
@main
struct Letsmeetd: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeetd",
        abstract: "Deliver what letsmeet has planned, in time.",
        discussion: "EXAMPLE: letsmeetd run",
        subcommands: [RunCommand.self, OnceCommand.self, CheckCommand.self, SimulateCommand.self])

    static let leading = DaemonOptions.leading

    static func main() async { await launch() }
}
