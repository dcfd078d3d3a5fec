import Ledger
import Places
import Storage

/// A city as `place cities` prints it.
public struct CityView: Encodable, Sendable {
    /// The GeoNames id.
    public let id: Int
    /// The full label, such as "Helsinki, Uusimaa, Finland".
    public let label: String
    /// The name.
    public let name: String
    /// The region.
    public let region: String
    /// The country's ISO code.
    public let country: String
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double
    /// The number of inhabitants.
    public let population: Int
    /// The time zone.
    public let tz: String

    init(_ city: City) {
        id = city.id
        label = city.label
        name = city.name
        region = city.region
        country = city.country
        latitude = city.latitude
        longitude = city.longitude
        population = city.population
        tz = city.zone
    }
}

/// An interest: a word for a kind of place to search for.
public struct InterestView: Encodable, Sendable {
    /// The word.
    public let name: String
    /// The synonyms.
    public let synonyms: [String]
    /// The names of the categories that it stands for.
    public let categories: [String]

    init(_ interest: Interest) {
        name = interest.name
        synonyms = interest.synonyms
        categories = interest.categories.map(\.name)
    }
}

/// A place as `place search` and `place show` print it.
public struct PlaceView: Encodable, Sendable {
    /// A category.
    public struct Category: Encodable, Sendable {
        /// The id in Foursquare's taxonomy.
        public let id: String
        /// The name; empty if it is unknown.
        public let name: String
    }

    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// Degrees north.
    @Null public var latitude: Double?
    /// Degrees east.
    @Null public var longitude: Double?
    /// The distance from the centre of the search, in metres.
    @Null public var distanceM: Int?
    /// The categories.
    public let categories: [Category]
    /// The address in one line.
    public let address: String
    /// The time zone.
    @Null public var tz: String?
    /// The web page of the place.
    @Null public var url: String?
    /// The opening hours in the words of the source.
    @Null public var hours: String?

    /// The names of the categories, separated by commas.
    public var kind: String {
        categories.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    init(_ place: Place, zone: String?) {
        id = place.id
        name = place.name
        latitude = place.latitude
        longitude = place.longitude
        distanceM = place.distanceMeters
        categories = place.categories.map { Category(id: $0.id, name: $0.name) }
        address = place.address
        tz = zone
        url = place.url
        hours = place.hours
    }
}

/// The answer of `place search`.
public struct PlaceSearchView: Encodable, Sendable {
    /// The interest that was searched for.
    public struct Interest: Encodable, Sendable {
        /// The word that was typed.
        public let asked: String
        /// The names of the categories that the word stands for.
        public let categories: [String]

        init(asked: String, _ meaning: InterestMeaning) {
            self.asked = asked
            categories = meaning.categories.map(\.name)
        }
    }

    /// The city of the search; `null` for a search around a position.
    @Null public var city: CityView?
    /// The interest that was searched for.
    public let interest: Interest
    /// The source that answered: `catalogue` or `foursquare`.
    public let source: String
    /// The attribution to show with the places.
    public let attribution: String
    /// Remarks for the user.
    public let warnings: [String]
    /// True if there are more places than results.
    public let truncated: Bool
    /// The places, nearest first.
    public let results: [PlaceView]

    init(_ search: PlaceSearchResult, asked: String, zone: (Place) -> String?) {
        let answer = search.answer
        city = search.city.map { CityView($0) }
        interest = Interest(asked: asked, search.meaning)
        source = search.source
        let cities = search.city == nil ? [] : [Gazetteer.attribution]
        attribution = ([answer.attribution] + cities).filter { !$0.isEmpty }
            .joined(separator: "; ")
        warnings = search.meaning.warnings + answer.warnings
        truncated = answer.truncated
        results = answer.places.map { PlaceView($0, zone: zone($0)) }
    }
}

/// A saved place as `place saved` prints it.
public struct SavedPlaceView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// The id at its source; `null` for a place that the user added.
    @Null public var reference: String?
    /// The address.
    public let address: String
    /// Degrees north.
    @Null public var latitude: Double?
    /// Degrees east.
    @Null public var longitude: Double?

    init(_ place: SavedPlace) {
        id = place.id.text
        name = place.name
        reference = place.reference
        address = place.address
        latitude = place.latitude
        longitude = place.longitude
    }
}
