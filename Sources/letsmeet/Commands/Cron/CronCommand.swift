import ArgumentParser
import Planning
import Timekeeping
import Wording

struct CronCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cron", abstract: "See what letsmeetd does by itself, and when.",
        discussion: """
            The file crontab in the home folder says it, or the shipped one where there is none.

            EXAMPLE: letsmeet cron list
            """,
        subcommands: [CronNext.self, CronCheck.self, CronList.self, CronRun.self])
}

struct CronNext: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Say when a cron line comes next.",
        discussion: """
            A line has five fields: minute, hour, day of month, month and day of week, with the \
            meaning that Debian's cron gives them, also when the clocks are changed. L is the last \
            day of a month, 1#2 its second Monday. With --batch it reads a JSON object a line from \
            standard input, {"id","expr","tz","after"}, and answers each with {"id","next"} or \
            {"id","error"}.

            EXAMPLE: letsmeet cron next "30 4 L * *" --tz Europe/Helsinki --count 3
            """)

    @Argument(
        help: ArgumentHelp(
            "The five fields as one text, or a word such as @daily.", valueName: "expr"))
    var expression: String?
    @Option(help: "Only moments after this time; now without it.") var after: String?
    @Option(help: "How many moments.") var count: Int = 5
    @Flag(help: "Answer lines of JSON.") var batch = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...Planner.cronCountMax).contains(count) else {
            throw ValidationError("--count is from 1 to \(Planner.cronCountMax).")
        }
        guard (expression == nil) == batch else {
            throw ValidationError(
                batch
                    ? "--batch reads its lines from standard input: leave out EXPR."
                    : "Give the line as one text, such as \"5 2 * * *\".")
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
