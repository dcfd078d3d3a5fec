import ArgumentParser
import Jobs
import Planning
import Programs

struct CronCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a crontab and explain its lines.",
        discussion: """
            The command exits with status 2 if a line is wrong. letsmeetd does not load such a \
            file and keeps the previous one.

            A line has five fields, or a word such as @daily or @reboot, then options, then a job:
              30 3 * * *  id=backup jitter=10m  backup --keep 7
            Jobs: \(Job.formsText).
            Options: \(LineOptions.formsText).
            CRON_TZ=ZONE sets the time zone of the lines below it.

            EXAMPLE: letsmeet cron check crontab.new
            """)

    @Argument(
        help: "The crontab (default: the one in use).", completion: .file()) var file: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let view = try await common.planner().checkCrontab(file)
        try common.answer(view) { CrontabText.of(view) }
        if !view.problems.isEmpty { throw ExitCode(2) }
    }
}

struct CronList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the scheduled jobs with their last and next runs.",
        discussion: """
            Each line of the crontab is shown with the time, result and duration of its last run. \
            The command exits with status 2 if a line is wrong. letsmeetd does not load such a \
            file and, if it is running, keeps the previous one.

            EXAMPLE: letsmeet cron list
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let view = try await common.planner().cronList()
        try common.list(view) { CrontabText.of(view) }
        guard view.problems.isEmpty else { throw ExitCode(2) }
        if !common.json, view.daemon == .none, !view.lines.isEmpty {
            Terminal.say("No jobs run, because letsmeetd is not running. Start it: letsmeetd run")
        }
    }
}

struct CronRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a job now.",
        discussion: """
            JOB is the id of a line of the crontab, or a job in one of these forms: \
            \(Job.formsText).

            EXAMPLE: letsmeet cron run backup --keep 7
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The job, or the id of a crontab line.", valueName: "job"))
    var job: [String] = []
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard job.isEmpty else { return }
        throw ValidationError("Name a job, such as: letsmeet cron run backup")
    }

    func run() async throws {
        let planner = try await common.planner()
        let view: JobRunView
        do {
            view = try await Interruption.cancelling { [job] in
                try await planner.runJob(job, on: .real)
            }
        } catch is CancellationError {
            throw ExitCode(130)
        }
        try common.confirm(view) { "\(view.job): \(view.report(AdviceText.renderer))" }
    }
}

/// The text form of a crontab.
private enum CrontabText {
    static func of(_ view: CrontabView) -> String {
        guard view.problems.isEmpty else {
            return view.problems.map(\.text).joined(separator: "\n")
        }
        let lines = view.lines.map(line)
        return
            ([view.lines.isEmpty ? "\(view.file): no jobs." : "\(view.file): no errors."]
            + lines).joined(separator: "\n")
    }

    static func of(_ view: CronListView) -> String {
        let lines = view.lines.map { line in
            let last = "\(self.line(line))\n    last: \(line.last?.words ?? "never")"
            guard let current = line.current, current.state != line.last?.state else { return last }
            return "\(last)\n    now: \(current.words)"
        }
        let faults = view.problems.isEmpty ? [] : ["Not loaded:"] + view.problems.map(\.text)
        return ([view.file] + lines + faults).joined(separator: "\n")
    }

    private static func line(_ line: CrontabLineView) -> String {
        let next = line.next.map { "; next \($0.words)" } ?? ""
        return "  line \(line.line): \(line.job)\n    \(line.explanation)\(next)"
    }
}
