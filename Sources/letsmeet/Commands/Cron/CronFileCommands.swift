import ArgumentParser
import Jobs
import Planning
import Programs

struct CronCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Hold a crontab to its rules, and say what its lines mean.",
        discussion: """
            Ends with status 2 when a line is wrong: letsmeetd would not take the file then, and \
            go on with the one before.

            A line has five fields, or a word such as @daily or @reboot, then options, then a job:
              30 3 * * *  id=backup jitter=10m  backup --keep 7
            Jobs: \(Job.formsText).
            Options: \(LineOptions.formsText).
            CRON_TZ=ZONE sets the clocks of the lines below it.

            EXAMPLE: letsmeet cron check crontab.new
            """)

    @Argument(
        help: "The crontab; the one in use without it.", completion: .file()) var file: String?
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
        abstract: "List the lines of the crontab: last run, how it ended, how long, next run.",
        discussion: """
            Ends with status 2 when a line is wrong: the file is not taken then, and a letsmeetd \
            that runs goes on with the one before.

            EXAMPLE: letsmeet cron list
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let view = try await common.planner().cronList()
        try common.answer(view) { CrontabText.of(view) }
        guard view.problems.isEmpty else { throw ExitCode(2) }
        if !common.json, view.daemon == "none", !view.lines.isEmpty {
            Terminal.say("Nothing runs by itself: no daemon is running here. Start letsmeetd.")
        }
    }
}

struct CronRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a job now.",
        discussion: """
            JOB is the id of a line of the crontab, or a job as it stands there: \
            \(Job.formsText).

            EXAMPLE: letsmeet cron run backup --keep 7
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The job, or the id of a line.", valueName: "job"))
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
        try common.confirm(view) { "\(view.job): \(view.words)" }
    }
}

/// A crontab in words.
private enum CrontabText {
    static func of(_ view: CrontabView) -> String {
        guard view.problems.isEmpty else {
            return view.problems.map(\.text).joined(separator: "\n")
        }
        let lines = view.lines.map(line)
        return
            ([view.lines.isEmpty ? "\(view.file): nothing is started." : "\(view.file): sound."]
            + lines).joined(separator: "\n")
    }

    static func of(_ view: CronListView) -> String {
        let lines = view.lines.map { line in
            let last = "\(self.line(line))\n    last: \(line.last?.words ?? "not yet")"
            guard let current = line.current, current.state != line.last?.state else { return last }
            return "\(last)\n    now: \(current.words)"
        }
        let faults = view.problems.isEmpty ? [] : ["Not taken:"] + view.problems.map(\.text)
        return ([view.file] + lines + faults).joined(separator: "\n")
    }

    private static func line(_ line: CrontabLineView) -> String {
        let next = line.next.map { "; next \($0.words)" } ?? ""
        return "  line \(line.line): \(line.job)\n    \(line.explanation)\(next)"
    }
}
