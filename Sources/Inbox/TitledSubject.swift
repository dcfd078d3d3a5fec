import Agenda
import Foundation

/// A subject with the title of a meeting behind the words of a program: "Accepted: Lunch", or "Re:
/// Invitation: Lunch".
struct TitledSubject {
    /// The answer before the title; `nil` if there is none.
    let answer: Answer?
    private let whole: String
    /// The texts behind its colons.
    private let ends: [String]

    /// The longest part of a subject that is read, in characters.
    private static let charactersMax = 1000
    /// The most colons behind which a title is looked for.
    private static let colonsMax = 10

    init(_ subject: String) {
        // Filters put marks in brackets before it.
        let text = Self.plain(
            String(subject.prefix(Self.charactersMax)).replacing(/^(?:\s*\[[^\[\]]*\])+/, with: ""))
        let colons = text.indices.filter { ":：".contains(text[$0]) }.prefix(Self.colonsMax)
        whole = text
        ends = colons.map { text[text.index(after: $0)...].trimmingCharacters(in: .whitespaces) }
        let first = colons.first.map { text[..<$0].trimmingCharacters(in: .whitespaces) }
        answer = first.flatMap { word in Answer(word: word) ?? Self.answers[word] }
    }

    /// True if the subject is the title, or has it behind a colon, with nothing after it but what
    /// programs add: "Accepted: Lunch @ Fri 4 Dec 2026".
    func names(_ title: String) -> Bool {
        let title = Self.plain(title)
        guard whole != title else { return true }
        return ends.contains { end in
            guard end.hasPrefix(title) else { return false }
            let rest = end.dropFirst(title.count).first { !$0.isWhitespace }
            return rest.map { !$0.isLetter && !$0.isNumber } ?? true
        }
    }

    /// The text in lower case, with single spaces.
    private static func plain(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The words of calendar programs.
    private static let answers: [String: Answer] = {
        let words: [(Answer, [String])] = [
            (
                .going,
                [
                    "accepted", "angenommen", "zugesagt", "zusage", "accepté", "aceptado",
                    "aceptada", "accettato", "geaccepteerd", "aceito", "accepterat", "accepteret",
                    "godtatt", "hyväksytty", "zaakceptowano", "принято",
                ]
            ),
            (
                .maybe,
                [
                    "tentative", "tentatively accepted", "mit vorbehalt", "unter vorbehalt",
                    "mit vorbehalt angenommen", "mit vorbehalt zugesagt", "provisoire",
                    "provisional", "provvisorio", "voorlopig", "provisório", "preliminärt",
                    "alustava", "wstępnie",
                ]
            ),
            (
                .declined,
                [
                    "declined", "abgelehnt", "absage", "refusé", "rechazado", "rechazada",
                    "rifiutato", "geweigerd", "afgewezen", "recusado", "avböjt", "afvist",
                    "avslått", "hylätty", "odrzucono", "отклонено",
                ]
            ),
        ]
        return Dictionary(
            words.flatMap { answer, words in words.map { ($0, answer) } },
            uniquingKeysWith: { first, _ in first })
    }()
}
