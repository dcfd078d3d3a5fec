extension ContactCard {
    /// The languages that the person prefers to read (LANG; RFC 6350, 6.4.4), the preferred one
    /// first. They are BCP 47 tags such as `de-AT`.
    public var languages: [String] {
        languageLines.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }.map(\.element.tag)
    }

    /// The preferred language. Setting another one replaces all languages; setting the same one
    /// keeps them.
    public var language: String? {
        get { languages.first }
        set {
            guard newValue != languages.first else { return }
            extra.removeAll { ExtraLine.name(of: $0) == Self.languageProperty }
            if let newValue { extra.append("\(Self.languageProperty):\(newValue)") }
        }
    }

    private static let languageProperty = "LANG"
    /// The lowest rank, which applies to a line without one (RFC 6350, 5.3).
    private static let lastRank = 100

    private var languageLines: [(tag: String, rank: Int)] {
        extra.filter { ExtraLine.name(of: $0) == Self.languageProperty }.compactMap { line in
            guard let colon = line.lastIndex(of: ":") else { return nil }
            let tag = String(line[line.index(after: colon)...].filter { !$0.isWhitespace })
                .replacing("_", with: "-")
            guard Self.isLanguageTag(tag) else { return nil }
            let rank = line[..<colon].uppercased().split(separator: ";")
                .first { $0.hasPrefix("PREF=") }
                .flatMap { Int($0.dropFirst(5).filter { $0 != "\"" }) }
            return (tag, rank ?? Self.lastRank)
        }
    }

    /// True if a text has the form of a language tag (RFC 5646, 2.1): letters, followed by hyphens
    /// with letters and digits.
    public static func isLanguageTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return text.utf8.count <= 35
            && parts.first.map { (2...8).contains($0.count) && $0.allSatisfy(\.isASCIILetter) }
                == true
            && parts.dropFirst().allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy(\.isLetterOrDigit)
            }
    }
}
