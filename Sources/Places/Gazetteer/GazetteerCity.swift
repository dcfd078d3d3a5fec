/// A city of the shipped gazetteer.
public struct City: Equatable, Sendable {
    /// The id in GeoNames, which never changes.
    public let id: Int
    /// The name in English where there is an English one, else the local name in Latin letters.
    public let name: String
    /// The state, province or region; empty where GeoNames knows none, as for Singapore.
    public let region: String
    /// The region's code, as in ISO 3166-2 without the country: `IL`, `ON`, `ENG`.
    public let regionCode: String
    /// The country's code in ISO 3166-1: two capital letters.
    public let country: String
    /// The country's name in English.
    public let countryName: String
    /// Degrees north, WGS 84.
    public let latitude: Double
    /// Degrees east, WGS 84.
    public let longitude: Double
    /// How many people live there; 0 where nobody knows.
    public let population: Int
    /// The time zone's id in tzdata: `Europe/Helsinki`.
    public let zone: String

    /// How the city is shown, and can be asked for: "Helsinki, Uusimaa, Finland".
    ///
    /// A few labels in China and India name two cities: those differ in ``id`` alone.
    public var label: String {
        [name, region, countryName].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// Why the name of a city did not lead to one city.
public enum CityError: Error, Equatable {
    /// No city has this name; `nearest` are those that may be meant, best first.
    case unknown(String, nearest: [City])
    /// Several cities have this name; `candidates` are those with most people first.
    case ambiguous(String, candidates: [City])
}

/// Why the gazetteer's files cannot be used.
public enum GazetteerError: Error, Equatable {
    /// The file at the path is missing or cannot be read; the reason is the system's.
    case unreadable(path: String, reason: String)
}
