import Agenda
import Foundation

/// Something by which a person is known, as it is sought in texts.
struct ErasureTerm {
    /// What stands in every text that the term is in, both written as ``bare(_:)`` does.
    let needle: String
    /// Where it stands in a text for people.
    let spoken: NSRegularExpression
    /// Where it stands in what programs made: keys and links, in which words have any joints.
    let joined: NSRegularExpression

    private static let before = "(?<![\\p{L}\\p{N}._%+-])"
    /// The hyphen stands last, where a set does not take it for a range.
    private static let joints = " _.+-"

    /// A mail address. Whole ones only: "ann@example.org" does not stand in "joann@example.org",
    /// nor in "ann@example.org.uk".
    static func address(_ text: String) throws -> ErasureTerm {
        try ErasureTerm(text, before: before, after: "(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])")
    }

    /// A name, which may end before a dot: "Ann Berg" does not stand in "Ann Berg-Holm".
    static func name(_ text: String, matchesCase: Bool = false) throws -> ErasureTerm {
        try ErasureTerm(
            text, before: before, after: "(?![\\p{L}\\p{N}]|-[\\p{L}\\p{N}])",
            matchesCase: matchesCase)
    }

    /// A phone number, however its digits are set apart; `nil` for one of so few that they may mean
    /// anything.
    static func phone(_ text: String) throws -> ErasureTerm? {
        let digits = text.filter { "0"..."9" ~= $0 }
        guard digits.count >= phoneDigitsMin else { return nil }
        let anyhow = digits.map(String.init).joined(separator: "[ ()./\u{A0}-]*")
        let pattern = try NSRegularExpression(
            pattern: "(?<![\\p{L}\\p{N}])(?:"
                + "\(NSRegularExpression.escapedPattern(for: text))|\\+?\(anyhow))(?!\\p{N})")
        return ErasureTerm(needle: digits, spoken: pattern, joined: pattern)
    }

    private static let phoneDigitsMin = 5

    private init(needle: String, spoken: NSRegularExpression, joined: NSRegularExpression) {
        self.needle = needle
        self.spoken = spoken
        self.joined = joined
    }

    private init(_ text: String, before: String, after: String, matchesCase: Bool = false) throws {
        let options: NSRegularExpression.Options = matchesCase ? [] : .caseInsensitive
        let words = text.split { Self.joints.contains($0) }.map {
            NSRegularExpression.escapedPattern(for: String($0))
        }
        needle = Self.bare(text)
        spoken = try NSRegularExpression(
            pattern: before + NSRegularExpression.escapedPattern(for: text) + after,
            options: options)
        joined = try NSRegularExpression(
            pattern: "(?<![\\p{L}\\p{N}])" + words.joined(separator: "[\(Self.joints)]*")
                + "(?![\\p{L}\\p{N}])", options: options)
    }

    /// Whether the term stands in a text for people.
    func stands(in text: String) -> Bool {
        spoken.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    /// Whether the term stands in what programs made.
    func isJoined(in text: String) -> Bool {
        joined.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    /// A text with the pseudonym in place of the term.
    func replaced(in text: String, by pseudonym: String, isJoined: Bool) -> String {
        (isJoined ? joined : spoken).stringByReplacingMatches(
            in: text, range: NSRange(text.startIndex..., in: text), withTemplate: pseudonym)
    }
}

extension ErasureTerm {
    /// What is written between words and digits, and left out where texts are compared first.
    private static let marks = " ()+-./_\u{A0}"

    /// Whether a text can be sought: one of nothing but what is left out stands in every text.
    static func isSought(_ text: String) -> Bool { !bare(text).isEmpty }

    /// A text without what is written between words and digits, ASCII in small letters.
    static func bare(_ text: String) -> String {
        text.unicodeScalars.filter { !marks.unicodeScalars.contains($0) }
            .map { $0.isASCII ? $0.properties.lowercaseMapping : String($0) }.joined()
    }

    /// The same of a column, in words of SQL.
    static func bareSQL(_ column: String) -> String {
        marks.reduce("lower(\(column))") { "replace(\($0), '\($1)', '')" }
    }

    /// The spellings under which SQL, which knows the case of ASCII letters alone and no accents,
    /// finds a name in texts: as it is, in small letters and in large ones, with accents composed
    /// and apart, and without.
    static func spellings(of name: String) -> [String] {
        let cases = [name, name.lowercased(), name.uppercased()]
        let all =
            cases.map(\.precomposedStringWithCanonicalMapping)
            + cases.map(\.decomposedStringWithCanonicalMapping) + [SearchKey.fold(name)]
        // Accents composed and apart are the same to Swift, and not to SQL.
        var seen: Set<[UInt8]> = []
        return all.filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
    }
}
