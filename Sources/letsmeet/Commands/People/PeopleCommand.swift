import ArgumentParser
import Planning
import Wording

struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "Keep the address book.",
        discussion: "EXAMPLE: letsmeet people import contacts.vcf",
        subcommands: [
            PeopleImport.self, PeopleList.self, PeopleShow.self, PeopleAdd.self, PeopleEdit.self,
            PeopleExport.self, PeopleMerge.self, PeopleRemove.self,
        ])
}

struct PeopleImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read vCard and CSV files, and folders of them.",
        discussion: """
            A contact that is there already is updated, never doubled. A group becomes a circle. \
            "-" is standard input, and pipes are read as well.

            EXAMPLE: letsmeet people import contacts.vcf --only-with-email
            EXAMPLE: cat contacts/*.vcf | letsmeet people import -
            """)

    @Argument(help: "Files and folders, or - for standard input.", completion: .file()) var files:
        [String]
    @Flag(help: "Take only those with a mail address.") var onlyWithEmail = false
    @Option(
        parsing: .upToNextOption,
        help: "Take only those whose name, address or category holds one of these.")
    var select: [String] = []
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var selection = ImportSelection()
        selection.isOnlyWithEmail = onlyWithEmail
        selection.texts = try select.names(for: "--select")
        let report = try await imported(selection)
        try common.confirm(report) { Self.text(report) }
    }

    private func imported(_ selection: ImportSelection) async throws -> ImportReport {
        Terminal.progress("Reading…")
        defer { Terminal.progress("") }
        return try await common.planner().importPeople(files, selection: selection) {
            done, total in
            if total > Self.quietRowsMax { Terminal.progress("\(done) of \(total)") }
        }
    }

    /// An import of fewer cards is over before anybody wonders.
    private static let quietRowsMax = 2000
    private static let namesMax = 5

    private static func text(_ report: ImportReport) -> String {
        var lines = [
            "\(report.imported) imported, \(report.updated) updated, "
                + "\(report.unchanged) unchanged."
        ]
        let missing = report.withoutAddress
        if !missing.isEmpty {
            let names = missing.prefix(namesMax).joined(separator: ", ")
            let more = missing.count > namesMax ? " and \(missing.count - namesMax) more" : ""
            let have = missing.count == 1 ? "has" : "have"
            lines.append(
                "\(missing.count) \(have) no address and cannot be invited by mail: "
                    + "\(names)\(more).")
        }
        for circle in report.circles {
            let count = TimeWords.count(circle.people, "person", plural: "people")
            let what = circle.isNew ? "became" : "was added to"
            lines.append("A group \(what) the circle \(circle.name): \(count).")
        }
        lines += report.skipped.lines { "\(TimeWords.count($0, "part")) skipped:" }
        lines += report.warnings.lines { "\(TimeWords.count($0, "warning")):" }
        return lines.joined(separator: "\n")
    }
}

struct PeopleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the address book.",
        discussion: "EXAMPLE: letsmeet people list --json")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let people: [PersonView]
    }

    func run() async throws {
        let people = try await common.planner().people()
        try common.answer(Answer(people: people)) {
            guard !people.isEmpty else {
                return "The address book is empty. Fill it with: letsmeet people import FILE"
            }
            var table = Table(cellColumnsMax: Table.listColumnsMax)
            for person in people {
                table.add(
                    String(person.id.prefix(6)), person.name,
                    person.emails.first?.address ?? "", person.phones.first?.number ?? "")
            }
            return table.text
        }
    }
}

struct PeopleShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a contact.",
        discussion: "EXAMPLE: letsmeet people show anna")

    @Argument(help: "A name, part of one, an address or an id.") var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let person = try await common.planner().contact(who)
        try common.answer(person) { PersonText.of(person) }
    }
}

/// A contact in lines.
enum PersonText {
    static func of(_ person: PersonView) -> String {
        var table = Table()
        table.add("Id", person.id)
        for email in person.emails { table.add("Mail", email.address, email.type ?? "") }
        for phone in person.phones { table.add("Phone", phone.number, phone.type ?? "") }
        for address in person.addresses {
            let parts = [
                address.street, "\(address.postcode) \(address.locality)", address.country,
            ]
            table.add("Address", parts.filter { $0 != " " && !$0.isEmpty }.joined(separator: ", "))
        }
        let rest = [
            ("Organization", person.organization), ("Zone", person.tz ?? ""),
            ("Language", person.language ?? ""),
            ("Birthday", person.birthday ?? ""),
            ("Also", person.also.joined(separator: ", ")),
            ("Known as", person.nicknames.joined(separator: ", ")),
        ]
        for (name, value) in rest where !value.isEmpty { table.add(name, value) }
        let note = person.note.isEmpty ? "" : "\n\n\(person.note)"
        return "\(Style.bold(person.name))\n\(table.text)\(note)"
    }
}

/// The fields of a contact, as options.
struct ContactOptions: ParsableArguments {
    @Option(parsing: .upToNextOption, help: "A mail address; the first is the one to write to.")
    var email: [String] = []
    @Option(parsing: .upToNextOption, help: "A phone number.") var phone: [String] = []
    @Option(parsing: .upToNextOption, help: "A nickname.") var nickname: [String] = []
    @Option(help: "A note.") var note: String?
    @Option(
        help: ArgumentHelp("The person's zone, in which they read times.", valueName: "zone"))
    var tz: String?
    @Option(
        help: ArgumentHelp(
            "The language in which they are told things, such as de.", valueName: "tag"))
    var language: String?

    func edit(name: String?) -> ContactEdit {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = email.isEmpty ? nil : email.splitAtCommas
        edit.phones = phone.isEmpty ? nil : phone.splitAtCommas
        edit.nicknames = nickname.isEmpty ? nil : nickname.splitAtCommas
        edit.zone = tz
        edit.language = language
        edit.note = note
        return edit
    }
}

struct PersonAnswer: Encodable {
    let person: PersonView
}

struct PeopleAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a contact by hand.",
        discussion: "EXAMPLE: letsmeet people add \"Anna Virtanen\" --email anna@example.org")

    @Argument(help: "The whole name.") var name: String
    @OptionGroup var contact: ContactOptions
    @OptionGroup var common: SiteOptions

    func run() async throws {
        let person = try await common.planner().addPerson(contact.edit(name: name))
        try common.confirm(PersonAnswer(person: person)) { PersonText.of(person) }
    }
}

struct PeopleEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a contact.",
        discussion: """
            What is given takes the place of what was there; "" takes it away.

            EXAMPLE: letsmeet people edit anna --tz Europe/Helsinki
            """)

    @Argument(help: "A name, part of one, an address or an id.") var who: String
    @Option(help: "The new name.") var name: String?
    @OptionGroup var contact: ContactOptions
    @OptionGroup var common: SiteOptions

    func run() async throws {
        let person = try await common.planner().editPerson(who, contact.edit(name: name))
        try common.confirm(PersonAnswer(person: person)) { PersonText.of(person) }
    }
}
