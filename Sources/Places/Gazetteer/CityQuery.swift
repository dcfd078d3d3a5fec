internal import Agenda

/// A typed city name, parsed in every way that it can be read.
struct CityQuery {
    /// One way to read it: the key of a name, and keys of the region or country in any order.
    struct Reading: Equatable {
        let name: String
        let qualifiers: [String]
    }

    /// Longer keys match no city.
    static let keyBytesMax = 200

    /// The typed name up to the first comma. Its accents distinguish San José from San Jose.
    let typedName: String
    /// The possible readings, the best first. With commas, the name ends at the first comma;
    /// without, the longest name comes first: "new york us" is New York in the US before it is
    /// "new" in "york us".
    let readings: [Reading]
    /// The key of the text before the first comma. It may be misspelled.
    let nameKey: String
    /// The GeoNames id if the text is one: `658225` or `geonames:658225`.
    let id: Int?

    init(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "," || $0 == "，" || $0 == ";" })
        let spaces = { (character: Character) in character.isWhitespace }
        typedName = String((parts.first ?? "").drop(while: spaces).trimmingSuffix(while: spaces))
        id = Self.id(in: typedName)
        let keys = parts.map { SearchKey.fold(String($0)) }.filter { !$0.isEmpty }
        nameKey = keys.first ?? ""
        guard !keys.isEmpty, keys.reduce(0, { $0 + $1.utf8.count }) <= Self.keyBytesMax else {
            readings = []
            return
        }
        readings = keys.count == 1 ? Self.readings(ofWords: keys[0]) : Self.readings(of: keys)
    }

    private static func readings(of keys: [String]) -> [Reading] {
        keys.indices.map { last in
            Reading(
                name: keys[...last].joined(separator: " "), qualifiers: Array(keys[(last + 1)...]))
        }
    }

    /// The readings of a text without commas, such as "springfield il": the whole text, then ever
    /// shorter names.
    private static func readings(ofWords key: String) -> [Reading] {
        let words = key.split(separator: " ")
        return (1...words.count).reversed().map { count in
            let rest = words[count...].joined(separator: " ")
            return Reading(
                name: words[..<count].joined(separator: " "), qualifiers: rest.isEmpty ? [] : [rest]
            )
        }
    }

    private static func id(in text: String) -> Int? {
        let prefix = "geonames:"
        let digits = text.lowercased().hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        return digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
            ? Int(digits) : nil
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !isTrimmed($0) }) else { return "" }
        return self[...last]
    }
}
