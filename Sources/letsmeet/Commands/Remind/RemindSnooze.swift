import Agenda
import ArgumentParser
import Planning
import Timekeeping

struct RemindSnooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Be reminded of a meeting once more, a little later.",
        discussion: """
            In 10 minutes without --for and --until. Snoozing again replaces what has not come \
            yet; when the meeting moves, it is void. Quiet hours do not hold it back.

            EXAMPLE: letsmeet remind snooze next --for 30m
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long from now, such as 10m.", valueName: "duration"))
    var span: String?
    @Option(help: ArgumentHelp("At which time, such as 18:45.", valueName: "time"))
    var until: String?
    @Option(help: "The person; you without it.") var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard span == nil || until == nil else {
            throw ValidationError("Name --for or --until, not both.")
        }
    }

    func run() async throws {
        let span = try span.map { try TimeSpan.parse($0) } ?? Snooze.spanDefault
        let time = until.map { SnoozeTime.until($0) } ?? .after(span)
        let planner = try await common.planner()
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.snooze(meeting, time, who: who, saving: saving)
        }
    }
}
