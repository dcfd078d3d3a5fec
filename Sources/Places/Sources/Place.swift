/// A venue as a source describes it.
///
/// Each text is a single line without control characters and without marks that change the
/// direction of the surrounding text.
public struct Place: Equatable, Sendable {
    /// The id, with the source as its prefix: `osm:node/123`, `fsq:4d41b8c490f9224b9397121e`.
    public var id: String
    /// The name, never empty.
    public var name: String
    /// Degrees north, WGS 84. Like the longitude, nil if the source does not give it.
    public var latitude: Double?
    /// Degrees east, WGS 84.
    public var longitude: Double?
    /// The categories, in the source's order.
    public var categories: [Category]
    /// The address on one line; empty if the source does not give it.
    public var address: String
    /// A web page about the place, `http` or `https`.
    public var url: String?
    /// The opening hours in the notation of the source.
    public var hours: String?
    /// The distance from the centre of the search; nil outside searches and for places without a
    /// position.
    public var distanceMeters: Int?

    /// Creates a place.
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
    /// The places sorted by distance. Those without a distance come last, and equal distances keep
    /// their order.
    public var sortedByDistance: [Place] {
        enumerated().sorted { left, right in
            let leftKey = (left.element.distanceMeters ?? .max, left.offset)
            return leftKey < (right.element.distanceMeters ?? .max, right.offset)
        }.map(\.element)
    }
}

/// A place from a file or from Overpass, with the tags or ids that determine its categories.
public struct ImportedPlace: Equatable, Sendable {
    /// The place, still without categories.
    public var place: Place
    /// The tags of OpenStreetMap, without phone numbers and mail addresses; empty for places from
    /// other sources.
    public var osmTags: [String: String]
    /// The ids of its categories in Foursquare's taxonomy; empty for places from other sources.
    public var categoryIDs: [String]

    /// Creates an imported place.
    public init(place: Place, osmTags: [String: String] = [:], categoryIDs: [String] = []) {
        self.place = place
        self.osmTags = osmTags
        self.categoryIDs = categoryIDs
    }
}

/// Formats an address as one line, in the order that is usual in most of Europe.
enum PlaceAddress {
    /// Street, postcode and locality, such as "Francuska 3, 11000 Beograd"; empty if all are
    /// missing.
    static func line(street: String?, postcode: String?, locality: String?) -> String {
        let town = [postcode, locality].compactMap(\.self).joined(separator: " ")
        return [street, town].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension [Place] {
    /// The distance within which places are at one spot, in kilometres.
    private static var spotKilometres: Double { 0.3 }

    /// The position of places that are all at one spot, in degrees; `nil` if they are apart, or if
    /// no position is known.
    public var spot: (latitude: Double, longitude: Double)? {
        let positions = compactMap { place -> (latitude: Double, longitude: Double)? in
            guard let latitude = place.latitude, let longitude = place.longitude else {
                return nil
            }
            return (latitude, longitude)
        }
        guard let first = positions.first else { return nil }
        let isOne = positions.allSatisfy {
            GreatCircle.kilometres(from: first, to: $0) <= Self.spotKilometres
        }
        return isOne ? first : nil
    }
}
