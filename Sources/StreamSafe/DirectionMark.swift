/// The invisible Unicode characters that control the direction of the text around them.
///
/// In texts by others they can make a line appear different from what it is (Unicode Technical
/// Report 36, section 2.11).
public enum DirectionMark {
    /// True if a character changes the direction of the text after it: an embedding, an override or
    /// an isolate, or the end of one.
    public static func turns(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// True if a character is any direction mark: one that ``turns(_:)``, or an implicit mark,
    /// which right-to-left scripts may need.
    public static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F: true
        default: turns(scalar)
        }
    }
}

extension String {
    /// The text without marks that turn the text after them: see ``DirectionMark/turns(_:)``.
    /// Letters of scripts that run from right to left need none.
    public var withoutTurningMarks: String {
        guard unicodeScalars.contains(where: DirectionMark.turns) else { return self }
        return String(
            String.UnicodeScalarView(unicodeScalars.filter { !DirectionMark.turns($0) }))
    }
}
