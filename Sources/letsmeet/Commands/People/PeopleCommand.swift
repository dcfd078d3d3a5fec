import Agenda
import ArgumentParser
import Planning
import TextUI
import Wording

struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "Manage your contacts.",
        discussion: "EXAMPLE: letsmeet people import contacts.vcf",
        subcommands: [
            PeopleImport.self, PeopleList.self, PeopleShow.self, PeopleAdd.self, PeopleEdit.self,
            PeopleHistory.self, PeopleExport.self, PeopleUndoImport.self, PeopleMerge.self,
            PeopleUnmerge.self, PeopleRemove.self,
        ])
}

struct PeopleImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import contacts from vCard and CSV files or folders.",
        discussion: """
            A contact that exists already is updated: one with the same UID, or with the same name \
            and an address in common. Two cards with a short UID, other names and other addresses \
            are two people. Fields that you changed here stay as they are. A group, a label or a \
            category becomes a circle. "-" is standard input; pipes work, too.

            EXAMPLE: letsmeet people import contacts.vcf --only-with-email
            EXAMPLE: cat contacts/*.vcf | letsmeet people import -
            """)

    @Argument(help: "Files and folders, or - for standard input.", completion: .file()) var files:
        [String]
    @Flag(help: "Import only contacts with a mail address.") var onlyWithEmail = false
    @Option(
        parsing: .upToNextOption,
        help: "Import only contacts whose name, address or category contains one of these.")
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

    /// The size of an import up to which no progress is shown, because it ends quickly.
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
            lines.append(
                circle.isNew
                    ? "A group or category became the circle \(circle.name): \(count)."
                    : "The circle \(circle.name) has \(count), of whom this import added "
                        + "\(circle.added == 0 ? "nobody" : "\(circle.added)").")
        }
        lines += report.skipped.lines { "\(TimeWords.count($0, "part")) skipped:" }
        lines += report.warnings.lines { "\(TimeWords.count($0, "warning")):" }
        lines += report.unused.lines
        if let id = report.importID {
            lines.append("To undo this import within 30 days: letsmeet people undo-import \(id)")
        }
        return lines.joined(separator: "\n")
    }
}

struct PeopleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your contacts.",
        discussion: """
            EXAMPLE: letsmeet people list --json
            EXAMPLE: letsmeet people list --search virtanen
            """)

    @Option(
        help: ArgumentHelp(
            "List only contacts with this in their name, address, phone number or circle.",
            valueName: "text"))
    var search: String?
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let people: [PersonView]
    }

    func run() async throws {
        let planner = try await common.planner()
        let people = try await found(planner)
        try common.list(Answer(people: people)) {
            if let search, people.isEmpty { return "No contacts match \"\(search)\"." }
            guard !people.isEmpty else {
                return "No contacts. To add one: letsmeet people add NAME --email ADDRESS; to "
                    + "import them: letsmeet people import FILE"
            }
            var table = Table(
                ["Id", "Name", "Mail", "Phone"], cellColumnsMax: Table.listColumnsMax)
            for person in people {
                table.add(
                    String(person.id.prefix(6)), person.name,
                    person.emails.first?.address ?? "", person.phones.first?.number ?? "")
            }
            return table.text
        }
    }

    private func found(_ planner: Planner) async throws -> [PersonView] {
        guard let search else { return try await planner.people() }
        return try await planner.people(matching: search)
    }
}

struct PeopleShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a contact, with circles and attendance.",
        discussion: "EXAMPLE: letsmeet people show anna")

    @Argument(
        help: "The contact: a name, part of one, an address or an id.", completion: Offers.people)
    var who: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let known = try await planner.contact(named: who)
        let person = try await planner.contact(known)
        let attendance = try await planner.attendance(of: known)
        try common.answer(Answer(person: person, attendance: attendance)) {
            PersonText.of(person, attendance)
        }
    }

    /// The fields of a contact, and in addition its circles and the numbers of its meetings.
    private struct Answer: Encodable {
        let person: PersonView
        let attendance: Attendance

        private struct Counts: Encodable {
            let organized: Int
            let going: Int
            let maybe: Int
            let declined: Int
            let invited: Int
        }

        private enum CodingKeys: CodingKey { case circles, attendance }

        func encode(to encoder: any Encoder) throws {
            try person.encode(to: encoder)
            var more = encoder.container(keyedBy: CodingKeys.self)
            try more.encode(attendance.circles, forKey: .circles)
            try more.encode(
                Counts(
                    organized: attendance.organizedCount, going: attendance.count(of: .going),
                    maybe: attendance.count(of: .maybe),
                    declined: attendance.count(of: .declined),
                    invited: attendance.count(of: .invited)), forKey: .attendance)
        }
    }
}

