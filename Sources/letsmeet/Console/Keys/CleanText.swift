/// Text that can stand in one line of a terminal: nothing in it moves the cursor, turns the
/// direction of writing or changes a colour.
enum CleanText {
    /// The text with every line break and tab as a space, without other control characters and
    /// without the marks that turn the direction of writing.
    static func line(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": clean.append(" ")
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            default:
                if scalar.properties.generalCategory != .control { clean.append(scalar) }
            }
        }
        return String(clean)
    }
}
