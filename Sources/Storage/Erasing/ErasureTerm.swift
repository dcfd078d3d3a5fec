import Agenda
import Foundation
import Interchange

/// A text by which a person is known, in the forms needed to find it in texts.
struct ErasureTerm {
    /// A string that every text with the term contains, if both are reduced by ``bare(_:)``.
    let needle: String
    /// Matches the term in a text written by people.
    let spoken: NSRegularExpression
    /// Matches the term in a text written by programs, such as keys and links, where words may be
    /// joined in any way.
    let joined: NSRegularExpression

    private static let before = "(?<![\\p{L}\\p{N}._%+-])"
    /// The hyphen comes last, so that a character set does not read it as a range.
    private static let joints = " _.+-"

    /// A mail address. Only whole addresses match: "ann@example.org" is not found in
    /// "joann@example.org", nor in "ann@example.org.uk".
    static func address(_ text: String) throws -> ErasureTerm {
        try ErasureTerm(text, before: before, after: "(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])")
    }

    /// A name. It may be followed by a dot, but "Ann Berg" is not found in "Ann Berg-Holm".
    static func name(_ text: String, matchesCase: Bool = false) throws -> ErasureTerm {
        try ErasureTerm(
            text, before: before, after: "(?![\\p{L}\\p{N}]|-[\\p{L}\\p{N}])",
            matchesCase: matchesCase)
    }

    /// A phone number, matched with any separators between its digits; `nil` for a number with so
    /// few digits that they may mean anything.
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

    /// Whether a text written by people contains the term.
    func stands(in text: String) -> Bool {
        spoken.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    /// Whether a text written by programs contains the term.
    func isJoined(in text: String) -> Bool {
        joined.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    /// The text with the term replaced by the pseudonym.
    func replaced(in text: String, by pseudonym: String, isJoined: Bool) -> String {
        (isJoined ? joined : spoken).stringByReplacingMatches(
            in: text, range: NSRange(text.startIndex..., in: text), withTemplate: pseudonym)
    }
}

extension ErasureTerm {
    /// Separators between words and digits, which ``bare(_:)`` removes.
    private static let marks = " ()+-./_\u{A0}"

    /// Whether a text can be searched for. A text of separators only would match everything.
    static func isSought(_ text: String) -> Bool { !bare(text).isEmpty }

    /// The text without separators, with ASCII letters in lower case.
    static func bare(_ text: String) -> String {
        text.unicodeScalars.filter { !marks.unicodeScalars.contains($0) }
            .map { $0.isASCII ? $0.properties.lowercaseMapping : String($0) }.joined()
    }

    /// The SQL expression that does the same to a column.
    static func bareSQL(_ column: String) -> String {
        marks.reduce("lower(\(column))") { "replace(\($0), '\($1)', '')" }
    }

    /// The spellings of a mail address to search for with SQL: those of ``MailAddress``, and of a
    /// domain that is not ASCII also in other cases.
    static func spellings(ofAddress address: String) -> [String] {
        MailAddress.spellings(of: address).flatMap { text in
            text.utf8.allSatisfy { $0 < 0x80 }
                ? [text] : spellings(of: text).filter { $0.contains("@") }
        }
    }

    /// The spellings of a name to search for with SQL, which folds the case of ASCII letters only
    /// and knows no accents: as written, in lower case and in upper case, with composed and with
    /// decomposed accents, and without accents.
    static func spellings(of name: String) -> [String] {
        let cases = [name, name.lowercased(), name.uppercased()]
        let all =
            cases.map(\.precomposedStringWithCanonicalMapping)
            + cases.map(\.decomposedStringWithCanonicalMapping) + [SearchKey.fold(name)]
        // Swift compares composed and decomposed accents as equal; SQL does not.
        var seen: Set<[UInt8]> = []
        return all.filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
    }
}
