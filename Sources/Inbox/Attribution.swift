import Foundation

/// The words that introduce a quotation, as "On Thu, 26 Nov 2026, Olga wrote:".
enum Attribution {
    private static let linesMax = 3
    private static let octetsMax = 500

    /// The number of lines that introduce a quotation; `nil` if the text does not begin with such
    /// lines.
    static func lineCount(at lines: ArraySlice<Substring>) -> Int? {
        let head = lines.prefix(linesMax).prefix { !$0.isBlank && !$0.hasPrefix(">") }
        return (0..<head.count).map { $0 + 1 }.first { count in
            let own = Array(head.prefix(count))
            guard isWhole(joined(own)) else { return false }
            // The first line may be the author's, above an introduction.
            let isBroken = count == 1 || !ends(own[0])
            return isBroken
                && (begins(own[0]) || !(1..<count).contains { isDated(joined(own[$0...])) })
        }
    }

    private static func joined(_ lines: some Sequence<Substring>) -> Substring {
        lines.joined(separator: " ")[...]
    }

    private static func ends(_ line: Substring) -> Bool {
        line.last { !$0.isWhitespace }.map { ".!?…".contains($0) } ?? true
    }

    /// True if a line begins as dates do in introductions, and contains a number.
    private static func begins(_ line: Substring) -> Bool {
        let first = line.lowercased().split { !$0.isLetter }.first.map(String.init) ?? ""
        return starts.contains(first) && line.contains(where: \.isNumber)
    }

    private static let starts: Set = [
        "on", "am", "le", "el", "il", "op", "em", "den", "på", "w", "dnia", "в", "dne",
    ]

    private static func isDated(_ text: Substring) -> Bool {
        (text.hasYear || text.hasTimeOfDay) && isWhole(text)
    }

    /// True if a text is a whole introduction.
    static func isWhole(_ line: Substring) -> Bool {
        guard line.utf8.count <= octetsMax else { return false }
        let text = line.trimmingCharacters(in: .whitespaces)[...]
        let isDated = text.hasYear || text.hasTimeOfDay
        // Some programs quote the mail on the same line.
        if isDated, let begin = text.firstMatch(of: /[>)]\s*(\p{L}+)\s*:/) {
            if verbs.contains(begin.1.lowercased()) { return true }
        }
        if isDated, text.hasAddress, text.contains(nameAndAddress) { return true }
        let isClosed =
            text.hasSuffix(":") || text.hasSuffix("：")
            || text.hasPrefix("--") && text.hasSuffix("-")
        guard isClosed else { return false }
        let isWritten = text.lowercased().split { !$0.isLetter }
            .contains { verbs.contains(String($0)) }
        return isWritten && (isDated || text.hasAddress) || isDated && text.hasAddress
    }

    /// A name in quotation marks, an address and a dash, before the date, as Nextcloud writes it.
    private static var nameAndAddress: Regex<Substring> {
        /^["“„”«][^"“”„»]*["“”»]\s+[^\s@]+@[^\s@]+\s+[–-]\s/
    }

    /// "Wrote" in several languages.
    private static let verbs: Set = [
        "wrote", "writes", "schrieb", "schreibt", "geschrieben", "écrit", "escribió", "scritto",
        "schreef", "geschreven", "escreveu", "skrev", "skriver", "kirjoitti", "napisał",
        "napisała", "pisze", "пишет", "написал", "написала", "пише", "napsal", "napsala", "írta",
        "yazdı", "scris", "έγραψε", "写道", "寫道",
    ]
}
