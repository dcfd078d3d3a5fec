import ArgumentParser
import Daemon
import Foundation
import Logging
import Planning
import Programs
import Timekeeping

/// The options that every command of the daemon takes.
struct DaemonOptions: ParsableArguments {
    /// Those of them that may stand before the command.
    static let leading = LeadingOptions(flags: [], valued: ["--home", "--log"])

    @Option(
        help: ArgumentHelp("The home folder.", valueName: "dir"), completion: .directory)
    var home: String?

    @Option(
        help: "What is logged to standard error: debug, info, warning or error.",
        completion: .list(["debug", "info", "warning", "error"]))
    var log: String?

    func arguments(
        logLevel standard: Logger.Level, now: String? = nil, zone: String? = nil
    ) throws -> DaemonArguments {
        guard let level = log.map({ Logger.Level(rawValue: $0.lowercased()) }) ?? standard else {
            throw ValidationError("There is no log level \(log ?? "").")
        }
        return DaemonArguments(
            home: home, machine: .real, now: try now.map { try Moment.parse($0) }, zone: zone,
            logLevel: level)
    }
}

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Deliver what falls due, until SIGTERM.",
        discussion: """
            SIGHUP makes it read configuration and templates anew.

            EXAMPLE: letsmeetd run --home ~/.local/share/letsmeet
            """)

    @OptionGroup var options: DaemonOptions

    func run() async throws {
        try await DaemonProgram.run(try options.arguments(logLevel: .info))
    }
}

struct OnceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "once", abstract: "Deliver what is due now, one attempt each, and end.",
        discussion: """
            Ends with status 3 when something failed or was put off. What was put off before and \
            is not due again yet is only counted.

            EXAMPLE: letsmeetd once --json
            """)

    @Option(help: ArgumentHelp("Take this as the time now.", valueName: "instant"))
    var now: String?
    @Flag(help: "End with a JSON object that counts what was done.") var json = false
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let answer = try await DaemonProgram.once(
            try options.arguments(logLevel: .warning, now: now))
        if json {
            Letsmeetd.say(try JSONText.of(answer), to: .answers)
        } else if let remark = answer.remark {
            Letsmeetd.say(remark, to: .messages)
        }
        guard answer.isClean else { throw ExitCode(3) }
    }
}

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check configuration, sinks, templates and database.",
        discussion: """
            Nothing is sent. Ends with status 1 when something does not work.

            EXAMPLE: letsmeetd check --json
            """)

    @Flag(help: "Print one JSON object, for other programs to read.") var json = false
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let report = await Doctor(homeOption: options.home, machine: .real)
            .daemonReport()
        Letsmeetd.say(try json ? JSONText.of(report) : report.text, to: .answers)
        if !report.ok { throw ExitCode(1) }
    }
}

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Show what would be sent between two times.",
        discussion: """
            One JSON object a line; nothing is sent, and nothing is saved.

            EXAMPLE: letsmeetd simulate --from 2026-12-01 --to 2026-12-08
            """)

    @Option(help: "From this time on.") var from: String
    @Option(help: "Up to this time.") var to: String
    @Option(help: ArgumentHelp("The zone in which times are read.", valueName: "zone"))
    var tz: String?
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let lines = try await DaemonProgram.simulation(
            try options.arguments(logLevel: .warning, zone: tz), from: from, to: to)
        for line in lines { Letsmeetd.say(try JSONText.of(line), to: .answers) }
        if let remark = lines.remark { Letsmeetd.say(remark, to: .messages) }
    }
}
