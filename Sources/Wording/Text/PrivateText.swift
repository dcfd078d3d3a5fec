/// Masks mail addresses in texts, so that they can be shown to others.
public enum PrivateText {
    /// The text with each mail address reduced to its first letter and its host: `a…@example.org`.
    public static func of(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropLast() {
            // A quoted name may contain any character, an unquoted one any letter.
            let name =
                parts[index].hasSuffix("\"")
                ? quoted(parts[index]) : parts[index].reversed().prefix(while: belongs).count
            guard name > 0 else { continue }
            let rest = parts[index].dropLast(name)
            let local = parts[index].suffix(name)
            // The slashes of a URL stay.
            let slashes = local.prefix { $0 == "/" }
            parts[index] = rest + slashes + local.dropFirst(slashes.count).prefix(1) + "…"
        }
        return parts.joined(separator: "@")
    }

    /// The number of characters at the end that are in quotes.
    private static func quoted(_ text: String) -> Int {
        let inner = text.dropLast()
        guard let start = inner.lastIndex(of: "\"") else { return 1 }
        return text.distance(from: start, to: text.endIndex)
    }

    private static func belongs(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "!#$%&'*+-/=?^_`{|}~.…".contains(character)
    }
}