struct PeopleHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the meetings with somebody.",
        discussion: """
            Coming, past and cancelled meetings are listed, the latest first, with the answer of \
            this person. A series is one line, or a line for each of its dates to which alone \
            this person is invited.

            EXAMPLE: letsmeet people history anna
            """)

    @Argument(
        help: "The contact: a name, part of one, an address or an id.", completion: Offers.people)
    var who: String
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let meetings: [PastMeeting]
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.person(named: who)
        let meetings = try await planner.attendance(of: person).meetings
        let name = try await planner.knownName(of: person)
        try common.list(Answer(meetings: meetings)) {
            guard !meetings.isEmpty else { return "No meetings with \(name)." }
            var table = Table(
                ["Id", "When", "Meeting", "Answer"], uncut: [0, 1], troubles: ["cancelled"])
            for meeting in meetings {
                let word = meeting.isOrganizer ? "organizes" : meeting.answer.rawValue
                table.add(
                    String(meeting.id.prefix(6)), meeting.startWords,
                    meeting.title
                        + (meeting.repeats && meeting.occurrence == nil ? " (repeats)" : ""),
                    meeting.status == .cancelled ? "cancelled" : word)
            }
            return table.text
        }
    }
}

/// A contact as text.
enum PersonText {
    static func of(_ person: PersonView, _ attendance: Attendance? = nil) -> String {
        var table = Table()
        table.add("Id", person.id)
        for email in person.emails { table.add("Mail", email.address + typed(email.type)) }
        for phone in person.phones { table.add("Phone", phone.number + typed(phone.type)) }
        for address in person.addresses {
            let city = joined([address.postcode, address.locality], by: " ")
            table.add("Address", joined([address.street, city, address.country], by: ", "))
        }
        let rest = [
            ("Organization", person.organization), ("Time zone", person.tz ?? ""),
            ("Language", person.language ?? ""),
            ("Birthday", person.birthday ?? ""),
            ("Other names", person.also.joined(separator: ", ")),
            ("Nicknames", person.nicknames.joined(separator: ", ")),
            ("Circles", attendance?.circles.joined(separator: ", ") ?? ""),
            ("Meetings", attendance.map(meetings) ?? ""),
        ]
        for (name, value) in rest where !value.isEmpty { table.add(name, value) }
        let note = person.note.isEmpty ? "" : "\n\n\(person.note)"
        return "\(Style.bold(person.name))\n\(table.text(in: .plain))\(note)"
    }
}

extension PersonText {
    /// " (work)"; empty without a type. A column of their own would stand far to the right of
    /// short values if another row is long.
    private static func typed(_ type: String?) -> String {
        type.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    }

    /// The parts that are not empty, each in one line.
    private static func joined(_ parts: [String], by separator: String) -> String {
        parts.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }.joined(separator: separator)
    }

    /// "3 organized, 9 going, 1 declined, 2 not answered"; empty without meetings.
    private static func meetings(_ attendance: Attendance) -> String {
        let counts = [
            (attendance.organizedCount, "organized"), (attendance.count(of: .going), "going"),
            (attendance.count(of: .maybe), "maybe"),
            (attendance.count(of: .declined), "declined"),
            (attendance.count(of: .invited), "not answered"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

/// The options for the fields of a contact.
struct ContactOptions: ParsableArguments {
    @Option(parsing: .upToNextOption, help: "The mail addresses; messages go to the first one.")
    var email: [String] = []
    @Option(parsing: .upToNextOption, help: "The phone numbers.") var phone: [String] = []
    @Option(parsing: .upToNextOption, help: "The nicknames.") var nickname: [String] = []
    @Option(help: "The birthday: 1990-04-12, \"12 apr 1990\", or without the year, 04-12.")
    var birthday: String?
    @Option(help: "A note about the contact.") var note: String?
    @Option(
        help: ArgumentHelp(
            "The person's time zone, in which they read times.", valueName: "zone"))
    var tz: String?
    @Option(
        help: ArgumentHelp(
            "The language of messages to the person, such as de.", valueName: "tag"))
    var language: String?

    func edit(name: String?) -> ContactEdit {
        var edit = ContactEdit()
        edit.name = name
        edit.emails = email.isEmpty ? nil : email.splitAtCommas
        edit.phones = phone.isEmpty ? nil : phone.splitAtCommas
        edit.nicknames = nickname.isEmpty ? nil : nickname.splitAtCommas
        edit.zone = tz
        edit.language = language
        edit.birthday = birthday
        edit.note = note
        return edit
    }
}

struct PersonAnswer: Encodable {
    let person: PersonView
}

/// The answer to a new or changed contact.
struct EditedPerson: Encodable {
    let person: PersonView
    let remarks: [Remark]

    init(_ person: PersonView, also more: Remark?...) {
        self.person = person
        remarks = Planner.remarks(onAddressesOf: person) + more.compactMap(\.self)
    }

    var text: String {
        ([PersonText.of(person)] + remarks.map(\.shown)).joined(separator: "\n\n")
    }
}

struct PeopleAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a contact.",
        discussion: """
            Without --email, the name may be an address, or a name with an address.

            EXAMPLE: letsmeet people add "Anna Virtanen" --email anna@example.org
            EXAMPLE: letsmeet people add "Anna Virtanen <anna@example.org>"
            """)

    @Argument(help: "The full name.") var name: String
    @OptionGroup var contact: ContactOptions
    @OptionGroup var common: SiteOptions

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.addPerson(contact.edit(name: name))
        let answer = EditedPerson(
            person, also: try await planner.remark(onSharedAddressOf: person))
        try common.confirm(answer) { answer.text }
    }
}
