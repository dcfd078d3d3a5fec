import ArgumentParser
import Ledger
import Planning
import Timekeeping
import Wording

struct RemindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind", abstract: "See the reminders that wait, and who wants which.",
        discussion: "EXAMPLE: letsmeet remind list",
        subcommands: [RemindList.self, RemindPolicy.self])
}

struct RemindList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the reminders that will be sent.",
        discussion: "EXAMPLE: letsmeet remind list --who anna")

    @Option(help: "Only what goes to this person.") var who: String?
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let reminders: [OutboxLine]
        let truncated: Bool
    }

    func run() async throws {
        let lines = try await common.planner().outbox(to: who, kind: .reminder)
        try common.answer(Answer(reminders: lines.rows, truncated: lines.isTruncated)) {
            var table = Table()
            for line in lines { table.add(line.due.words, line.to.name, line.title) }
            return table.isEmpty ? "No reminders wait." : table.text(with: lines.remark)
        }
    }
}

struct RemindPolicy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "How long before a start a person is reminded.",
        discussion: "EXAMPLE: letsmeet remind policy set 2d 3h --who anna",
        subcommands: [RemindPolicyShow.self, RemindPolicySet.self])
}

/// A person's policy in words.
enum PolicyText {
    static func of(_ person: PersonLine, _ reminders: [String]?) -> String {
        guard let reminders else { return "\(person.name): as each meeting says." }
        let words = reminders.isEmpty ? "no reminders" : SpanWords.before(reminders)
        return "\(person.name): \(words)."
    }
}

struct RemindPolicyShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a person's policy.",
        discussion: "EXAMPLE: letsmeet remind policy show --who anna")

    @Option(help: "The person; you without it.") var who: String?
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let person: PersonLine
        @Null var reminders: [String]?
    }

    func run() async throws {
        let (person, spans) = try await common.planner().reminderPolicy(of: who)
        let answer = Answer(person: person, reminders: spans?.map(\.iso))
        try common.answer(answer) { PolicyText.of(person, answer.reminders) }
    }
}

struct RemindPolicySet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a person's policy.",
        discussion: """
            Durations such as 1d 2h; none for no reminders; default for those of each meeting.

            EXAMPLE: letsmeet remind policy set 2d 3h --who anna
            """)

    @Argument(help: "Durations, none, or default.") var reminders: [String]
    @Option(help: "The person; you without it.") var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let spans = reminders == ["default"] ? nil : try ReminderOption.read(reminders)
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.setReminderPolicy(spans, of: who, saving: saving)
        }
    }
}
