/// Texts for rooms whose programs look for more in them than words.
enum ChatText {
    /// A character that nobody sees, which takes its meaning from what stands around it.
    static let nothing = "\u{200B}"

    /// The same text, of which no word calls anybody, and no words hide where a link leads.
    static func harmless(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var isInAddress = false
        var last: Character = " "
        for (place, character) in zip(text.indices, text) {
            if character.isWhitespace { isInAddress = false }
            isInAddress = isInAddress || character == "/" && result.hasSuffix(":/")
            // What stands behind brackets is where they lead: [words](address).
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
    /// The beginning of a text, as much of it as fits into so many octets, each character spelt as
    /// its reader wants it; what was left out is shown by dots.
    func fitting(octets: Int, spelling: (Character) -> String = { String($0) }) -> String {
        var spelt = ""
        var fitting = 0
        for character in self {
            spelt += spelling(character)
            if spelt.utf8.count <= octets - 3 { fitting = spelt.utf8.count }
            guard spelt.utf8.count <= octets else {
                return String(decoding: spelt.utf8.prefix(fitting), as: UTF8.self) + "…"
            }
        }
        return spelt
    }
}
