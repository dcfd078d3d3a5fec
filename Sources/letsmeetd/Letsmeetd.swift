import Agenda
import ArgumentParser
import Calendars
import Daemon
import Foundation
import Jobs
import Logging
import Operations
import Planning
import Programs
import Settings
import Timekeeping
import Wording

/// The daemon.
@main
struct Letsmeetd: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeetd",
        abstract: "Send the notifications that letsmeet has planned.",
        discussion: "EXAMPLE: letsmeetd run", version: "letsmeetd \(Version.current)",
        subcommands: [
            RunCommand.self, OnceCommand.self, CheckCommand.self, SimulateCommand.self,
            DemoCommand.self,
        ])

    static let leading = DaemonOptions.leading

    static func main() { begin() }
}

/// The options of every command of the daemon.
struct DaemonOptions: ParsableArguments {
    /// The options that may stand before the command, including those of ``RequestOptions``. `run`,
    /// which uses the machine's clock and prints no answer, refuses the latter there as well.
    static let leading = LeadingOptions(
        flags: ["--json"], valued: ["--home", "--log", "--now", "--tz"])

    @Option(
        help: ArgumentHelp("The home folder.", valueName: "dir"), completion: .directory)
    var home: String?

    @Option(
        help: "The log level for standard error: debug, info, warning or error.",
        completion: .list(["debug", "info", "warning", "error"]))
    var log: String?

    func arguments(
        logLevel standard: Logger.Level, request: RequestOptions? = nil
    ) throws -> DaemonArguments {
        guard let level = log.map({ Logger.Level(rawValue: $0.lowercased()) }) ?? standard else {
            throw ValidationError(
                "There is no log level \"\(log ?? "")\". Choose debug, info, warning or error.")
        }
        return DaemonArguments(
            home: home, machine: .real, now: try request?.moment(), zone: request?.tz,
            logLevel: level)
    }
}

/// The options of the commands that print an answer and exit.
struct RequestOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use this as the current time.", valueName: "instant"))
    var now: String?

    @Option(
        help: ArgumentHelp("The time zone for reading and printing times.", valueName: "zone"))
    var tz: String?

    @Flag(help: "Print JSON for other programs.") var json = false

    func moment() throws -> Moment? { try now.map { try Moment.parse($0) } }

    /// Checks that the zone exists, for commands that do not use it otherwise.
    func checkZone() throws {
        guard let tz else { return }
        _ = try ZoneDirectory(path: ProcessInfo.processInfo.environment["TZDIR"]).zone(tz)
    }
}

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send notifications as they fall due, until SIGTERM.",
        discussion: """
            SIGHUP reloads the configuration, the templates and the time zone rules. \
            http://127.0.0.1:8420/healthz shows whether the daemon is healthy, and /metrics its \
            metrics. The setting listen, or LETSMEET_LISTEN, is another address, unix:/PATH for a \
            socket, or none.

            EXAMPLE: letsmeetd run --home ~/.local/share/letsmeet
            """)

    @OptionGroup var options: DaemonOptions

    func run() async throws {
        try await DaemonProgram.run(try options.arguments(logLevel: .info))
    }
}

struct OnceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "once", abstract: "Try each delivery that is due now once, then exit.",
        discussion: """
            Exits with status 3 when a delivery failed or was postponed. Deliveries whose retry is \
            not due yet are only counted. On a terminal, a line with the counts is printed at the \
            end; with --json, one JSON object.

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
            for remark in answer.remarks {
                Letsmeetd.say(remark.words(AdviceText.renderer), to: .messages)
            }
            // Cron mails everything that is printed.
            if isatty(STDOUT_FILENO) == 1 { Letsmeetd.say(answer.summary, to: .answers) }
        }
        guard answer.isClean else { throw ExitCode(3) }
    }
}

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check configuration, sinks, templates, crontab and database.",
        discussion: """
            Nothing is sent. Exits with status 1 when something does not work.

            EXAMPLE: letsmeetd check --json
            """)

    @OptionGroup var request: RequestOptions
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        try request.checkZone()
        let doctor = Doctor(
            homeOption: options.home, machine: .real, now: try request.moment())
        let report = await doctor.daemonReport(besides: [doctor.crontabCheck])
        let renderer = AdviceText.renderer
        Letsmeetd.say(
            try request.json ? JSONText.of(report, advice: renderer) : report.text(renderer),
            to: .answers)
        if !report.ok { throw ExitCode(1) }
    }
}

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Show what would be sent between two times.",
        discussion: """
            Prints one JSON object per line, with or without --json. Nothing is sent or saved.

            Reminders of recurring meetings are included for the whole period. Digests and alarms \
            are not, because jobs of the crontab create them at their time.

            EXAMPLE: letsmeetd simulate --from 2026-12-01 --to 2026-12-08
            """)

    @Option(help: "Start of the period.") var from: String
    @Option(help: "End of the period.") var to: String
    @OptionGroup var request: RequestOptions
    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let lines = try await DaemonProgram.simulation(
            try options.arguments(logLevel: .warning, request: request), from: from, to: to)
        await Letsmeetd.say(lines: lines.rows)
        if let remark = lines.remark { Letsmeetd.say(remark, to: .messages) }
    }
}

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run on a new home full of sample people and meetings.",
        discussion: """
            Nothing is sent: a page shows what would have been sent, and moves the clock. The \
            command "letsmeet demo --page" makes the home, starts this, and opens the browser.

            EXAMPLE: letsmeetd demo --home /tmp/letsmeet-demo
            """)

    @OptionGroup var options: DaemonOptions

    func run() async throws {
        try await DaemonProgram.demo(try options.arguments(logLevel: .info))
    }
}
