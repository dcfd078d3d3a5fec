/// How many columns text takes on a terminal.
enum TextColumns {
    /// 0 for marks and other invisible characters alone, 2 for wide ones, else 1.
    static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.count == 1, let width = latinWidth(of: first) { return width }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isWide =
            first.properties.isEmojiPresentation || wide.contains { $0.contains(first.value) }
            || character.unicodeScalars.contains("\u{FE0F}")
        return isWide ? 2 : 1
    }

    /// Latin letters and signs, of which most text is, need no look into Unicode's tables; nil for
    /// others.
    private static func latinWidth(of scalar: Unicode.Scalar) -> Int? {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD: 0
        case 0..<0x300: 1
        default: nil
        }
    }

    /// The sum over the characters; quick for the Latin text that most text is.
    static func width(of text: String) -> Int {
        var sum = 0
        for scalar in text.unicodeScalars {
            guard let width = latinWidth(of: scalar) else {
                return text.reduce(0) { $0 + width(of: $1) }
            }
            sum += width
        }
        return sum
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
