import Agenda
import ArgumentParser
import Planning

struct RsvpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rsvp", abstract: "Answer an invitation, or note what somebody answered.",
        discussion: """
            To a meeting that repeats they answer as a whole, or to one date with --on: that \
            answer stays, whatever they say to all.

            EXAMPLE: letsmeet rsvp next yes --who anna --plus 1
            EXAMPLE: letsmeet rsvp choir no --on "22 dec"
            """)

    enum Word: String, TypedWord {
        case yes
        case no
        case maybe

        /// The word itself, its first letter where that is enough, or the answer as it is shown.
        init?(argument: String) {
            switch argument.lowercased() {
            case "yes", "y", "going": self = .yes
            case "no", "n", "declined": self = .no
            case "maybe": self = .maybe
            default: return nil
            }
        }

        var answer: Answer {
            switch self {
            case .yes: .going
            case .no: .declined
            case .maybe: .maybe
            }
        }
    }

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "yes (y, going), no (n, declined) or maybe.") var answer: Word
    @Option(help: "Who answered, when it is not you.") var who: String?
    @Option(help: "How many they bring beside themselves.") var plus: Int?
    @Option(help: "What they say with it.") var note: String?
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (0...Participant.plusMax).contains(plus ?? 0) else {
            throw ValidationError("--plus is from 0 to \(Participant.plusMax).")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.answer(
                meeting, on: on, answer.answer, who: who, plus: plus, note: note, saving: saving)
        }
    }
}

struct NudgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nudge", abstract: "Ask those who have not answered once more.",
        discussion: """
            At most once in 24 hours for each person.

            EXAMPLE: letsmeet nudge next --note "I book the table on Thursday."
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Option(help: DateOptions.help) var on: String?
    @Option(parsing: .upToNextOption, help: "Only these people.") var who: [String] = []
    @Option(help: "What to say with it.") var note: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let names = try await planner.names(who, for: "--who")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.nudge(
                meeting, on: on, who: names, note: note ?? "", saving: saving)
        }
    }
}

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Write to people of a meeting.",
        discussion: "EXAMPLE: letsmeet message next \"Bring a coat, we sit outside.\" --to going")

    enum Audience: String, TypedWord {
        case going
        case maybe
        case silent
        case all

        var answers: Set<Answer> {
            switch self {
            case .going: [.going]
            case .maybe: [.maybe]
            case .silent: [.invited]
            case .all: []
            }
        }
    }

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "What to tell them.") var text: String
    @Option(help: DateOptions.help) var on: String?
    @Option(help: "To whom.") var to: Audience = .all
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.message(meeting, on: on, text, to: to.answers, saving: saving)
        }
    }
}
