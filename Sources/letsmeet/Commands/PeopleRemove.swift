import ArgumentParser
import Planning
import Wording

struct PeopleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a contact out of the address book.",
        discussion: """
            The person stays in meetings that they take part in, and is still written to; the \
            answer names those ahead. With --erase, name and address are replaced by a pseudonym \
            in the address book, past meetings and the ledger, and in titles, notes and messages \
            that hold the whole name or the address of today; a name of one word stays there, as \
            it may mean somebody else. Coming meetings lose them. Older backups, and what a \
            restore put aside, keep what they held.

            EXAMPLE: letsmeet people remove anna
            EXAMPLE: letsmeet people remove anna@example.org --erase
            """)

    @Argument(help: "A name, part of one, an address or an id.") var who: String
    @Flag(help: "Replace name and address by a pseudonym, for good.") var erase = false
    @Flag(name: .shortAndLong, help: "Do it without asking.") var yes = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard erase else { return try await remove() }
        let asks = common.asks(unless: yes)
        let report = try await common.planner().erasePerson(who) { name in
            !asks || Terminal.confirms("Erase \(name) for good? This cannot be undone.")
        }
        guard let report else { throw Consent.declined() }
        try common.confirm(ErasureAnswer(erased: report)) {
            let log =
                report.isOverwritten
                ? "" : "The database was in use, so its log may hold the name for a while. "
            return "Erased. Meetings and the ledger know them as \(report.pseudonym) now. \(log)"
                + "Older backups still hold the name: delete those that you no longer need."
        }
    }

    private struct ErasureAnswer: Encodable {
        let erased: ErasureReport
    }

    private func remove() async throws {
        let report = try await common.planner().removePerson(who)
        try common.confirm(report) { Self.text(report) }
    }

    private static let titlesMax = 5

    private static func text(_ report: RemovalReport) -> String {
        let name = report.person.name
        let gone = "\(name) is no longer in the address book."
        guard let first = report.meetings.first else { return gone }
        let titles = report.meetings.prefix(titlesMax).map(\.title).joined(separator: ", ")
        let count = TimeWords.count(report.meetings.count, "coming meeting")
        let more = report.meetings.count > titlesMax ? ", …" : ""
        return """
            \(gone)
            They stay invited to \(count) and will be written to: \(titles)\(more).
            To take them off one: letsmeet meeting uninvite \(first.id) \"\(name)\"
            """
    }
}
