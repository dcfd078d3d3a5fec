import Agenda
import ArgumentParser
import Ledger
import Planning
import TextUI
import Timekeeping
import Wording

struct RemindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "List, adjust and snooze reminders.",
        discussion: "EXAMPLE: letsmeet remind list",
        subcommands: [RemindList.self, RemindPolicy.self, RemindSnooze.self])
}

struct RemindList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List reminders that will be sent.",
        discussion: "EXAMPLE: letsmeet remind list --who anna")

    @Option(help: "Only reminders for this person.", completion: Offers.people)
    var who: String?
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let reminders: [OutboxLine]
        let truncated: Bool
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.knownPerson(who)
        let lines = try await planner.outbox(to: person?.id, kind: .reminder)
        try common.list(Answer(reminders: lines.rows, truncated: lines.isTruncated)) {
            var table = Table(["When", "To", "About"], uncut: [0])
            for line in lines { table.add(line.due.words, line.receiver, line.subject) }
            return table.isEmpty ? "No reminders are planned." : table.text(with: lines.remark)
        }
    }
}
