/// Texts for chat services, which interpret mentions and markup.
enum ChatText {
    /// An invisible character that breaks mentions and markup.
    static let nothing = "\u{200B}"

    /// The text with its mentions disabled and without links that hide their address behind words.
    static func harmless(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var isInAddress = false
        var last: Character = " "
        for (place, character) in zip(text.indices, text) {
            if character.isWhitespace { isInAddress = false }
            isInAddress = isInAddress || character == "/" && result.hasSuffix(":/")
            // Parentheses after brackets hold a link: [words](address).
            if character == "(", last == "]" { result += nothing }
            result.append(character)
            if character == "@" {
                let rest = text[text.index(after: place)...]
                let isMention = !isInAddress && !last.isLetter && !last.isNumber
                if isMention || last == "<" || callsMany(rest) { result += nothing }
            }
            last = character
        }
        return result
    }

    private static func callsMany(_ rest: Substring) -> Bool {
        let word = rest.prefix { $0.isASCII && $0.isLetter }.lowercased()
        return ["all", "channel", "everyone", "here", "group"].contains(word)
    }
}

extension String {
    /// The end of an isolate (Unicode Standard Annex 9, 2.4): a name in a script that runs from
    /// right to left stands between isolating marks.
    private static let isolateEnd: Character = "\u{2069}"
    private static let isolateStarts: Set<Character> = ["\u{2066}", "\u{2067}", "\u{2068}"]

    /// The beginning of the text that fits into a number of octets, with each character in the
    /// spelling of its reader. An ellipsis replaces the rest, and isolates that were open end
    /// behind it, so that nothing behind the text is turned.
    func fitting(octets: Int, spelling: (Character) -> String = { String($0) }) -> String {
        var spelt = ""
        var fitting = 0
        var ends = ""
        var isolates = 0
        for character in self {
            spelt += spelling(character)
            if Self.isolateStarts.contains(character) { isolates += 1 }
            if character == Self.isolateEnd { isolates = max(0, isolates - 1) }
            let marks = String(repeating: spelling(Self.isolateEnd), count: isolates)
            if spelt.utf8.count + marks.utf8.count <= octets - 3 {
                (fitting, ends) = (spelt.utf8.count, marks)
            }
            guard spelt.utf8.count <= octets else {
                return String(decoding: spelt.utf8.prefix(fitting), as: UTF8.self) + "…" + ends
            }
        }
        return spelt
    }
}
