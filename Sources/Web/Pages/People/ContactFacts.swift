import Planning
import Wording

/// The facts of an address book about a person, as rows of names and lines.
struct ContactFacts: Sendable {
    /// A row.
    struct Row: Sendable {
        /// The name, in the language of the page.
        let name: String
        let lines: [Line]
    }

    /// A value with its type.
    struct Line: Equatable, Sendable {
        let text: String
        var type = ""
        var isMail = false
        var isPhone = false
    }

    let rows: [Row]

    /// All rows that say something.
    init(_ person: PersonView, _ words: PageWords) {
        rows = Self.all(person, words).filter { !$0.lines.isEmpty }
    }

    /// All rows, also those without lines, always in the same order.
    static func all(_ person: PersonView, _ words: PageWords) -> [Row] {
        [
            Row(
                name: words("Mail addresses"),
                lines: person.emails.map {
                    Line(text: $0.address, type: $0.type ?? "", isMail: true)
                }),
            Row(
                name: words("Phone numbers"),
                lines: person.phones.map {
                    Line(text: $0.number, type: $0.type ?? "", isPhone: true)
                }),
            Row(
                name: words("Postal addresses"),
                lines: person.addresses.map { Line(text: text(of: $0), type: $0.type ?? "") }
                    .filter { !$0.text.isEmpty }),
            Row(name: words("Organization"), lines: lines(person.organization)),
            Row(name: words("Time zone"), lines: lines(person.tz ?? "")),
            Row(
                name: words("Language"),
                lines: lines(
                    person.language.flatMap { Language(tag: $0)?.ownName } ?? "")),
            Row(name: words("Birthday"), lines: lines(person.birthday ?? "")),
            Row(name: words("Other names"), lines: lines(person.also.joined(separator: ", "))),
            Row(name: words("Nicknames"), lines: lines(person.nicknames.joined(separator: ", "))),
        ]
    }

    private static func lines(_ text: String) -> [Line] { text.isEmpty ? [] : [Line(text: text)] }

    private static func text(of address: PersonView.Address) -> String {
        let town = [address.postcode, address.locality].filter { !$0.isEmpty }
            .joined(separator: " ")
        return [address.street, town, address.region, address.country].filter { !$0.isEmpty }
            .joined(separator: ", ").replacing("\n", with: ", ")
    }

    /// The rows as a list of a template, with `fact`, and in it `lines`.
    func values(_ words: PageWords) -> [TemplateValues] {
        rows.map { row in
            [
                "fact": .text(row.name),
                "lines": .list(row.lines.map { $0.values(words) }),
            ]
        }
    }
}

extension ContactFacts.Line {
    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = ["line": .text(text)]
        values[text: "lineType"] = type.isEmpty ? nil : words.contactType(type)
        values[text: "mail"] = isMail ? Link.segment(text, and: "@") : nil
        values[text: "phone"] =
            isPhone ? text.filter { $0 == "+" || $0.isASCII && $0.isNumber } : nil
        return values
    }
}

extension PageWords {
    /// The type of an address or number, such as "home" or a label of its author.
    fileprivate func contactType(_ type: String) -> String {
        switch type {
        case "home": self("at home")
        case "work": self("at work")
        case "mobile", "cell": self("mobile")
        default: type
        }
    }
}
