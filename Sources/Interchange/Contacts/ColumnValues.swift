/// A date as a spreadsheet has it.
enum ColumnDate: Equatable {
    case none
    /// In the form of ``ContactCard/birthday``.
    case day(String)
    /// Month and day cannot be told apart.
    case ambiguous
    case unreadable

    /// Reads ISO dates, `12.4.1990`, and `4/13/1990` or `13/4/1990` where only one order is
    /// possible. Outlook writes `0/0/00` for none.
    init(_ text: String) {
        if text.isEmpty || text == "0/0/00" {
            self = .none
            return
        }
        if let date = ContactDate.normalised(text) {
            self = .day(date)
            return
        }
        // What follows a blank is a time of day.
        let date = text.split(separator: " ").first ?? ""
        let dots = ColumnDate.numbers(date, separator: ".")
        let slashes = ColumnDate.numbers(date, separator: "/")
        if let dots {
            self.init(year: dots[2], month: dots[1], day: dots[0])
        } else if let slashes {
            let isMonthFirst = slashes[1] > 12 || slashes[0] == slashes[1]
            if !isMonthFirst, slashes[0] <= 12 {
                self = .ambiguous
                return
            }
            let month = isMonthFirst ? slashes[0] : slashes[1]
            let day = isMonthFirst ? slashes[1] : slashes[0]
            self.init(year: slashes[2], month: month, day: day)
        } else {
            self = .unreadable
        }
    }

    private init(year: Int, month: Int, day: Int) {
        // Two digits do not tell the century.
        let isKnown = year == ContactDate.unknownYear ? nil : year
        guard year >= 1000,
            let date = ContactDate.written(checking: isKnown, month: month, day: day)
        else {
            self = .unreadable
            return
        }
        self = .day(date)
    }

    private static func numbers(_ text: Substring, separator: Character) -> [Int]? {
        let numbers = text.split(separator: separator, omittingEmptySubsequences: false)
            .map { $0.count <= 4 && $0.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }
        guard numbers.count == 3 else { return nil }
        let known = numbers.compactMap(\.self)
        return known.count == 3 ? known : nil
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}

/// Several values in one field, as Google writes them.
enum MultiValue {
    static let separator = " ::: "

    static func split(_ text: String) -> [String] {
        guard text.utf8.contains(.colon), text.contains(":::") else {
            return text.isEmpty ? [] : [text]
        }
        return text.split(separator: ":::").map { KeptText.block(String($0)) }
            .filter { !$0.isEmpty }
    }
}

/// Google's asterisk: before a type it marks the preferred value, before a label its own groups.
struct GoogleMark {
    let text: String
    let isMarked: Bool

    init(_ marked: String) {
        isMarked = marked == "*" || marked.hasPrefix("* ")
        text = isMarked ? KeptText.line(String(marked.dropFirst())) : marked
    }
}

/// The types of Google's columns, which are words for people.
enum ColumnType {
    private static let names = [
        "home": "Home", "work": "Work", "cell": "Mobile", "main": "Main", "other": "Other",
        "pager": "Pager", "home fax": "Home Fax", "work fax": "Work Fax", "fax": "Fax",
        "car": "Car", "school": "School",
    ]
    private static let types = Dictionary(
        uniqueKeysWithValues: names.map { ($0.value.lowercased(), $0.key) })

    /// The type by its name in a column; a name that is not known is a label and stays.
    static func type(of name: String) -> String? {
        name.isEmpty ? nil : types[name.lowercased()] ?? name
    }

    static func name(of type: String?) -> String {
        guard let type else { return "" }
        if type == "fax home" || type == "fax work" { return name(of: "\(type.dropFirst(4)) fax") }
        return names[type] ?? type
    }
}

/// The guard against formulas: a cell that begins with `=`, `+`, `-` or `@` is a formula to a
/// spreadsheet, and one from a stranger's contact may run programs. Such cells get the apostrophe
/// by which spreadsheets mark text; phone numbers and dates, which are nothing but digits and
/// their punctuation, stay as they are.
enum FormulaGuard {
    static func with(_ text: String) -> String {
        isRisky(text) && !text.utf8.allSatisfy(isNumberByte) ? "'" + text : text
    }

    /// `text` without the apostrophe that ``with(_:)`` gave it.
    static func without(_ text: String) -> String {
        text.utf8.first == apostrophe && isRisky(text) ? String(text.dropFirst()) : text
    }

    /// Whether a formula begins after any apostrophes, which the author may have written too.
    private static func isRisky(_ text: String) -> Bool {
        guard let first = text.utf8.first(where: { $0 != apostrophe }) else { return false }
        return "=+-@".utf8.contains(first)
    }

    private static let apostrophe = UInt8(ascii: "'")

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || "+-/.()# ".utf8.contains(byte)
    }
}

extension ContactCard.PostalAddress {
    /// The address as lines, as Google writes it beside its parts.
    var formatted: String {
        let town = [locality, region, postcode].filter { !$0.isEmpty }.joined(separator: " ")
        return [street, extended, poBox, town, country].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
