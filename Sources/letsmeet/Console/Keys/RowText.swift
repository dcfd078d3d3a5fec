import Wording

/// Text that is drawn in one row of a terminal: what would steer the terminal is left out.
/// ``VisibleText`` writes it out instead, where text of any number of lines is printed.
enum RowText {
    /// The text with every line break and tab as a space, and without what ``VisibleText`` says
    /// steers a terminal.
    static func of(_ text: String) -> String {
        var row = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": row.append(" ")
            case _ where VisibleText.steers(scalar): continue
            default: row.append(scalar)
            }
        }
        return String(row)
    }
}
