/// The phone numbers in one field.
enum PhoneList {
    /// A number, and its type if a word behind it says so.
    struct Entry: Equatable {
        var number: String
        var type: String?
    }

    /// The numbers in a text, taken apart only where each part is a whole number: at the ends of
    /// lines, semicolons, commas, slashes between spaces, and words such as "or".
    static func entries(_ text: String) -> [Entry] {
        let whole = [entry(KeptText.line(text))]
        guard !text.utf8.allSatisfy(isPlain) else { return whole }
        guard text.prefix(4).lowercased() != "tel:" else { return whole }
        var marked = text.replacing("\n", with: ";").replacing(",", with: ";")
            .replacing("|", with: ";")
        for link in links { marked = marked.replacing(" \(link) ", with: ";") }
        let parts = marked.split(separator: ";").map { KeptText.line(String($0)) }
            .filter { !$0.isEmpty }
        guard parts.count > 1, parts.allSatisfy({ isNumber($0, digitsMin: partDigitsMin) }) else {
            return whole
        }
        return parts.map(entry)
    }

    /// True for the octets of a single number. Most fields have no others.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || "+-.() ".utf8.contains(byte)
    }

    /// True if a text has the signs of a phone number and at least some digits.
    static func isNumber(_ text: String, digitsMin: Int) -> Bool {
        let number = entry(text).number
        let letters = number.count(where: \.isLetter)
        return number.count { $0.isASCII && $0.isNumber } >= digitsMin
            && letters <= extensionLettersMax && !number.contains("@")
    }

    /// True if a text under a header that does not say what it has is certainly a phone number: it
    /// has no letters, and it is no date.
    static func isBareNumber(_ text: String) -> Bool {
        !text.contains(where: \.isLetter) && isNumber(text, digitsMin: bareDigitsMin)
            && ColumnDate(text) == .unreadable
    }

    /// True for a number that a spreadsheet shortened, as in "4.93E+11": its digits are lost.
    static func isShortened(_ text: String) -> Bool {
        let parts = text.uppercased().split(separator: "E+", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
        return parts[0].allSatisfy { $0.isNumber || ".,".contains($0) }
            && parts[1].allSatisfy(\.isNumber)
    }

    /// A number without a type in brackets behind it: "030 12345 (privat)".
    private static func entry(_ text: String) -> Entry {
        guard text.hasSuffix(")"), let open = text.lastIndex(of: "("),
            let type = HeaderWords(String(text[open...])).typeAlone
        else { return Entry(number: text) }
        return Entry(number: KeptText.line(String(text[..<open])), type: type)
    }

    /// The words and signs between two numbers.
    private static let links = ["/", "or", "oder", "ou", "und", "and", "et", "&"]
    /// The fewest digits of each number in a list.
    private static let partDigitsMin = 4
    /// The fewest digits of a number under a header that does not say that it is one.
    private static let bareDigitsMin = 6
    /// The most letters in a number, as in "Durchwahl 7".
    private static let extensionLettersMax = 12
}
