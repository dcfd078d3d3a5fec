import Agenda
import Foundation
import Wording

/// The subject of an answer in words: an answer, a colon, any text, and in brackets the id of the
/// meeting, its SEQUENCE, and the name of an occurrence: `Yes: Lunch [abcdefghijkmnpqr.2]`, or
/// `[abcdefghijkmnpqr.2.20261208t190000]`.
///
/// Filters mark subjects with words of their own before or behind that: `[EXTERNAL]`, `EXT:`,
/// `*****SPAM*****`, `[SEC=OFFICIAL]`.
struct AnsweredSubject {
    let answer: Answer
    private(set) var meeting = ""
    private(set) var sequence = 0
    private(set) var date: String?

    init?(_ written: String) {
        let subject = Self.withoutPercentEncoding(written)
        guard let answer = Self.answer(in: subject) else { return nil }
        self.answer = answer
        // Filters add marks in brackets that may look like an id, but have no number.
        let references = Self.references(in: subject)
        let numbered = references.filter { $0.contains(".") }
        let mixed = references.filter { $0.contains(where: \.isNumber) }
        guard (numbered + mixed + references).contains(where: { takeReference($0) }) else {
            return nil
        }
    }

    /// True if a subject replies to an answer in words, or forwards one: "Re: Yes: Lunch […]".
    static func isOfAnotherAnswer(_ subject: String) -> Bool {
        var parts = subject.split(whereSeparator: isColon).map(words)
        let prefixes = parts.prefix { $0.count == 1 && replies.contains($0[0]) }.count
        parts.removeFirst(prefixes)
        return prefixes > 0
            && parts.first.map { Answer(word: $0.joined(separator: " ")) != nil } == true
    }

    /// A subject that a program took from one of our links without decoding it, or with only a
    /// part of it decoded: "Yes%3A%20Lunch%20%5Babcdefghijkmnpqr%5D".
    private static func withoutPercentEncoding(_ subject: String) -> String {
        guard subject.contains(/%5[Bb].*%5[Dd]/) else { return subject }
        return subject.removingPercentEncoding ?? subject
    }

    private static func references(in subject: String) -> [String] {
        subject.matches(of: /\[\s*([^\[\]]*?)\s*\]/).map { String($0.1).lowercased() }.reversed()
    }

    /// The answer before the first colon that is not that of a mark. A reply to an answer ("Re:
    /// Yes: …") is not an answer itself.
    private static func answer(in subject: String) -> Answer? {
        // A mark in brackets may contain a colon.
        let unmarked = subject.replacing(/\[[^\[\]]*\]/, with: " ")
        var rest = unmarked.split(whereSeparator: isColon)[...]
        var isMarked = false
        while let part = rest.popFirst() {
            let words = words(part)
            let own = Array(words.drop { marks.contains($0) })
            if let answer = Answer(word: own.joined(separator: " ")) {
                // Behind an unknown mark stands an answer as our links write it, with a title.
                return isMarked && rest.allSatisfy { $0.allSatisfy(\.isWhitespace) } ? nil : answer
            }
            guard own.count <= markWordsMax, !own.contains(where: replies.contains) else {
                return nil
            }
            isMarked = isMarked || !own.isEmpty
        }
        return nil
    }

    /// The most words of an unknown mark.
    private static let markWordsMax = 3

    private static func isColon(_ character: Character) -> Bool { ":：".contains(character) }

    /// The words of a text in lower case, without groups in brackets, marks between asterisks, and
    /// other signs.
    private static func words(_ text: Substring) -> [String] {
        String(text).lowercased()
            .replacing(
                /\[[^\]]*\]|【[^】]*】|\{[^}]*\}|\([^)]*\)|<[^>]*>|\*+[^*:]*\*+/, with: " "
            )
            .split { !$0.isLetter && $0 != "'" && $0 != "’" }.map(String.init)
    }

    /// The words, other than those in brackets, that filters put before a subject.
    private static let marks: Set<String> = [
        "ext", "extern", "external", "externe", "externo", "email", "e", "mail", "message",
        "sender", "spam", "junk", "suspect", "suspected", "suspicious", "possible", "low",
        "medium", "high", "caution", "warning", "unverified", "virus", "phishing", "official",
        "unclassified", "sensitive", "internal", "secure", "encrypted", "newsletter", "bulk",
        "attention", "achtung", "vorsicht", "externer", "absender", "expéditeur", "remitente",
        "esterno", "mittente", "attenzione", "atención",
    ]

    /// The words with which replies, forwarded mails, and mails of programs begin.
    private static let replies: Set<String> = [
        "re", "aw", "sv", "vs", "antw", "odp", "rif", "r", "ref", "fw", "fwd", "wg", "tr", "rv",
        "vb", "doorst", "vl", "i", "res", "enc", "automatic", "automated", "autoreply", "auto",
        "automatische", "automatisch", "automatique", "automática", "automatica", "automatiskt",
        "office", "vacation", "abwesend", "abwesenheit", "abwesenheitsnotiz", "absence", "absent",
        "undeliverable", "undelivered", "unzustellbar", "returned", "failure", "delivery", "read",
        "gelesen", "recall", "rückruf",
    ]

    /// True for an id of 80 bits in base 32.
    private func isID(_ text: Substring) -> Bool {
        text.utf8.count == 16 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// The range of valid SEQUENCE numbers (RFC 5545, 3.3.8).
    private static let sequences = 0...Int(Int32.max)

    private mutating func takeReference(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 3, let id = parts.first, isID(id)
        else { return false }
        if parts.count > 1 {
            guard let number = Int(parts[1]), Self.sequences ~= number else { return false }
            sequence = number
        }
        meeting = String(id)
        if parts.count > 2 { date = parts[2].uppercased() }
        return true
    }
}

extension Answer {
    /// The answer of a word with which the links in our mails begin a subject.
    init?(word: String) {
        let word = word.trimmingCharacters(in: .whitespaces)
        for replies in Language.allCases.map(\.replies) {
            switch word {
            case replies.yes.lowercased(): self = .going
            case replies.maybe.lowercased(): self = .maybe
            case replies.no.lowercased(): self = .declined
            default: continue
            }
            return
        }
        return nil
    }
}
