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

extension StringProtocol {
    /// True if nothing of the text is visible: it is empty, or has only spaces, control characters
    /// and characters that are not drawn (U+200B, U+2060, U+00AD, direction marks).
    public var showsNothing: Bool { unicodeScalars.allSatisfy(\.showsNothing) }
}

extension Unicode.Scalar {
    /// True if it is not drawn by itself (Unicode's Default_Ignorable_Code_Point and White_Space,
    /// and the empty Braille pattern, which is drawn as a space).
    fileprivate var showsNothing: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || isControl
            || self == "\u{2800}"
    }

    /// True if it is a control character (Unicode category Cc).
    var isControl: Bool { properties.generalCategory == .control }

    /// True if it is one of the separators U+2028 and U+2029, which also end lines.
    var endsLine: Bool {
        [.lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
