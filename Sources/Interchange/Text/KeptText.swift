import StreamSafe

/// Cleaned text: trimmed, and free of control characters.
enum KeptText {
    /// The text as one line: line breaks and tabs become spaces.
    static func line(_ text: String) -> String {
        cleaned(text) { _ in " " }
    }

    /// The text as several lines: every line end becomes LF, and tabs become spaces.
    static func block(_ text: String) -> String {
        cleaned(text) { $0 == "\t" ? " " : "\n" }
    }

    /// `text` in quotation marks, cut to a length that fits into a message.
    static func quoted(_ text: String) -> String { "\"\(shown(text))\"" }

    /// `text` as one line, cut to a length that fits into a message.
    static func shown(_ text: String) -> String {
        let clean = line(text)
        guard clean.count > shownCharactersMax else { return clean }
        return "\(clean.prefix(shownCharactersMax))..."
    }

    /// The bytes of a line in quotation marks, as in ``quoted(_:)``.
    static func quoted(_ bytes: ArraySlice<UInt8>) -> String {
        // More bytes than are shown are read, so that a cut is always visible.
        quoted(String(decoding: bytes.prefix(8 * shownCharactersMax), as: UTF8.self))
    }

    private static let shownCharactersMax = 60

    private static func cleaned(
        _ text: String, replacingBreak: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        guard needsWork(text) else { return text }
        var kept = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            switch scalar {
            case "\n" where afterReturn: continue
            case "\n", "\r", "\t": kept.append(replacingBreak(scalar))
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
            default: kept.append(scalar)
            }
        }
        let start = kept.firstIndex { !$0.properties.isWhitespace } ?? kept.endIndex
        let end = kept.lastIndex { !$0.properties.isWhitespace }.map(kept.index(after:))
        return String(kept[start..<(end ?? start)]).streamSafe
    }

    private static func needsWork(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
            return false
        }
        return isWhitespace(first) || isWhitespace(last) || hasControls(text.utf8)
    }

    private static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
        // A look-up in the Unicode tables is slow and hardly ever needed.
        scalar.isASCII ? scalar.value <= 0x20 : scalar.properties.isWhitespace
    }

    private static func hasControls(_ bytes: some Collection<UInt8>) -> Bool {
        let found = bytes.withContiguousStorageIfAvailable { buffer in
            var previous: UInt8 = 0
            for byte in buffer {
                if byte < 0x20 || byte == 0x7F || previous == 0xC2 && byte < 0xA0 { return true }
                previous = byte
            }
            return false
        }
        return found ?? hasControls(Array(bytes))
    }
}
