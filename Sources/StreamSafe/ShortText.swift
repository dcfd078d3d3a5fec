/// Shortens texts that come from outside, between characters as readers see them (Unicode Standard
/// Annex 29, 3): a letter keeps its marks, and an emoji its parts.
public enum ShortText {
    /// The text, or its beginning and "…" if it is longer than a limit.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - scalarsMax: the most Unicode scalars of the result, at least 1.
    /// - Returns: the text, or as many whole characters of it as fit, without a space at the end,
    ///   and "…".
    public static func of(_ text: String, scalarsMax: Int) -> String {
        guard text.unicodeScalars.count > scalarsMax else { return text }
        var room = scalarsMax - 1
        let start = text.prefix { character in
            room -= character.unicodeScalars.count
            return room >= 0
        }
        return withEllipsis(start)
    }

    /// The text, or its beginning and "…" if it is longer than a limit.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - charactersMax: the most characters of the result, at least 1.
    /// - Returns: the text, or its first characters, without a space at the end, and "…".
    public static func of(_ text: String, charactersMax: Int) -> String {
        guard text.utf8.count > charactersMax, text.count > charactersMax else { return text }
        return withEllipsis(text.prefix(charactersMax - 1))
    }

    private static func withEllipsis(_ start: Substring) -> String {
        var start = start
        while start.last?.isWhitespace == true { start.removeLast() }
        return start + "…"
    }
}
