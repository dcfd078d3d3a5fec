/// How many columns text takes on a terminal.
enum TextColumns {
    /// 0 for marks and other invisible characters alone, 2 for wide ones, else 1.
    static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isWide =
            first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) }
            || character.unicodeScalars.contains("\u{FE0F}")
        return isWide ? 2 : 1
    }

    /// The sum over the characters.
    static func width(of text: some Sequence<Character>) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// As much of the text as so many columns hold, with an ellipsis where something is missing.
    static func fit(_ text: String, in columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        guard columns > 0 else { return "" }
        return prefix(of: text, in: columns - 1) + "…"
    }

    /// The longest beginning that so many columns hold.
    static func prefix(of text: some Sequence<Character>, in columns: Int) -> String {
        var rest = columns
        return String(
            text.prefix { character in
                rest -= width(of: character)
                return rest >= 0
            })
    }

    /// The text in rows of so many columns, broken between words where that is possible; an empty
    /// text is one empty row.
    static func wrap(_ text: String, in columns: Int) -> [String] {
        var rows = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let row = rows[rows.count - 1]
            let joined = row.isEmpty ? String(word) : "\(row) \(word)"
            if width(of: joined) <= columns {
                rows[rows.count - 1] = joined
            } else {
                if !row.isEmpty { rows.append("") }
                rows[rows.count - 1] = fit(String(word), in: columns)
            }
        }
        return rows
    }

    /// The blocks of Unicode's East_Asian_Width W and F; emoji are known by their property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]
}
