import StreamSafe

/// Makes text safe to print on a terminal, so that other people's text cannot control it.
public enum VisibleText {
    /// The text with every character escaped that a terminal would obey: control characters other
    /// than line feed and tab, and characters that change the direction of text (Unicode Technical
    /// Report 36, section 2.11). ESC is shown as `\u{1b}`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - styles: escape sequences that stay as they are, because the caller added them.
    /// - Returns: the text to print.
    public static func of(_ text: String, keeping styles: [String] = []) -> String {
        guard mayNotPass(text) else { return text }
        let scalars = Array(text.unicodeScalars)
        var shown = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let rest = scalars[index...]
            if let style = styles.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                shown.append(contentsOf: style.unicodeScalars)
                index += style.unicodeScalars.count
                continue
            }
            if steers(scalars[index]) {
                shown.append(contentsOf: written(scalars[index]).unicodeScalars)
            } else {
                shown.append(scalars[index])
            }
            index += 1
        }
        return String(shown)
    }

    /// True if a text has a character that ``steers(_:)``. It is fast enough for output of any
    /// length.
    public static func mayNotPass(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.contains { index in
                let byte = bytes[index]
                if byte < 0x80 { return byte < 0x20 ? byte != 0x09 && byte != 0x0A : byte == 0x7F }
                // All others begin with one of these two bytes; the whole character decides.
                guard byte == 0xC2 || byte == 0xE2 else { return false }
                let character = String(decoding: bytes[index...].prefix(3), as: UTF8.self)
                return character.unicodeScalars.first.map(steers) ?? false
            }
        }
    }

    /// True if a terminal would interpret the character as a command.
    public static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        default: DirectionMark.turns(scalar)
        }
    }

    static func written(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16))}"
    }
}
