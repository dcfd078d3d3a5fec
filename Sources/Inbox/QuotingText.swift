import Foundation

/// The text of a mail that quotes other mails.
enum QuotingText {
    /// The lines that the author wrote: above, between and below the quotations. Nothing behind a
    /// signature, or behind the header of a quoted mail, is theirs.
    ///
    /// - Parameter lines: the lines of the text.
    /// - Returns: at least one part, which may be empty. Between two parts is a quotation.
    static func ownParts(of lines: ArraySlice<Substring>) -> [[Substring]] {
        var parts: [[Substring]] = [[]]
        var rest = lines
        while let line = rest.first, !isEnd(line), !QuotedHeader.begins(rest) {
            if let count = Attribution.lineCount(at: rest) {
                rest = rest.dropFirst(count)
                guard rest.first(where: { !$0.isBlank })?.isQuoted == true else { break }
            } else if line.isQuoted {
                dropIntroduction(of: &parts[parts.count - 1])
                parts.append([])
                rest = behindQuotation(rest)
            } else {
                parts[parts.count - 1].append(line)
                rest = rest.dropFirst()
            }
        }
        return parts
    }

    /// The lines behind the quoted ones. Some programs break long quoted lines, so that their ends
    /// seem to be new text.
    private static func behindQuotation(_ lines: ArraySlice<Substring>) -> ArraySlice<Substring> {
        var rest = lines
        while rest.first?.isQuoted == true {
            let quoted = rest.prefix { $0.isQuoted }
            rest = rest.dropFirst(quoted.count)
            let end = rest.prefix { !$0.isQuoted && !$0.isBlank }
            guard quoted.last.map({ $0.count >= brokenCharacters }) == true,
                rest.dropFirst(end.count).first?.isQuoted == true
            else { return rest }
            rest = rest.dropFirst(end.count)
        }
        return rest
    }

    /// The shortest quoted line that may have been broken, in characters.
    private static let brokenCharacters = 60
    /// The largest number of lines that introduce a quotation ("On Tue, Olga wrote:").
    private static let introductionLinesMax = 3

    /// Removes the lines above a quotation that introduce it, in whatever language.
    private static func dropIntroduction(of lines: inout [Substring]) {
        lines.dropBlanks()
        guard lines.last?.trimmingCharacters(in: .whitespaces).hasSuffix(":") == true else {
            return
        }
        let words = lines.reversed().prefix { !$0.isBlank }
        let isShort = words.count <= introductionLinesMax
        guard words.prefix(isShort ? words.count : 1).contains(where: \.namesTimeOrAddress) else {
            return
        }
        lines.removeLast(isShort ? words.count : 1)
    }

    private static func isEnd(_ line: Substring) -> Bool {
        let plain = line.trimmingCharacters(in: .whitespaces)
        let words = plain.lowercased()
        return plain == "--" || plain.hasPrefix("-----") || plain.hasPrefix("_____")
            || plain.hasPrefix("From: ") && plain[...].hasAddress
            || forwards.contains { words.hasPrefix($0) }
    }

    /// The beginnings of lines above a forwarded mail.
    private static let forwards = [
        "begin forwarded message", "anfang der weitergeleiteten nachricht",
        "début du message transféré", "début du message réexpédié",
        "inicio del mensaje reenviado", "inizio messaggio inoltrato",
        "begin doorgestuurd bericht", "vidarebefordrat brev", "início da mensagem reencaminhada",
    ]
}

extension Substring {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }

    fileprivate var isQuoted: Bool { hasPrefix(">") }

    fileprivate var namesTimeOrAddress: Bool { contains(where: \.isNumber) || contains("@") }

    /// True if the text contains a mail address.
    var hasAddress: Bool {
        let words = utf8.split { $0 <= 0x20 || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
        return words.contains { word in
            let parts = word.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            return zip(parts, parts.dropFirst()).contains { local, domain in
                !local.isEmpty && domain.dropFirst().contains(UInt8(ascii: "."))
            }
        }
    }

    /// True if the text contains a year from 2000 to 2099, or a date with a year of two digits.
    var hasYear: Bool {
        let numbers = utf8.split { !$0.isDigit }
        if numbers.contains(where: { $0.count == 4 && $0.starts(with: "20".utf8) }) { return true }
        return utf8.split { !$0.isDigit && !"./-".utf8.contains($0) }.contains { date in
            let parts = date.split { !$0.isDigit }
            return parts.count == 3 && parts.allSatisfy { (1...2).contains($0.count) }
        }
    }

    /// True if the text contains a time of day, as "10:00" or "10.00".
    var hasTimeOfDay: Bool {
        let isTime: (Substring.UTF8View.SubSequence) -> Bool = { run in
            let parts = run.split(
                maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { !$0.isDigit })
            guard parts.count >= 2, let hour = parts[0].first, let minute = parts[1].first else {
                return false
            }
            return parts[0].count <= 2 && (parts[0].count == 1 || hour <= UInt8(ascii: "2"))
                && parts[1].count == 2 && minute <= UInt8(ascii: "5")
        }
        return utf8.split { !$0.isDigit && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ".") }
            .contains(where: isTime)
    }
}

extension UInt8 {
    /// True for an ASCII digit.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension [Substring] {
    /// Removes blank lines at the end.
    mutating func dropBlanks() {
        while last?.isBlank == true { removeLast() }
    }
}
