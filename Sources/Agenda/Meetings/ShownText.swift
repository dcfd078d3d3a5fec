extension StringProtocol {
    /// Whether nothing of the text can be seen: it is empty, or holds only spaces, control
    /// characters and such as are not drawn (U+200B, U+2060, U+00AD, direction marks).
    public var showsNothing: Bool { unicodeScalars.allSatisfy(\.showsNothing) }
}

extension Unicode.Scalar {
    /// Whether it is not drawn by itself (Unicode's Default_Ignorable_Code_Point and White_Space,
    /// and the empty Braille pattern, which is drawn as a space).
    fileprivate var showsNothing: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || isControl
            || self == "\u{2800}"
    }

    /// Whether it is a control character (Unicode category Cc).
    var isControl: Bool { properties.generalCategory == .control }

    /// Whether it is one of the separators U+2028 and U+2029, at which lines end too.
    var endsLine: Bool {
        [.lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
