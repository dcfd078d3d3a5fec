import Agenda
import ArgumentParser
import Planning
import Wording

struct PeopleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a contact, or erase a person.",
        discussion: """
            Without --erase, the contact leaves the address book. The person stays in their \
            meetings and still gets messages; the output lists the coming meetings.

            With --erase, the person leaves coming meetings, and personal data are replaced by a \
            pseudonym. These are names, addresses and phone numbers, also earlier ones, in the \
            address book, past meetings and the ledger, and in titles, notes, keys and messages. A \
            name of one word or a nickname is replaced only in texts of the person's own meetings. \
            A part of a name stays, because it may mean somebody else; the output counts such \
            texts. Older backups, and databases that a restore put aside, stay as they are; the \
            output lists the latter. --erase needs the full name, an address or an id.

            EXAMPLE: letsmeet people remove anna
            EXAMPLE: letsmeet people remove anna@example.org --erase
            """)

    @Argument(
        help: "The contact: a name, part of one, an address or an id.", completion: Offers.people)
    var who: String
    @Flag(help: "Replace names and addresses by a pseudonym, permanently.") var erase = false
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard erase else { return try await remove() }
        let planner = try await common.planner()
        let person = try await planner.personToErase(named: who)
        let question = "Erase \(person.name) permanently? This cannot be undone."
        guard !common.asks(unless: yes) || Terminal.confirms(question) else {
            throw Consent.declined()
        }
        let report = try await planner.erasePerson(person)
        try common.confirm(ErasureAnswer(erased: report)) { Self.text(report) }
    }

    private static func text(_ report: ErasureReport) -> String {
        var lines = [
            "\(report.name) (\(report.id)) is erased. Meetings and the ledger now show "
                + "\(report.pseudonym)."
        ]
        if !report.isOverwritten {
            lines.append("The database was in use, so its log may contain the name for a while.")
        }
        for left in report.remaining {
            let count = TimeWords.count(left.texts, "text")
            let say = left.texts == 1 ? "says" : "say"
            lines.append(
                "\(count) of their meetings (titles, notes, places, messages) still \(say) "
                    + "\"\(left.word)\", which may mean somebody else. To check: letsmeet meeting "
                    + "list, and letsmeet meeting list --past")
        }
        lines.append(
            "Older backups still contain the name. Delete those that you no longer need.")
        if let folder = report.syncedFolder {
            lines.append(
                "The next contacts sync would import the person's card in \(folder) again. "
                    + "Delete it there.")
        }
        if !report.copies.isEmpty {
            lines.append("These databases from restores still contain the name. Delete them:")
            lines += report.copies.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private struct ErasureAnswer: Encodable {
        let erased: ErasureReport
    }

    private func remove() async throws {
        let planner = try await common.planner()
        let report = try await planner.removePerson(try await planner.person(named: who))
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
            They are still invited to \(count) and get messages: \(titles)\(more).
            To remove them from one: letsmeet meeting uninvite \(first.id) \(name.shellWord)
            """
    }
}
