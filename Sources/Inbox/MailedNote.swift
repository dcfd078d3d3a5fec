import Foundation
import Interchange

/// The note that the author of a mail writes with an answer.
enum MailedNote {
    /// The largest number of lines that introduce a quotation ("On Tue, Olga wrote:").
    private static let attributionLinesMax = 3
    /// The most lines that are read.
    private static let linesMax = 5000
    /// The length of the longest note that is kept, in Unicode scalars.
    private static let scalarsMax = 5000

    /// The text that the author wrote for this mail, without quotations and signature.
    static func own(of mail: ReceivedMail) -> String {
        let lines = mail.readableText.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).prefix(linesMax)
        let end = lines.indices.first { isEnd(lines[$0]) || isHeader(lines[$0...]) }
        var own = Array(lines[..<(end ?? lines.endIndex)])
        let isQuoted = own.count < lines.count && lines[own.count].hasPrefix(">")
        dropBlanks(at: &own)
        if isQuoted, own.last?.trimmingCharacters(in: .whitespaces).hasSuffix(":") == true {
            let words = own.reversed().prefix { !$0.allSatisfy(\.isWhitespace) }
            own.removeLast(words.count <= attributionLinesMax ? words.count : 1)
        }
        dropProgramWords(of: &own)
        return trimmed(own.joined(separator: "\n"))
    }

    /// Removes what programs add: the warning of a gateway above the text, and the name of the
    /// program below it.
    private static func dropProgramWords(of lines: inout [Substring]) {
        dropBlanks(at: &lines)
        while let last = lines.last, isOfProgram(last) {
            lines.removeLast()
            dropBlanks(at: &lines)
        }
        let first = lines.firstIndex { !$0.allSatisfy(\.isWhitespace) }
        guard let first, isOfGateway(lines[first]) else { return }
        let end = lines[first...].firstIndex { $0.allSatisfy(\.isWhitespace) } ?? lines.endIndex
        lines.removeSubrange(..<end)
    }

    /// True for a line such as "Sent from my iPhone" or "Get Outlook for iOS".
    private static func isOfProgram(_ line: Substring) -> Bool {
        let plain = line.lowercased().trimmingCharacters(in: .whitespaces)
        guard plain.utf8.count <= programOctetsMax else { return false }
        let begins = programWords.contains { plain.hasPrefix($0) }
        let words = plain.split(separator: " ")
        let isSent =
            words.count > 2 && sentWords.contains(String(words[0]))
            && fromWords.contains(String(words[1]))
        let isFrom = plain.hasPrefix("von mein")
        return begins || isSent
            || isFrom && (plain.contains(" gesendet") || plain.contains(" geschickt"))
    }

    /// The beginnings of lines that name a program.
    private static let programWords = [
        "get outlook for", "outlook für", "diese nachricht wurde von mein",
        "holen sie sich outlook",
    ]
    /// "Sent" in several languages.
    private static let sentWords: Set = [
        "sent", "gesendet", "envoyé", "enviado", "verzonden", "inviato", "skickat", "sendt",
        "lähetetty",
    ]
    /// "From" and "with" in these languages.
    private static let fromWords: Set = [
        "from", "with", "von", "mit", "depuis", "de", "desde", "do", "met", "vanaf", "da", "från",
        "fra",
    ]

    /// The longest line that names a program, in octets.
    private static let programOctetsMax = 200

    /// True for a line such as "CAUTION: This email originated from outside the organization."
    private static func isOfGateway(_ line: Substring) -> Bool {
        let plain = line.lowercased().drop { !$0.isLetter }
        let marks = [
            "caution", "warning", "external", "achtung", "vorsicht", "attention", "extern",
        ]
        let isAboutMail =
            plain.contains(/(this|diese|ce) (e-?mail|message|mail|nachricht|courriel)/)
            || plain.contains(/external (e-?mail|sender)|externer absender/)
        return marks.contains { plain.hasPrefix($0) } && isAboutMail
            && plain.contains(/outside|external|extern|außerhalb|unknown|extérieur/)
    }

    private static func isEnd(_ line: Substring) -> Bool {
        let plain = line.trimmingCharacters(in: .whitespaces)
        return line.hasPrefix(">") || plain == "--"
            || plain.hasPrefix("-----") || plain.hasPrefix("_____")
            || (plain.hasPrefix("From: ") && hasAddress(plain[...]))
            || plain.hasPrefix("Begin forwarded message") || isAttribution(plain)
    }

    private static func hasAddress(_ line: Substring) -> Bool {
        line.contains(/[^\s@]@[^\s@]+\./)
    }

    /// True for the line that introduces a quotation, as "On Thu, 26 Nov 2026, Olga wrote:".
    private static func isAttribution(_ line: String) -> Bool {
        let words = line.lowercased().split { !$0.isLetter }.map(String.init)
        // German programs put the author behind the verb: "Am 26.11.2026 schrieb Olga:".
        let isWritten =
            words.last.map { verbs.contains($0) } == true
            || words.first == "am" && words.contains("schrieb")
        return line.hasSuffix(":") && line.contains(/\d/) && isWritten
    }

    private static let verbs: Set = [
        "wrote", "schrieb", "geschrieben", "écrit", "escribió", "scritto", "schreef", "escreveu",
        "skrev", "kirjoitti",
    ]

    /// True if lines begin with the header of a quoted mail, as Outlook writes it in every
    /// language: "Von: …", "Gesendet: …", "An: …".
    private static func isHeader(_ lines: ArraySlice<Substring>) -> Bool {
        let head = lines.prefix(headerLinesMax).prefix { !$0.allSatisfy(\.isWhitespace) }
        let labels = head.prefix { line in
            line.utf8.count <= labelOctetsMax
                && line.wholeMatch(of: /\s*\*?[\p{L}][\p{L} ’'.-]{0,24}:?\*?\s?:?\s.*/) != nil
                && line.contains(":")
        }
        // Some programs write the time before the sender.
        let isByName = labels.prefix(2).contains { line in
            senders.contains { line.lowercased().drop { " *".contains($0) }.hasPrefix($0) }
        }
        return labels.count >= headerLinesMin && labels.contains { $0.contains(/\b20\d\d\b/) }
            && (isByName || labels.first.map { hasAddress($0) } == true)
    }

    /// The words with which the header of a quoted mail begins in several languages.
    private static let senders = [
        "from:", "von:", "de:", "de :", "da:", "van:", "od:", "från:", "fra:", "lähettäjä:", "от:",
        "发件人", "差出人",
    ]

    /// The longest line of such a header, in octets.
    private static let labelOctetsMax = 4000
    private static let headerLinesMin = 3
    private static let headerLinesMax = 6

    private static func dropBlanks(at lines: inout [Substring]) {
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    }

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
