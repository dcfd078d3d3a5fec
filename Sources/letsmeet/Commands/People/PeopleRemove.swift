import ArgumentParser
import Planning
import Wording

struct PeopleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a contact out of the address book.",
        discussion: """
            The person stays in meetings that they take part in, and is still written to; the \
            answer names those ahead. With --erase, which needs the whole name, an address or an \
            id, names, addresses and phone numbers, also earlier ones, are replaced by a \
            pseudonym in the address book, past meetings and the ledger, and in titles, notes, \
            keys and messages; a name of one word or a nickname in those of their own meetings \
            alone. A part of a name stays, as it may mean somebody else, and the answer counts \
            it. Coming meetings lose them. Older backups, and what a restore put aside, keep \
            what they held; the answer names the latter.

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
        try common.confirm(ErasureAnswer(erased: report)) { Self.text(report) }
    }

    private static func text(_ report: ErasureReport) -> String {
        var lines = [
            "\(report.name) (\(report.id)) is erased: meetings and the ledger know them as "
                + "\(report.pseudonym) now."
        ]
        if !report.isOverwritten {
            lines.append("The database was in use, so its log may hold the name for a while.")
        }
        for left in report.remaining {
            let count = TimeWords.count(left.texts, "text")
            let say = left.texts == 1 ? "says" : "say"
            lines.append(
                "\(count) of their meetings (titles, notes, places, messages) still \(say) "
                    + "\"\(left.word)\", which may mean somebody else: look with letsmeet meeting "
                    + "list, and with --past.")
        }
        lines.append(
            "Older backups still hold the name: delete those that you no longer need.")
        if let folder = report.syncedFolder {
            lines.append(
                "A card of theirs in \(folder) would bring them back with the next contacts sync: "
                    + "delete it there.")
        }
        if !report.copies.isEmpty {
            lines.append("So do these, which a restore put aside. Delete them:")
            lines += report.copies.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
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
