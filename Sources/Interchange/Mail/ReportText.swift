/// The text of a report for its reader, without the returned mail.
struct ReportText {
    /// The text above a line that introduces the returned mail.
    let introduced: String
    /// The text without the header of the returned mail, whose addresses are not those that failed.
    let alone: String

    /// The most characters of a text that are read.
    private static let charactersMax = 32 << 10

    init(_ text: String) {
        let text = String(text.prefix(Self.charactersMax))
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let whole = lines.prefix { !Self.isBeforeReturned($0) }
        introduced = Self.joined(whole)
        let report = Self.joined(whole.prefix(Self.headerStart(in: whole)))
        // A report may begin with the fields of the mail, and name the addresses below.
        alone = report.contains("@") ? report : introduced
    }

    private static func joined(_ lines: ArraySlice<Substring>) -> String {
        lines.joined(separator: "\n")
    }

    /// True for a line such as "--- The header of the original message is following. ---".
    private static func isBeforeReturned(_ line: Substring) -> Bool {
        guard line.hasPrefix("---") || line.hasPrefix("___") else { return false }
        let words = line.lowercased()
        return ["message", "mail", "header", "original", "copy"].contains { words.contains($0) }
    }

    // MARK: The header of the returned mail

    /// The number of lines above the header of the returned mail; all if the text quotes none.
    private static func headerStart(in lines: ArraySlice<Substring>) -> Int {
        guard let mark = lines.firstIndex(where: { marks.contains(fieldName(of: $0)) }) else {
            return lines.count
        }
        var (above, folded) = (0, 0)
        for line in lines[..<mark].reversed() {
            if isField(fieldName(of: line)) {
                above += folded + 1
                folded = 0
            } else if line.first?.isWhitespace == true, !line.allSatisfy(\.isWhitespace) {
                // A folded field continues on indented lines.
                folded += 1
            } else {
                break
            }
        }
        return mark - lines.startIndex - above
    }

    /// The name of the field in a line, in lower case, behind the marks of a quotation; empty if
    /// the line is none.
    private static func fieldName(of line: Substring) -> String {
        let start = line.drop { ">| \t".contains($0) }.prefix(nameCharactersMax)
        guard let end = start.firstIndex(of: ":") else { return "" }
        return start[..<end].lowercased()
    }

    private static let nameCharactersMax = 40

    /// The fields of a header that a report does not state in its own words.
    private static let marks: Set = [
        "message-id", BounceReport.identityField.lowercased(), "received", "return-path",
        "dkim-signature", "mime-version",
    ]
    private static let fields: Set = [
        "from", "to", "cc", "subject", "date", "sender", "reply-to", "delivered-to",
        "envelope-to", "auto-submitted", "list-unsubscribe", "references", "in-reply-to",
    ]

    private static func isField(_ name: String) -> Bool {
        marks.contains(name) || fields.contains(name)
            || ["x-", "content-", "arc-"].contains { name.hasPrefix($0) }
    }
}
