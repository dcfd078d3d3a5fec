import Foundation
import Interchange

/// The note that the author of a mail writes with an answer.
enum MailedNote {
    /// The most lines that are read.
    private static let linesMax = 5000
    /// The length of the longest note that is kept, in Unicode scalars.
    private static let scalarsMax = 5000

    /// The text that the author wrote for this mail, without quotations and signature.
    ///
    /// Text below a quotation counts if there is none above it, or if another quotation follows.
    /// Other text at the end was added by programs, such as a disclaimer.
    static func own(of mail: ReceivedMail) -> String {
        let lines = mail.readableText.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).prefix(linesMax)
        let parts = QuotingText.ownParts(of: lines).map(ProgramWords.removed)
        let isAnswerBelow = parts.first.map(\.isEmpty) ?? true
        let own = isAnswerBelow ? parts : parts.count > 1 ? parts.dropLast() : parts
        return trimmed(own.filter { !$0.isEmpty }.map(joined).joined(separator: "\n\n"))
    }

    private static func joined(_ lines: [Substring]) -> String { lines.joined(separator: "\n") }

    /// The text without surrounding whitespace, control characters and private links, shortened to
    /// the longest note.
    static func trimmed(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { scalar in
            scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        }
        let short = String(String.UnicodeScalarView(plain.prefix(scalarsMax)))
        return short.replacing(/\/[gu]\/[a-z2-7]{32}/, with: "/…")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
