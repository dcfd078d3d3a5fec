import Agenda
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
        commandName: "refuse",
        abstract: "Decline a proposed time, or a request to join.",
        discussion: """
            If a guest proposed another time, the meeting keeps its time. They are notified, and \
            so is their calendar program.

            If people ask to join an open meeting, they are told that they cannot, and cannot ask \
            again. You can still admit them. Without a name, the only person is meant who asks.

            EXAMPLE: letsmeet meeting refuse next anna --note "The room is free at noon only."
            EXAMPLE: letsmeet meeting refuse "board games" ben,carla
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(
        help: "The guest who proposed a time, or the people who ask to join.",
        completion: Offers.people)
    var who: [String] = []
    @Option(help: "A note to the guest who proposed a time.") var note: String?
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on)
        let names = try await planner.names(who, for: "WHO")
        let consent = Consent(common: common, options: consent)
        guard try await planner.isApplicant(named: names, for: id, on: on) else {
            return try await refuseProposal(by: names, for: id, planner, consent)
        }
        guard note == nil else {
            throw ValidationError(
                "--note goes to guests who proposed a time, not to people who ask to join.")
        }
        let applicants = try await planner.applicants(named: names, for: id, on: on)
        try await consent.carryOut { saving in
            try await planner.decide(
                admitting: false, applicants.people, in: id, on: applicants.date, saving: saving)
        }
    }

    private func refuseProposal(
        by names: [String], for id: MeetingID, _ planner: Planner, _ consent: Consent
    ) async throws {
        guard names.count < 2 else {
            throw ValidationError("Name one guest who proposed a time.")
        }
        let choice = try await planner.proposal(for: id, by: names.first)
        try await consent.carryOut { saving in
            try await planner.refuse(choice, note: note ?? "", saving: saving)
        }
    }
}
