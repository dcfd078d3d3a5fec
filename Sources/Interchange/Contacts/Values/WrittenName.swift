/// A whole name in one text, with the family name before a comma or after the others.
struct WrittenName: Equatable {
    private(set) var prefix = ""
    private(set) var given = ""
    private(set) var family = ""
    private(set) var suffix = ""

    /// The parts of "Meier, Dr. Anna" and "Smith, John, Jr."; `nil` for other names, also of
    /// companies.
    init?(withComma text: String) {
        guard text.utf8.contains(.comma) else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { KeptText.line(String($0)) }
        guard (2...3).contains(parts.count), parts.allSatisfy(Self.isName), !Self.isGroup(text),
            parts.dropFirst().allSatisfy({ !Self.companies.contains(Self.folded($0)) })
        else { return nil }
        var givenParts = parts[1].split(separator: " ").map(String.init)
        var tail = parts.count > 2 ? parts[2] : ""
        guard givenParts.count <= Self.givenNamesMax, !Self.suffixes.contains(Self.folded(parts[1]))
        else { return nil }
        if parts.count > 2, !Self.suffixes.contains(Self.folded(tail)) {
            guard Self.titles.contains(Self.folded(tail)) else { return nil }
            givenParts.insert(tail, at: 0)
            tail = ""
        }
        let titles = givenParts.prefix { Self.titles.contains(Self.folded($0)) }
        guard titles.count < givenParts.count else { return nil }
        prefix = titles.joined(separator: " ")
        given = givenParts.dropFirst(titles.count).joined(separator: " ")
        family = parts[0]
        suffix = tail
    }

    /// The parts of two words of which the first is the family name: "Rossi Mario".
    init?(familyFirst text: String) {
        if let name = WrittenName(withComma: text) {
            self = name
            return
        }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, words.allSatisfy(Self.isName), !Self.isGroup(text) else {
            return nil
        }
        (family, given) = (words[0], words[1])
    }

    /// The name as people say it.
    var formatted: String {
        [prefix, given, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// True for names in the scripts of East Asia, where the family name is said first.
    static func isEastAsian(_ parts: String...) -> Bool {
        parts.allSatisfy { part in
            !part.isEmpty && part.unicodeScalars.allSatisfy { $0.value >= 0x2E80 }
        }
    }

    /// True for the names of two people, as in "Anna & Ben Meier".
    static func isPair(_ text: String) -> Bool {
        let words = text.split(separator: " ").map { $0.lowercased() }
        guard let link = words.firstIndex(where: links.contains), words.count <= 6 else {
            return false
        }
        let areNames = words.allSatisfy { $0.allSatisfy { $0.isLetter || "-.'&+".contains($0) } }
        return link > 0 && link + 1 < words.count && areNames
            && !words.contains { companies.contains(folded($0)) }
    }

    private static let links: Set = ["&", "+", "und", "and", "et"]

    private static func isGroup(_ text: String) -> Bool {
        text.contains { "&+/;".contains($0) }
            || text.split(separator: " ").contains { companies.contains(folded(String($0))) }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.contains(where: \.isLetter) && !text.contains(where: \.isNumber)
    }

    private static func folded(_ word: String) -> String {
        word.lowercased().filter { $0 != "." && $0 != " " }
    }

    /// The most words of a given name with titles.
    private static let givenNamesMax = 4

    private static let suffixes: Set = ["jr", "sr", "ii", "iii", "iv", "phd", "md", "msc", "bsc"]

    private static let titles: Set = [
        "dr", "prof", "dipl-ing", "ing", "mag", "herr", "frau", "mr", "mrs", "ms", "med", "drmed",
        "profdr", "dott", "dottssa", "dra", "sr", "sra", "mme", "ir",
    ]

    /// The words of companies and clubs.
    private static let companies: Set = [
        "inc", "ltd", "llc", "gmbh", "ag", "kg", "ohg", "ug", "ev", "co", "corp", "plc", "sa",
        "sarl", "srl", "spa", "bv", "nv", "ab", "as", "oy", "sons", "söhne", "partner", "the",
        "verein", "stiftung", "llp", "limited", "company", "sas", "kft", "sro", "zoo",
    ]
}
