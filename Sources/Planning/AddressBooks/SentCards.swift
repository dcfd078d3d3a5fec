import Interchange

/// The limits for cards that somebody sends to a page. The command line has none of them.
enum SentCards {
    /// The largest property without a field of its own, in octets. Pictures of address books
    /// usually have less than 50,000.
    private static let propertyMax = 64 * 1024
    /// The largest card, in octets.
    private static let cardMax = 256 * 1024

    /// A card without its large properties; `nil` if it is too large without them.
    ///
    /// - Parameters:
    ///   - card: the card.
    ///   - path: the file.
    ///   - report: gets the reasons.
    /// - Returns: the card.
    static func bounded(
        _ card: ContactCard, from path: String, _ report: inout ImportReport
    ) -> ContactCard? {
        var bounded = card
        bounded.extra.removeAll { $0.utf8.count > propertyMax }
        if bounded.extra.count < card.extra.count {
            report.warnings.append(
                .init(
                    file: path, line: card.line,
                    reason: "a picture or other data of more than 64 KiB was left out"))
        }
        guard VCardWriter.write([bounded], version: .v4).utf8.count <= cardMax else {
            report.skipped.append(
                .init(
                    file: path, line: card.line, reason: "this card has more than 256 KiB"))
            return nil
        }
        return bounded
    }
}
