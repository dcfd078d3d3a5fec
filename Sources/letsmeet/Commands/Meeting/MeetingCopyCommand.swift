import Agenda
import ArgumentParser
import Planning
import Programs
import Settings
import TextUI
import Timekeeping
import Wording

struct MeetingCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Plan the same as an earlier meeting again.",
        discussion: """
            The new meeting takes its title, people, circles, place, duration, reminders, note \
            and link from the earlier one, and a time to answer by that is as long before the \
            start. Each option replaces one of them. Answers and the repetition are not copied. \
            All people get a new invitation. If --start is only a day, the meeting starts at the \
            same time of day.

            EXAMPLE: letsmeet meeting copy last --start "fri"
            EXAMPLE: letsmeet meeting copy "Board games" --start "sat 20:00-23:00"
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: "The start: fri, \"fri 19:00\", 2026-12-01T18:00.") var start: String
    @Option(help: "Another title.") var title: String?
    @Option(
        name: [.customLong("who"), .customLong("with")], parsing: .upToNextOption,
        help: ArgumentHelp("Other people to invite, instead of the same.", valueName: "who"),
        completion: Offers.people)
    var with: [String] = []
    @Option(
        help: "Another place: a saved place, the id of a place, or your own words.",
        completion: Offers.places)
    var place: String?
    @OptionGroup var length: LengthOptions
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "The repetition rule: weekly, \"every 2nd tuesday\", or an RRULE.", valueName: "rule"))
    var repetition: String?
    @OptionGroup var deadline: AnswerByOption
    @Option(help: "Another note for everybody.") var note: String?
    @Option(help: "Another link to join online.") var link: String?
    @Option(help: "A request key: the same key twice creates one meeting.") var key: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, pastToo: true)
        let copy = try await planner.copy(of: id, start: start)
        var request = copy.request
        request.title = title ?? request.title
        request.place = place
        request.note = note ?? request.note
        request.link = link ?? request.link
        request.repetition = repetition
        request.answerBy = deadline.answerBy ?? request.answerBy
        request.key = key
        if !length.isEmpty {
            request.duration = try length.span()
            request.end = length.end
            request.isAllDay = length.allDay
            if length.allDay { request.start = start }
        }
        let names = try await planner.names(with, for: "--who")
        if !names.isEmpty { request.with = names }
        if names.isEmpty, !copy.unreachable.isEmpty {
            Terminal.say(
                "Not invited, because no address is known: "
                    + copy.unreachable.joined(separator: ", "))
        }
        try await Consent(common: common, options: consent).carryOut { [request] saving in
            try await planner.createMeeting(request, saving: saving)
        }
    }
}
