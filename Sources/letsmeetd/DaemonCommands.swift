import ArgumentParser
import Daemon
import Foundation
import Jobs
import Logging
import Planning
import Programs
import Timekeeping
import Wording

/// The options that every command of the daemon takes.
struct DaemonOptions: ParsableArguments {
    /// Those that may stand before the command, those of ``RequestOptions`` too: `run`, which works
    /// by the machine's clock and answers nobody, refuses them there as well.
    static let leading = LeadingOptions(
        flags: ["--json"], valued: ["--home", "--log", "--now", "--tz"])

    @Option(
        help: ArgumentHelp("The home folder.", valueName: "dir"), completion: .directory)
    var home: String?

    @Option(
        help: "What is logged to standard error: debug, info, warning or error.",
        completion: .list(["debug", "info", "warning", "error"]))
    var log: String?

    func arguments(
        logLevel standard: Logger.Level, request: RequestOptions? = nil
    ) throws -> DaemonArguments {
        guard let level = log.map({ Logger.Level(rawValue: $0.lowercased()) }) ?? standard else {
            throw ValidationError("There is no log level \(log ?? "").")
        }
        return DaemonArguments(
            home: home, machine: .real, now: try request?.moment(), zone: request?.tz,
            logLevel: level)
    }
}

/// The options of the commands that answer and end.
struct RequestOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Take this as the time now.", valueName: "instant"))
    var now: String?

    @Option(
        help: ArgumentHelp("The zone in which times are read and printed.", valueName: "zone"))
    var tz: String?

    @Flag(help: "Print JSON, for other programs to read.") var json = false

    func moment() throws -> Moment? { try now.map { try Moment.parse($0) } }

    /// Holds the zone against those that there are, where nothing else reads it.
    func checkZone() throws {
        guard let tz else { return }
        _ = try ZoneDirectory(path: ProcessInfo.processInfo.environment["TZDIR"]).zone(tz)
    }
}

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Deliver what falls due, until SIGTERM.",
        discussion: """
            SIGHUP makes it read configuration, templates and the rules of time zones anew. \
            Whether it is well is answered on http://127.0.0.1:8420/healthz, and what it does on \
            /metrics; LETSMEET_LISTEN names another address, unix:/PATH for a socket, or none.

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
            is not due again yet is only counted. With --json it ends with one JSON object that \
            counts what was done.

            EXAMPLE: letsmeetd once --json
            """)

    @OptionGroup var request: RequestOptions
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let answer = try await DaemonProgram.once(
            try options.arguments(logLevel: .warning, request: request))
        if request.json {
            Letsmeetd.say(try JSONText.of(answer), to: .answers)
        } else {
            for remark in answer.remarks { Letsmeetd.say(remark, to: .messages) }
            // Cron sends mail of all that is said.
            if answer.isIdle, isatty(STDERR_FILENO) == 1 {
                Letsmeetd.say("Nothing is due.", to: .messages)
            }
        }
        guard answer.isClean else { throw ExitCode(3) }
    }
}

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check configuration, sinks, templates, crontab and database.",
        discussion: """
            Nothing is sent. Ends with status 1 when something does not work.

            EXAMPLE: letsmeetd check --json
            """)

    @OptionGroup var request: RequestOptions
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        try request.checkZone()
        let doctor = Doctor(
            homeOption: options.home, machine: .real, now: try request.moment())
        let report = await doctor.daemonReport(besides: [doctor.crontabCheck])
        Letsmeetd.say(try request.json ? JSONText.of(report) : report.text, to: .answers)
        if !report.ok { throw ExitCode(1) }
    }
}

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Show what would be sent between two times.",
        discussion: """
            One JSON object a line, with and without --json; nothing is sent, and nothing is saved.

            Reminders of series are there as far as you ask, digests and alarms are not: jobs of \
            the crontab make these when their time has come.

            EXAMPLE: letsmeetd simulate --from 2026-12-01 --to 2026-12-08
            """)

    @Option(help: "From this time on.") var from: String
    @Option(help: "Up to this time.") var to: String
    @OptionGroup var request: RequestOptions
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let lines = try await DaemonProgram.simulation(
            try options.arguments(logLevel: .warning, request: request), from: from, to: to)
        await Letsmeetd.say(lines: lines.rows)
        if let remark = lines.remark { Letsmeetd.say(remark, to: .messages) }
    }
}
