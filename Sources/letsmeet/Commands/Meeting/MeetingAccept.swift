import ArgumentParser
import Planning

struct MeetingAccept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Move a meeting to a time that a guest proposed.",
        discussion: """
            Guests can propose another time with their calendar program. To see proposals, run \
            letsmeet meeting show. Everybody is notified of the new time.

            EXAMPLE: letsmeet meeting accept next anna
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(
        help: "The guest whose proposal you mean, if there are several.", completion: Offers.people)
    var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let choice = try await planner.proposal(
            for: try await planner.meetingID(named: meeting), by: who)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.accept(choice, saving: saving)
        }
    }
}

struct MeetingRefuse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Decline a proposed time and keep the current one.",
        discussion: """
            The guest who proposed it is notified, and so is their calendar program.

            EXAMPLE: letsmeet meeting refuse next anna --note "The room is free at noon only."
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(
        help: "The guest whose proposal you mean, if there are several.", completion: Offers.people)
    var who: String?
    @Option(help: "A note to the guest.") var note: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let choice = try await planner.proposal(
            for: try await planner.meetingID(named: meeting), by: who)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.refuse(choice, note: note ?? "", saving: saving)
        }
    }
}
