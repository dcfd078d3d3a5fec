import Agenda
import ArgumentParser
import Planning

struct RsvpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rsvp", abstract: "Answer an invitation, for yourself or for somebody else.",
        discussion: """
            For a recurring meeting, the answer applies to all dates. With --on, it applies to one \
            date, and later answers for all dates do not change it.

            EXAMPLE: letsmeet rsvp next yes --who anna --plus 1
            EXAMPLE: letsmeet rsvp choir no --on "22 dec"
            """)

    enum Word: String, TypedWord {
        case yes
        case no
        case maybe

        /// Reads the word, also in German, `y` or `n` for short, or the answer as it is shown.
        init?(argument: String) {
            switch argument.lowercased() {
            case "yes", "y", "going", "ja", "j": self = .yes
            case "no", "n", "declined", "nein": self = .no
            case "maybe", "vielleicht": self = .maybe
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

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The answer: yes (y, going), no (n, declined) or maybe.") var answer: Word
    @Option(help: "The person who answers, if not you.", completion: Offers.people) var who: String?
    @Option(help: "The number of people they bring.") var plus: Int?
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
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        let id = try await planner.meetingID(named: meeting, on: on)
        let person = try await planner.participant(who, of: id)
        try await consent.carryOut { saving in
            try await planner.answer(
                id, on: on, answer.answer, of: person, plus: plus, note: note, saving: saving)
        }
    }
}

struct NudgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nudge", abstract: "Ask people again who have not answered.",
        discussion: """
            Each person is asked again at most once in 24 hours.

            EXAMPLE: letsmeet nudge next --note "I book the table on Thursday."
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: DateOptions.help) var on: String?
    @Option(parsing: .upToNextOption, help: "Only these people.", completion: Offers.people)
    var who: [String] = []
    @Option(help: "A note to add.") var note: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on)
        let names = try await planner.names(who, for: "--who")
        let people =
            names.isEmpty ? nil : try await planner.participants(named: names, of: id, on: on)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.nudge(id, on: on, people: people, note: note ?? "", saving: saving)
        }
    }
}

struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Send a message to the people of a meeting.",
        discussion: """
            You can also write in the 30 days after the end, for example to say thanks.

            EXAMPLE: letsmeet message next "Bring a coat, we sit outside." --to going
            EXAMPLE: letsmeet message last "Thank you all for coming!"
            """)

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

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The message, before --who.") var text: String?
    @Option(help: DateOptions.help) var on: String?
    @Option(help: "The recipients, by their answer; silent means those without one.")
    var to: Audience = .all
    @Option(parsing: .upToNextOption, help: "Only these people.", completion: Offers.people)
    var who: [String] = []
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard text == nil else { return }
        guard who.count > 1, let last = who.last else {
            throw ValidationError("Missing expected argument '<text>'")
        }
        throw ValidationError(
            "The message is missing: \"\(last)\", the last word after --who, was read as a person. "
                + "Write the message before --who, in quotes.")
    }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on, pastToo: true)
        let names = try await planner.names(who, for: "--who")
        let people =
            names.isEmpty
            ? nil
            : try await planner.participants(named: names, of: id, on: on, pastToo: true)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.message(
                id, on: on, text ?? "", to: to.answers, people: people, saving: saving)
        }
    }
}
