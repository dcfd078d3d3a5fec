/// A city of the bundled gazetteer.
public struct City: Equatable, Sendable {
    /// The GeoNames id, which never changes.
    public let id: Int
    /// The English name if there is one, or else the local name in Latin letters.
    public let name: String
    /// The state, province or region; empty if GeoNames has none, as for Singapore.
    public let region: String
    /// The region's code as in ISO 3166-2, without the country: `IL`, `ON`, `ENG`.
    public let regionCode: String
    /// The ISO 3166-1 code of the country: two capital letters.
    public let country: String
    /// The country's name in English.
    public let countryName: String
    /// Degrees north, WGS 84.
    public let latitude: Double
    /// Degrees east, WGS 84.
    public let longitude: Double
    /// The population; 0 if unknown.
    public let population: Int
    /// The tzdata id of the time zone, such as `Europe/Helsinki`.
    public let zone: String

    /// The text that identifies the city and that can be searched for: "Helsinki, Uusimaa,
    /// Finland".
    ///
    /// A few labels in China and India belong to two cities, which differ only in ``id``.
    public var label: String {
        [name, region, countryName].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// The reason why a name did not lead to one city.
public enum CityError: Error, Equatable {
    /// No city has this name; `nearest` holds suggestions, best first.
    case unknown(String, nearest: [City])
    /// Several cities have this name; `candidates` holds them, the most populous first.
    case ambiguous(String, candidates: [City])
}

/// The reason why the gazetteer cannot be opened.
public enum GazetteerError: Error, Equatable {
    /// The file at the path is missing or cannot be read; the reason comes from the system.
    case unreadable(path: String, reason: String)
}
