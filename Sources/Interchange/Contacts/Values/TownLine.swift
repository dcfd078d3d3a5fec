/// A postcode and a town in one text: "53111 Bonn", "1234 AB Utrecht", "London SW1A 1AA".
struct TownLine: Equatable {
    let postcode: String
    let town: String

    init(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        let isCode = words.map { $0.contains(where: \.isNumber) }
        if isCode.first == true {
            let count = Self.codeCount(words, isCode)
            postcode = words.prefix(count).joined(separator: " ")
            town = words.dropFirst(count).joined(separator: " ")
        } else if isCode.last == true, let start = isCode.firstIndex(of: true) {
            postcode = words[start...].joined(separator: " ")
            town = words[..<start].joined(separator: " ")
        } else {
            (postcode, town) = ("", text)
        }
    }

    /// The number of words of a postcode at the beginning. In the Netherlands, two capitals follow.
    private static func codeCount(_ words: [String], _ isCode: [Bool]) -> Int {
        let digits = isCode.prefix { $0 }.count
        guard digits == 1, words.count > 2, words[0].count == 4, words[1].count == 2,
            words[1].allSatisfy(\.isUppercase)
        else { return digits }
        return 2
    }
}
