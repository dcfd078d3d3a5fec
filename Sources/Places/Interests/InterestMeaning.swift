/// A category of places in Foursquare's taxonomy.
public struct Category: Hashable, Sendable {
    /// 24 hexadecimal digits.
    public let id: String
    /// The last part of the label: "Art Museum"; empty where the label is.
    public let name: String
    /// The way down to it: "Arts and Entertainment > Museum > Art Museum"; empty where nobody knows
    /// it.
    public let label: String
    /// The number that Foursquare's old interface v3 had for it.
    public let v3: Int?

    /// Whether the other category is this one or lies under it.
    public func covers(_ other: Category) -> Bool {
        id == other.id || !label.isEmpty && other.label.hasPrefix(label + Self.separator)
    }

    static let separator = " > "

    init(id: String, label: String, v3: Int?) {
        self.id = id
        self.label = label
        self.v3 = v3
        name = label.split(separator: Self.separator).last.map(String.init) ?? label
    }
}

/// What somebody asked for, and the categories that it means.
public struct InterestMeaning: Equatable, Sendable {
    /// The words as they were typed.
    public let asked: String
    /// Any of these; none means all. A category stands for all that lie under it.
    public let categories: [Category]
    /// Sentences for the person who asked.
    public let warnings: [String]

    /// Of a search that is not for any kind of place.
    public static let anything = InterestMeaning(asked: "", categories: [], warnings: [])
}

/// One line of what can be asked for.
public struct Interest: Equatable, Sendable {
    /// The word that is shown: "lunch", "art museum".
    public let name: String
    /// Other words that mean the same, in the form of `SearchKey`.
    public let synonyms: [String]
    /// The categories that it means.
    public let categories: [Category]
}

/// Why words did not lead to categories.
public enum InterestError: Error, Equatable {
    /// The file at the path is missing or cannot be read; the reason is the system's.
    case unreadable(path: String, reason: String)
    /// A line of the table, counted from 1, is not as its head says.
    case malformed(line: Int, reason: String)
    /// Nothing is called so; `nearest` are words that may be meant, best first.
    case unknown(String, nearest: [String])
}
