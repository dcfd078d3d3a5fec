/// A category of places in Foursquare's taxonomy.
public struct Category: Hashable, Sendable {
    /// The id: 24 hexadecimal digits.
    public let id: String
    /// The last part of the label, such as "Art Museum"; empty if the label is empty.
    public let name: String
    /// The path in the taxonomy, such as "Arts and Entertainment > Museum > Art Museum"; empty if
    /// unknown.
    public let label: String
    /// The number of the category in Foursquare's old API v3.
    public let v3: Int?

    /// True if the other category is this one or one of its descendants.
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

/// A typed interest and the categories that it means.
public struct InterestMeaning: Equatable, Sendable {
    /// The words as they were typed.
    public let asked: String
    /// A place must have at least one of these categories or their descendants; if empty, any place
    /// will do.
    public let categories: [Category]
    /// Warnings for the person who searched, as sentences.
    public let warnings: [String]

    /// The meaning of a search for places of any kind.
    public static let anything = InterestMeaning(asked: "", categories: [], warnings: [])
}

/// One entry of the table of interests.
public struct Interest: Equatable, Sendable {
    /// The word to show, such as "lunch" or "art museum".
    public let name: String
    /// Other words with the same meaning, as folded by `SearchKey`.
    public let synonyms: [String]
    /// The categories that it means.
    public let categories: [Category]
}

/// The reason why an interest did not lead to categories.
public enum InterestError: Error, Equatable {
    /// The file at the path is missing or cannot be read; the reason comes from the system.
    case unreadable(path: String, reason: String)
    /// A line of the table, counted from 1, does not have the format that the head of the file
    /// describes.
    case malformed(line: Int, reason: String)
    /// No interest has this name; `nearest` holds similar ones, best first.
    case unknown(String, nearest: [String])
}
