internal import Agenda
import Foundation
internal import Timekeeping

/// The interests that people type ("museum", "lunch", "swimming") and the categories that they
/// mean.
///
/// ```swift
/// let interests = try Interests(file: share + "/interests.tsv")
/// try interests.meaning(of: "Art Museums").categories.map(\.name) == ["Art Museum"]
/// ```
public struct Interests: Sendable {
    /// The most suggestions for an unknown word.
    public static let nearestMax = 5

    /// All interests in the order of the table.
    public let all: [Interest]
    /// All categories that have a word, in the order of the table.
    public let categories: [Category]
    private let indicesByTag: [String: [Int]]

    /// The tags of OpenStreetMap that mean a category, such as `amenity=cafe`, sorted.
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

    /// The categories of a typed interest: a word of the table in the singular or plural, a
    /// category's label or the end of the label, its id, or its number in Foursquare's old API v3.
    ///
    /// A well-formed id that is not in the table is passed on with a warning, because Foursquare
    /// may know it.
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

    /// The categories of a place with these tags of OpenStreetMap. A tag may have several values
    /// separated by semicolons: `cuisine=pizza;kebab`.
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

    /// The categories of the table with these ids, in the given order. Unknown ids are ignored.
    public func categories(withIDs ids: [String]) -> [Category] {
        ids.compactMap { id in categories.first { $0.id == id } }
    }

    /// The label of an id in the table; nil if it is not there.
    func label(ofID id: String) -> String? {
        categories.first { $0.id == id }?.label
    }

    /// True if the text is 24 lowercase hexadecimal digits.
    static func isID(_ text: String) -> Bool {
        text.utf8.count == 24
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Words take precedence over labels, so that "restaurant" keeps the meaning that the table
    /// gives it.
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
                "\"\(asked)\" is a category number of Foursquare's old API v3. It was read as "
                    + "\"\(category.name)\", whose id is now \(category.id)."
            ])
    }

    private func unlisted(_ asked: String, id: String) -> InterestMeaning {
        InterestMeaning(
            asked: asked, categories: [Category(id: id, label: id, v3: nil)],
            warnings: [
                "The category \"\(asked)\" is unknown here. It is searched for as it is."
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
