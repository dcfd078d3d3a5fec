import Agenda
import ArgumentParser
import Planning
import Wording

struct PeopleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a contact, or erase a person.",
        discussion: """
            Without --erase, the contact leaves the address book and your circles. The person \
            stays in their meetings and still gets messages; the output lists the circles and the \
            coming meetings. On a terminal, the command asks first. --dry-run only shows them.

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
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard erase, consent.dryRun else { return }
        throw ValidationError("--dry-run does not work with --erase. Leave one of them out.")
    }

    func run() async throws {
        guard erase else { return try await remove() }
        let planner = try await common.planner()
        let person = try await planner.personToErase(named: who)
        let question = "Erase \(person.name) permanently? This cannot be undone."
        guard !common.asks(unless: consent.yes) || Terminal.confirms(question) else {
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
        let person = try await planner.contact(named: who)
        guard !consent.dryRun else {
            let report = try await planner.removePerson(person, saving: false)
            try common.answer(report) { Self.preview(report) }
            if !common.json { Terminal.say("Nothing was saved.") }
            return
        }
        if Consent(common: common, options: consent).asks {
            Terminal.say(Self.preview(try await planner.removePerson(person, saving: false)))
            try Consent.agree("Remove this contact?")
        }
        let report = try await planner.removePerson(person)
        try common.confirm(report) { Self.text(report) }
    }

    private static let titlesMax = 5

    /// The effects of a removal.
    private static func preview(_ report: RemovalReport) -> String {
        var lines = ["\(report.person.name) leaves the address book."]
        if let circles = circles(report) { lines.append("They also leave \(circles).") }
        if let meetings = meetings(report) {
            lines.append("They stay invited to \(meetings) and get messages.")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ report: RemovalReport) -> String {
        let name = report.person.name
        var lines = ["\(name) is no longer in the address book."]
        if let circles = circles(report) { lines.append("They also left \(circles).") }
        if let first = report.meetings.first, let meetings = meetings(report) {
            lines += [
                "They are still invited to \(meetings) and get messages.",
                "To remove them from one: letsmeet meeting uninvite \(first.id) \(name.shellWord)",
            ]
        }
        return lines.joined(separator: "\n")
    }

    /// The circles that the person leaves; `nil` if there are none.
    private static func circles(_ report: RemovalReport) -> String? {
        let names = report.circles
        guard !names.isEmpty else { return nil }
        return "the \(names.count == 1 ? "circle" : "circles") \(names.joined(separator: ", "))"
    }

    /// The number of coming meetings and their titles; `nil` if there are none.
    private static func meetings(_ report: RemovalReport) -> String? {
        guard !report.meetings.isEmpty else { return nil }
        let titles = report.meetings.prefix(titlesMax).map(\.title).joined(separator: ", ")
        let more = report.meetings.count > titlesMax ? ", …" : ""
        return "\(TimeWords.count(report.meetings.count, "coming meeting")) (\(titles)\(more))"
    }
}
