import StreamSafe

/// Texts of people inside other text, kept from changing the direction of what stands around them
/// (Unicode Technical Report 36, 2.11; Unicode Standard Annex 9, 3.1).
enum IsolatedText {
    private static let firstStrong = "\u{2068}"
    private static let end = "\u{2069}"
    /// The first octet in UTF-8 of every mark that turns text.
    static let firstOctet: UInt8 = 0xE2

    /// The text with marks that turn text shown instead of obeyed, and between isolating marks if
    /// it has letters of a script that runs from right to left.
    static func of(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return text }
        let shown = shown(text, besides: [])
        return shown.unicodeScalars.contains(where: isRightToLeft)
            ? firstStrong + shown + end : shown
    }

    /// The text with marks that turn text shown instead of obeyed, besides those of ``of(_:)``.
    static func shown(_ text: String) -> String {
        guard text.utf8.contains(firstOctet) else { return text }
        return shown(text, besides: [0x2068, 0x2069])
    }

    private static func shown(_ text: String, besides kept: Set<UInt32>) -> String {
        let turns = { (scalar: Unicode.Scalar) in
            DirectionMark.turns(scalar) && !kept.contains(scalar.value)
        }
        guard text.unicodeScalars.contains(where: turns) else { return text }
        return text.unicodeScalars.map { scalar in
            turns(scalar) ? VisibleText.written(scalar) : String(scalar)
        }.joined()
    }

    /// True for a letter of Hebrew, Arabic and the other scripts that run from right to left.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
