internal import Agenda
import Foundation
internal import Timekeeping

/// What people say they want ("museum", "lunch", "swimming"), and the categories that it means.
///
/// ```swift
/// let interests = try Interests(file: share + "/interests.tsv")
/// try interests.meaning(of: "Art Museums").categories.map(\.name) == ["Art Museum"]
/// ```
public struct Interests: Sendable {
    /// The most words that are offered for one that nobody knows.
    public static let nearestMax = 5

    /// Everything that can be asked for by a word, in the order of the table.
    public let all: [Interest]
    /// Every category that has a word, in the order of the table.
    public let categories: [Category]
    private let indicesByTag: [String: [Int]]

    /// The tags of OpenStreetMap that mean a category, such as `amenity=cafe`, in order.
    public var tags: [String] { indicesByTag.keys.sorted() }

    private let interestByKey: [String: Int]

    /// Reads the table from a file.
    /// - Throws: ``InterestError/unreadable(path:reason:)`` or
    ///   ``InterestError/malformed(line:reason:)``.
    public init(file path: String) throws(InterestError) {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
        try self.init(parsing: text)
    }

    /// Reads the table from its text.
    /// - Throws: ``InterestError/malformed(line:reason:)``.
    public init(parsing text: String) throws(InterestError) {
        let table = try InterestTable(parsing: text)
        all = table.interests
        categories = table.categories
        indicesByTag = table.indicesByTag
        interestByKey = Self.indexed(table.interests)
    }

    /// What the words mean: a word of the table in singular or plural, a category's label or the
    /// end of it, its id, or its number in Foursquare's old interface v3.
    ///
    /// A well-formed id that the table lacks is taken as it is, with a warning: only Foursquare
    /// knows what it means.
    /// - Throws: ``InterestError/unknown(_:nearest:)``.
    public func meaning(of asked: String) throws(InterestError) -> InterestMeaning {
        let key = SearchKey.fold(asked)
        if let index = interestByKey[key] {
            return InterestMeaning(asked: asked, categories: all[index].categories, warnings: [])
        }
        if let category = categories.first(where: { $0.id == key }) {
            return InterestMeaning(asked: asked, categories: [category], warnings: [])
        }
        if let number = Int(key), let index = categories.firstIndex(where: { $0.v3 == number }) {
            return translated(asked, to: categories[index])
        }
        if Self.isID(key) { return unlisted(asked, id: key) }
        throw .unknown(asked, nearest: nearest(to: key))
    }

    /// The categories of a place with these tags of OpenStreetMap. A tag may hold several values
    /// between semicolons: `cuisine=pizza;kebab`.
    public func categories(forOSMTags tags: [String: String]) -> [Category] {
        var indices: Set<Int> = []
        for (key, values) in tags {
            for value in values.split(separator: ";") {
                let value = value.trimmingCharacters(in: .whitespaces)
                indices.formUnion(indicesByTag["\(key)=\(value)"] ?? [])
            }
        }
        return indices.sorted().map { categories[$0] }
    }

    /// The categories of the table with these ids, in the order given; others are left out.
    public func categories(withIDs ids: [String]) -> [Category] {
        ids.compactMap { id in categories.first { $0.id == id } }
    }

    /// The label that the table has for an id; nil where it has none.
    func label(ofID id: String) -> String? {
        categories.first { $0.id == id }?.label
    }

    /// Whether the text is 24 hexadecimal digits in small letters.
    static func isID(_ text: String) -> Bool {
        text.utf8.count == 24
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Words go before labels, so that "restaurant" stays what the table says.
    private static func indexed(_ interests: [Interest]) -> [String: Int] {
        var indices: [String: Int] = [:]
        for (index, interest) in interests.enumerated() {
            for word in [interest.name] + interest.synonyms { indices[word] = index }
        }
        for (index, interest) in interests.enumerated() where interest.categories.count == 1 {
            for label in [interest.categories[0].label, interest.categories[0].name] {
                let key = SearchKey.fold(label)
                indices[key] = indices[key] ?? index
            }
        }
        return indices
    }

    private func translated(_ asked: String, to category: Category) -> InterestMeaning {
        InterestMeaning(
            asked: asked, categories: [category],
            warnings: [
                "\(asked) is a number of Foursquare's old interface v3. It was read as "
                    + "\"\(category.name)\", which is \(category.id) now."
            ])
    }

    private func unlisted(_ asked: String, id: String) -> InterestMeaning {
        InterestMeaning(
            asked: asked, categories: [Category(id: id, label: id, v3: nil)],
            warnings: [
                "\(asked) is in no list here. Only Foursquare can say which places it means."
            ])
    }

    private func nearest(to key: String) -> [String] {
        guard !key.isEmpty, key.utf8.count <= CityQuery.keyBytesMax else { return [] }
        var spelling = Spelling(of: key)
        var scores: [Int: Int] = [:]
        for (word, index) in interestByKey {
            let holds = key.utf8.count >= 3 && (word.contains(key) || key.contains(word))
            guard let score = spelling.distance(to: Array(word.utf8)) ?? (holds ? 3 : nil) else {
                continue
            }
            scores[index] = min(score, scores[index] ?? score)
        }
        return scores.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .prefix(Self.nearestMax).map { all[$0.key].name }
    }
}
