internal import Agenda

/// What somebody typed for a city, taken apart in every way that it can be read.
struct CityQuery {
    /// One reading: the key of a name, and keys of the region or country, in any order.
    struct Reading: Equatable {
        let name: String
        let qualifiers: [String]
    }

    /// Keys longer than this name no city.
    static let keyBytesMax = 200

    /// The name as typed, up to the first comma: its accents tell San José from San Jose.
    let typedName: String
    /// The best reading first. With commas, the name ends at the first; without, it is as long as
    /// any city's: "new york us" is New York in the US before it is "new" in a "york us".
    let readings: [Reading]
    /// The key of what stands before the first comma, which may be misspelled.
    let nameKey: String
    /// The id in GeoNames, when the text is one: `658225` or `geonames:658225`.
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

    /// "springfield il" without a comma: the whole text, then ever shorter names.
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
