extension String {
    /// The text without the characters that change the direction of the text around them:
    /// embeddings, overrides and isolates (Unicode Standard Annex 9, 2). Names and titles of people
    /// keep their own direction without them.
    var withoutTurningMarks: String {
        guard utf8.contains(Unicode.Scalar.firstOctetOfTurningMarks),
            unicodeScalars.contains(where: \.turnsText)
        else { return self }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: unicodeScalars.filter { !$0.turnsText })
        return String(text)
    }
}

extension Unicode.Scalar {
    /// The first octet, in UTF-8, of every character that turns text.
    static let firstOctetOfTurningMarks: UInt8 = 0xE2

    /// True if the character changes the direction of the text around it.
    var turnsText: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
