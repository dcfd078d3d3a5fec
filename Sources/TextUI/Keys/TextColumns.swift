import Wording

/// The width of text on a terminal, in columns.
package enum TextColumns {
    /// The width of a character: 0 for a lone mark or another invisible character, 2 for a wide
    /// one, otherwise 1.
    package static func width(of character: Character) -> Int {
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

    /// The width of Latin letters and signs, without a lookup in Unicode's tables, since most text
    /// consists of them; `nil` for other scalars.
    private static func latinWidth(of scalar: Unicode.Scalar) -> Int? {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD: 0
        case 0..<0x300: 1
        default: nil
        }
    }

    /// The width of a text: the sum over its characters, with a fast path for Latin text.
    package static func width(of text: String) -> Int {
        var sum = 0
        for scalar in text.unicodeScalars {
            guard let width = latinWidth(of: scalar) else {
                return text.reduce(0) { $0 + width(of: $1) }
            }
            sum += width
        }
        return sum
    }

    /// The width of a sequence of characters.
    package static func width(of text: some Sequence<Character>) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// The text cut to a number of columns, with an ellipsis if something is cut off.
    package static func fit(_ text: String, in columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        guard columns > 0 else { return "" }
        return prefix(of: text, in: columns - 1) + "…"
    }

    /// The texts cut to a number of columns like ``fit(_:in:)``. Texts that would look the same are
    /// also cut before the place at which they differ, so that it is seen.
    package static func fitApart(_ texts: [String], in columns: Int) -> [String] {
        let fitted = texts.map { fit($0, in: columns) }
        let groups = Dictionary(grouping: texts.indices) { fitted[$0] }
        var apart = fitted
        for group in groups.values where Set(group.map { texts[$0] }).count > 1 {
            let same = commonCount(group.map { Array(texts[$0]) })
            for place in group { apart[place] = cut(texts[place], before: same, in: columns) }
        }
        return apart
    }

    /// The number of characters with which all texts begin.
    private static func commonCount(_ texts: [[Character]]) -> Int {
        let shortest = texts.map(\.count).min() ?? 0
        return (0..<shortest).first { place in
            texts.contains { $0[place] != texts[0][place] }
        } ?? shortest
    }

    /// The first third of the columns, and the text from a place on, with ellipses where something
    /// is cut off.
    private static func cut(_ text: String, before place: Int, in columns: Int) -> String {
        let start = prefix(of: text, in: columns / 3)
        let end = text.dropFirst(max(place, start.count))
        return start + fit("…\(end)", in: columns - width(of: start))
    }

    /// The longest prefix that fits into a number of columns.
    package static func prefix(of text: some Sequence<Character>, in columns: Int) -> String {
        var rest = columns
        return String(
            text.prefix { character in
                rest -= width(of: character)
                return rest >= 0
            })
    }

    /// The text in rows of at most `columns`, broken between words. An empty text is one empty row.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - columns: the most columns of a row.
    ///   - isCut: true to cut a word that is too long; false to leave it whole, such as a path.
    /// - Returns: the rows.
    package static func wrap(_ text: String, in columns: Int, isCut: Bool = true) -> [String] {
        var rows = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let row = rows[rows.count - 1]
            let joined = row.isEmpty ? String(word) : "\(row) \(word)"
            if width(of: joined) <= columns {
                rows[rows.count - 1] = joined
            } else {
                if !row.isEmpty { rows.append("") }
                rows[rows.count - 1] = isCut ? fit(String(word), in: columns) : String(word)
            }
        }
        return rows
    }

    /// The blocks with East_Asian_Width W or F in Unicode. Emoji are recognized by their property.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]
}

/// Text for one row of a terminal, without control characters. For text of several lines,
/// ``VisibleText`` shows control characters as visible text instead.
package enum RowText {
    /// The text with each line break and tab replaced by a space, and without the scalars that
    /// control a terminal according to ``VisibleText``.
    package static func of(_ text: String) -> String {
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
