/// A venue as a source describes it.
///
/// Its texts are one line each, without control characters and without marks that turn the
/// direction of the text around them.
public struct Place: Equatable, Sendable {
    /// The id, which begins with its source: `osm:node/123`, `fsq:4d41b8c490f9224b9397121e`.
    public var id: String
    /// The name, never empty.
    public var name: String
    /// Degrees north, WGS 84; nil, like the longitude, where the source does not say.
    public var latitude: Double?
    /// Degrees east, WGS 84.
    public var longitude: Double?
    /// What kind of place it is, in the source's order.
    public var categories: [Category]
    /// The address in one line; empty where the source does not say.
    public var address: String
    /// A page about the place, `http` or `https`.
    public var url: String?
    /// Opening hours, as the source writes them.
    public var hours: String?
    /// The way from where the search began; nil outside of searches and without a position.
    public var distanceMeters: Int?

    /// Describes a place.
    public init(
        id: String, name: String, latitude: Double? = nil, longitude: Double? = nil,
        categories: [Category] = [], address: String = "", url: String? = nil,
        hours: String? = nil, distanceMeters: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.categories = categories
        self.address = address
        self.url = url
        self.hours = hours
        self.distanceMeters = distanceMeters
    }
}

extension [Place] {
    /// The places nearest first, those without a distance last, equals in their order.
    public var sortedByDistance: [Place] {
        enumerated().sorted { left, right in
            let leftKey = (left.element.distanceMeters ?? .max, left.offset)
            return leftKey < (right.element.distanceMeters ?? .max, right.offset)
        }.map(\.element)
    }
}

/// A place read from a file or brought by Overpass, with what leads to its categories.
public struct ImportedPlace: Equatable, Sendable {
    /// The place; its categories are still to be found.
    public var place: Place
    /// Tags of OpenStreetMap without those that hold phone numbers and mail addresses; empty for
    /// places from elsewhere.
    public var osmTags: [String: String]
    /// Ids of categories in Foursquare's taxonomy; empty for places from elsewhere.
    public var categoryIDs: [String]

    /// Describes a place that was read.
    public init(place: Place, osmTags: [String: String] = [:], categoryIDs: [String] = []) {
        self.place = place
        self.osmTags = osmTags
        self.categoryIDs = categoryIDs
    }
}
