import StreamSafe

/// Text whose long lines a mail program has broken (RFC 3676).
enum FlowedText {
    /// The text with its broken lines joined.
    ///
    /// - Parameters:
    ///   - text: the text as sent, in which a space at the end of a line marks a break.
    ///   - deletingSpaces: true if that space is not a part of the text (`delsp=yes`).
    /// - Returns: the text; lines of a quotation begin with `>`.
    static func plain(_ text: String, deletingSpaces: Bool) -> String {
        var lines: [(depth: Int, text: String)] = []
        var isBroken = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let depth = line.prefix { $0 == ">" }.count
            var content = line.dropFirst(depth)
            // A space at the start is stuffed (RFC 3676, 4.4).
            if content.first == " " { content = content.dropFirst() }
            let isSignature = content == "-- "
            let ends = content.hasSuffix(" ") && !isSignature
            let own = String(ends && deletingSpaces ? content.dropLast() : content)
            if isBroken, !isSignature, lines.last?.depth == depth {
                lines[lines.count - 1].text += own
            } else {
                lines.append((depth, own))
            }
            isBroken = ends
        }
        return lines.map { depth, text in
            depth == 0 ? text : String(repeating: ">", count: depth) + " " + text
        }.joined(separator: "\n").streamSafe
    }
}
