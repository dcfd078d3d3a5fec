import Agenda

/// Texts at the edge to a terminal: what others wrote must not steer it.
public enum VisibleText {
    /// The text with every character written out that a terminal would obey: control characters
    /// other than line feed and tab, and those that turn the direction of text around (Unicode
    /// Technical Report 36, section 2.11). ESC is shown as `\u{1b}`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - styles: sequences that pass, because the caller put them there.
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

    /// Whether a text has a character that ``steers(_:)``: quick, for answers of any length.
    public static func mayNotPass(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.contains { index in
                let byte = bytes[index]
                if byte < 0x80 { return byte < 0x20 ? byte != 0x09 && byte != 0x0A : byte == 0x7F }
                // Every other one begins with one of these two, and is looked at in whole.
                guard byte == 0xC2 || byte == 0xE2 else { return false }
                let character = String(decoding: bytes[index...].prefix(3), as: UTF8.self)
                return character.unicodeScalars.first.map(steers) ?? false
            }
        }
    }

    /// Whether a terminal would obey a character.
    public static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0: true
        default: DirectionMark.turns(scalar)
        }
    }

    private static func written(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16))}"
    }
}
