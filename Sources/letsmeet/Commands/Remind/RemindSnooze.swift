import Agenda
import ArgumentParser
import Planning
import Timekeeping

struct RemindSnooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Get another reminder of a meeting, a little later.",
        discussion: """
            Without --for and --until, the reminder comes in 10 minutes. Snoozing again replaces a \
            snooze that is still waiting. If the meeting moves, the snooze is dropped. Quiet hours \
            do not delay it.

            EXAMPLE: letsmeet remind snooze next --for 30m
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The time from now, as with --for.") var time: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The time from now, such as 10m.", valueName: "duration"))
    var span: String?
    @Option(help: ArgumentHelp("The time of the reminder, such as 18:45.", valueName: "time"))
    var until: String?
    @Option(help: "The person (default: you).", completion: Offers.people) var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [time, span, until].compactMap(\.self).count < 2 else {
            throw ValidationError("Give one time: --for or --until.")
        }
        guard let time, (try? TimeSpan.parse(time)) == nil else { return }
        throw ValidationError(
            "\"\(time)\" is not a duration such as 30m. For a time of day, use --until. Put a name "
                + "of several words in quotes.")
    }

    func run() async throws {
        let span = try (span ?? time).map { try TimeSpan.parse($0) } ?? Snooze.spanDefault
        let planner = try await common.planner()
        let time = try until.map { SnoozeTime.until(try planner.moment($0)) } ?? .after(span)
        let id = try await planner.meetingID(named: meeting)
        let person = try await planner.participant(who, of: id)
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.snooze(id, time, of: person, saving: saving)
        }
    }
}
