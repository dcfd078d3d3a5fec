import ArgumentParser
import Planning

struct MeetingAccept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Move a meeting to the time that somebody proposed.",
        discussion: """
            Who is asked to a meeting may propose another time with their calendar program; \
            letsmeet meeting show tells who did. All are told of the change.

            EXAMPLE: letsmeet meeting accept next anna
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "Whose proposal, where there are several.") var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let choice = try await planner.proposal(for: meeting, by: who)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.notingConflicts(in: planner.accept(choice, saving: saving))
        }
    }
}

struct MeetingRefuse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Keep a meeting at its time, though another was proposed.",
        discussion: """
            Who proposed it is told, and so is their calendar.

            EXAMPLE: letsmeet meeting refuse next anna --note "The room is free at noon only."
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "Whose proposal, where there are several.") var who: String?
    @Option(help: "What to say with it.") var note: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let choice = try await planner.proposal(for: meeting, by: who)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.refuse(choice, note: note ?? "", saving: saving)
        }
    }
}
