/// What a setting may hold: one line of text, which reaches other people and their terminals.
enum SettingText {
    /// What is wrong with a value, in words; `nil` when nothing is.
    static func fault(in value: String) -> String? {
        value.unicodeScalars.first(where: steers).map { scalar in
            let number = String(scalar.value, radix: 16, uppercase: true)
            let zeros = String(repeating: "0", count: max(0, 4 - number.count))
            return "holds the control character U+\(zeros)\(number). Take it out."
        }
    }

    /// Whether a character ends a line, steers a terminal, or turns the direction of text around.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
