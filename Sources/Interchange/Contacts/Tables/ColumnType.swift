/// Several values in one field, as Google separates them.
enum MultiValue {
    static let separator = " ::: "

    static func split(_ text: String) -> [String] {
        guard text.utf8.contains(.colon), text.contains(":::") else {
            return text.isEmpty ? [] : [text]
        }
        return text.split(separator: ":::").map { KeptText.block(String($0)) }
            .filter { !$0.isEmpty }
    }

    /// The mail addresses in a field, which some programs separate by commas, semicolons or spaces,
    /// with names or without.
    static func addresses(_ text: String) -> [String] {
        if let addresses = plainAddresses(text) { return addresses }
        let parts = AddressList.parts(of: text)
        return parts.isEmpty || isCutDomain(text, parts) ? [text] : parts
    }

    /// True for a single address with a comma in place of a dot: "jo@example,org".
    private static func isCutDomain(_ text: String, _ parts: [String]) -> Bool {
        guard parts.count == 1, let part = parts.first, text.hasPrefix("\(part),") else {
            return false
        }
        return !text.contains(" ") && part.split(separator: "@").last?.contains(".") == false
    }

    /// The mail addresses in a text that should be a single address, taken apart only if it is
    /// certain where each begins and ends. Other texts are returned whole.
    static func certainAddresses(_ text: String) -> [String] {
        // A line break could hide the header of a mail.
        let isOneLine = !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard isOneLine else { return [text] }
        return text.contains("<") ? addresses(text) : plainAddresses(text) ?? [text]
    }

    /// The name before a single address, as in "Jo Doe <jo@example.org>"; empty if there is none.
    static func nameOfAddress(in text: String) -> String {
        let text = KeptText.line(text)
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else { return "" }
        let written = KeptText.line(String(text[..<open]))
        let isQuoted = written.count > 2 && written.hasPrefix("\"") && written.hasSuffix("\"")
        let name = EncodedWord.decoded(written)
        // Outside quotation marks, these signs separate addresses.
        guard name.contains(where: \.isLetter), isQuoted || !name.contains(where: ",;".contains),
            !name.contains(where: "<>@".contains)
        else { return "" }
        return KeptText.line(name.filter { !"\"'".contains($0) })
    }

    /// The words between two addresses.
    private static let links: Set = ["or", "and", "oder", "und", "ou", "et", "o", "y", "/", "&"]

    /// The addresses in a text without anything else but separators; `nil` for another text.
    private static func plainAddresses(_ written: String) -> [String]? {
        // Some programs put an address into apostrophes.
        let isInApostrophes =
            written.count > 2 && written.hasPrefix("'") && written.hasSuffix("'")
        let text = isInApostrophes ? String(written.dropFirst().dropLast()) : written
        guard MailAddress.plausible(text) == nil else { return [text] }
        let words = text.split { $0.isWhitespace || ",;|→".contains($0) }.map(String.init)
            .filter { word in
                !links.contains(word.lowercased()) && !word.allSatisfy { $0 == ":" }
            }
        let isPlain = !words.isEmpty && words.allSatisfy { MailAddress.plausible($0) != nil }
        return isPlain ? words : nil
    }
}

/// Google's asterisk: before a type it marks the preferred value, before a label one of Google's
/// own groups.
struct GoogleMark {
    let text: String
    let isMarked: Bool

    init(_ marked: String) {
        isMarked = marked == "*" || marked.hasPrefix("* ")
        text = isMarked ? KeptText.line(String(marked.dropFirst())) : marked
    }
}

/// The types in Google's columns, which are words for people.
enum ColumnType {
    private static let names = [
        "home": "Home", "work": "Work", "cell": "Mobile", "main": "Main", "other": "Other",
        "pager": "Pager", "home fax": "Home Fax", "work fax": "Work Fax", "fax": "Fax",
        "car": "Car", "school": "School",
    ]
    private static let types = Dictionary(
        uniqueKeysWithValues: names.map { ($0.value.lowercased(), $0.key) })

    /// The type for its name in a column. An unknown name is kept as a label.
    static func type(of name: String) -> String? {
        name.isEmpty ? nil : types[name.lowercased()] ?? HeaderWords(name).typeAlone ?? name
    }

    /// The type of a card, or the one that its word in another language than English means.
    static func translated(_ type: String) -> String {
        if names[type] != nil || english.contains(type) { return type }
        return HeaderWords(type).typeAlone ?? type
    }

    /// English words that cards have as types, and that stay as they are.
    private static let english: Set = [
        "mobile", "iphone", "office", "business", "voice", "whatsapp", "personal",
    ]

    static func name(of type: String?) -> String {
        guard let type else { return "" }
        if type == "fax home" || type == "fax work" { return name(of: "\(type.dropFirst(4)) fax") }
        return names[type] ?? type
    }
}

/// Protection against formulas. A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@` as
/// a formula, and a formula from a stranger's contact may start programs. Such a cell gets a
/// leading apostrophe, with which spreadsheets mark text. Phone numbers and dates, which consist
/// only of digits and their punctuation, stay as they are.
enum FormulaGuard {
    static func with(_ text: String) -> String {
        isRisky(text) && !text.utf8.allSatisfy(isNumberByte) ? "'" + text : text
    }

    /// `text` without the apostrophe that ``with(_:)`` added.
    static func without(_ text: String) -> String {
        text.utf8.first == apostrophe && isRisky(text) ? String(text.dropFirst()) : text
    }

    /// True if a spreadsheet would read the text as a formula, without its leading apostrophes. In
    /// some languages, spreadsheets also take the full-width forms of the signs `=`, `+`, `-` and
    /// `@` as the beginning of a formula (OWASP, "CSV Injection").
    private static func isRisky(_ text: String) -> Bool {
        guard let first = text.utf8.first(where: { $0 != apostrophe }) else { return false }
        if first < 0x80 { return "=+-@".utf8.contains(first) }
        let sign = text.unicodeScalars.first { $0 != "'" }
        return sign.map { "＝＋－＠".unicodeScalars.contains($0) } ?? false
    }

    private static let apostrophe = UInt8(ascii: "'")

    private static func isNumberByte(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || "+-/.()# ".utf8.contains(byte)
    }
}

extension ContactCard.PostalAddress {
    /// The address as several lines, as Google writes it besides the parts.
    var formatted: String {
        let town = [locality, region, postcode].filter { !$0.isEmpty }.joined(separator: " ")
        return [street, extended, poBox, town, country].filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}
