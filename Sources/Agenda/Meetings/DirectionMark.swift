/// The characters of Unicode that steer the direction of the text around them and are not seen.
///
/// In what others wrote they can make a line read as another one than it is (Unicode Technical
/// Report 36, section 2.11).
public enum DirectionMark {
    /// Whether a character turns the text after it around: an embedding, override or isolate, or
    /// the end of one.
    public static func turns(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a character is any mark of direction: one that ``turns(_:)``, or one that stands for
    /// a letter of its direction, as scripts that are written from right to left may need it.
    public static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F: true
        default: turns(scalar)
        }
    }
}
