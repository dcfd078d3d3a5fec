/// The addresses in the text of a report.
///
/// Of a mail that an address has passed on to another one, the report names both, and delivery
/// failed only at the other one.
struct ReportedAddresses {
    /// The addresses at which delivery failed. Empty if the report names only those that have
    /// passed the mail on.
    let failed: [String]
    /// All addresses, the failed ones first.
    let all: [String]

    /// Finds the addresses in a text.
    ///
    /// - Parameters:
    ///   - report: the text.
    ///   - stated: the addresses that the header of the report states as those that failed.
    ///   - own: the addresses between which the report was sent.
    init(in report: ReportText, stated: [String], between own: [String]) {
        let own = Set(own.map(MailAddress.folded))
        func others(_ addresses: [String]) -> [String] {
            addresses.filter { !own.contains(MailAddress.folded($0)) }
        }
        var named = Self.named(in: report.alone)
        // A report that names nobody is about the receiver of the returned mail.
        if others(named).isEmpty { named = Self.named(in: report.introduced) }
        let refused = others(Self.refused(in: report.alone))
        let listed = others(Self.headings(of: report.alone)) + refused
        let likely = !stated.isEmpty ? stated : refused.isEmpty ? named : listed
        let origins = Self.origins(in: report.alone)
        func behind(_ addresses: [String]) -> [String] {
            addresses.filter { !origins.contains(MailAddress.folded($0)) }
        }
        failed = (behind(likely).isEmpty ? behind(listed) : behind(likely)).withoutRepeats
        all = (failed + stated + named).withoutRepeats
    }

    private static func named(in text: String) -> [String] {
        text.split(whereSeparator: isDelimiter).filter { $0.contains("@") }
            .compactMap { MailAddress.plausible(String($0)) }
            .filter { !$0.hasSuffix(BounceReport.identityDomain) }
    }

    private static func isDelimiter(_ character: Character) -> Bool {
        character.isWhitespace || "<>()[]\",;:".contains(character)
            || "：，；、。（）【】「」《》“”„«»".contains(character)
    }

    /// The folded addresses that have passed the mail on: "<b@example.org> (expanded from
    /// <a@example.org>)".
    static func origins(in text: String) -> Set<String> {
        let words =
            /\b(?:(?:expanded|generated|redirected|forwarded|aliased) (?:from|by|for)|orig_to=)/
            .ignoresCase()
        // A line may break between the words.
        let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return Set(
            text.matches(of: words).compactMap { address(at: text[$0.range.upperBound...]) }
                .map(MailAddress.folded))
    }

    /// The addresses that another system has refused: "RCPT TO:<a@example.org>", "550 5.1.1
    /// <a@example.org>".
    private static func refused(in text: String) -> [String] {
        let words =
            /\brcpt to ?:|\bfinal-recipient ?:(?: ?rfc822 ?;)?|\b5\d\d[ :-]+(?:5[.\d]+[ :]+)?</
            .ignoresCase()
        return text.split(whereSeparator: \.isNewline)
            .filter { !AddressRefusal.isAboutSender($0.lowercased()) }
            .flatMap { line in
                line.matches(of: words).compactMap { address(at: line[$0.range.upperBound...]) }
            }
    }

    /// The addresses at the beginnings of lines, above or before what the report says of them.
    private static func headings(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let start = line.drop { $0.isWhitespace || "<*-".contains($0) }
            let word = start.prefix { !isDelimiter($0) }
            guard word.contains("@") else { return nil }
            let end = start[word.endIndex...].drop { $0 == ">" || $0.isWhitespace }
            let isAlone = end.isEmpty || end.hasPrefix(":") || end.hasPrefix("(")
            return isAlone ? MailAddress.plausible(String(word)) : nil
        }
    }

    /// The address with which a text begins, behind blanks, a colon or a bracket.
    private static func address(at text: Substring) -> String? {
        let start = text.drop { $0 == " " || "<\"':".contains($0) }
        return MailAddress.plausible(String(start.prefix { !isDelimiter($0) }))
    }
}
