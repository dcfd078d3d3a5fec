import ArgumentParser
import Calendars
import Planning
import Timekeeping
import Wording

struct CronCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cron", abstract: "Show, check and run the scheduled jobs of letsmeetd.",
        discussion: """
            Jobs are scheduled in the file crontab in the home folder. Without this file, the \
            built-in crontab is used.

            EXAMPLE: letsmeet cron list
            """,
        subcommands: [CronNext.self, CronCheck.self, CronList.self, CronRun.self])
}

struct CronNext: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Show the next times of a cron expression.",
        discussion: """
            An expression has five fields: minute, hour, day of month, month and day of week. They \
            mean the same as in Debian's cron, also when the clocks change. L is the last day of a \
            month, and 1#2 is its second Monday.

            With --batch, the command reads one JSON object per line from standard input, \
            {"id","expr","tz","after"}, and answers each with {"id","next"} or {"id","error"}.

            EXAMPLE: letsmeet cron next "30 4 L * *" --tz Europe/Helsinki --count 3
            """)

    @Argument(
        help: ArgumentHelp(
            "The five fields in quotes, or a word such as @daily.", valueName: "expr"))
    var expression: String?
    @Option(help: "Only times after this one (default: now).") var after: String?
    @Option(help: "The number of times to show.") var count: Int = 5
    @Flag(help: "Answer JSON objects from standard input, one per line.") var batch = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...Planner.cronCountMax).contains(count) else {
            throw ValidationError("--count must be from 1 to \(Planner.cronCountMax).")
        }
        guard (expression == nil) == batch else {
            throw ValidationError(
                batch
                    ? "--batch reads its lines from standard input. Leave out EXPR."
                    : "Give the five fields in quotes, such as \"5 2 * * *\".")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        guard let expression else {
            while let line = readLine() {
                guard line.contains(where: { !$0.isWhitespace }) else { continue }
                Terminal.answer(try JSONText.of(planner.cronTimes(toQuestion: line)))
            }
            return
        }
        let after = try after.map { try planner.moment($0, dayMeans: .start) }
        let answer = try planner.cronTimes(expression, after: after, count: count)
        try common.answer(answer) {
            ([answer.explanation] + answer.next.map { "  \($0.words)" }).joined(separator: "\n")
        }
    }
}
