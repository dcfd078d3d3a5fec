import Agenda
import ArgumentParser
import Planning

struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join an open meeting.",
        discussion: """
            You can join meetings that are open to you, and those to which you are invited. If all \
            seats are taken, you are on the waiting list, and get the first free seats. If the \
            organizer decides on requests, you are told of the decision.

            A recurring meeting is joined as a whole. With --on, you join one date.

            EXAMPLE: letsmeet join "board games" --plus 1
            EXAMPLE: letsmeet join choir --on "8 dec"
            """)

    @Argument(
        help: "The meeting: an id, or part of its title.", completion: Offers.meetingsToJoin)
    var meeting: String
    @Option(help: "The number of people whom you bring. They take seats, too.") var plus: Int?
    @Option(help: "A note to the organizer.") var note: String?
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (0...Participant.plusMax).contains(plus ?? 0) else {
            throw ValidationError("--plus must be from 0 to \(Participant.plusMax).")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingToJoin(named: meeting, on: on)
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.join(id, on: on, plus: plus ?? 0, note: note, saving: saving)
        }
    }
}

struct LeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave a meeting that you joined.",
        discussion: """
            Your seat is free then, and the first people on the waiting list who fit get it. You \
            can also leave the waiting list, or take back a request to join.

            EXAMPLE: letsmeet leave "board games"
            EXAMPLE: letsmeet leave choir --on "8 dec"
            """)

    @Argument(
        help: "The meeting: an id, part of its title, or next.",
        completion: Offers.joinedMeetings)
    var meeting: String
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingToLeave(named: meeting, on: on)
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.leave(id, on: on, saving: saving)
        }
    }
}
