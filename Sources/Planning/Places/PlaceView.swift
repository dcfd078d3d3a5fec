import Ledger
import Places
import Storage

/// A city as `place cities` prints it.
public struct CityView: Encodable, Sendable {
    /// The id in GeoNames.
    public let id: Int
    /// "Helsinki, Uusimaa, Finland".
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
    /// How many people live there.
    public let population: Int
    /// The zone.
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

/// A word that can be looked for.
public struct InterestView: Encodable, Sendable {
    /// The word.
    public let name: String
    /// Other words for it.
    public let synonyms: [String]
    /// What it means.
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
        /// The name; empty where nobody knows it.
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
    /// The way from where the search began, in metres.
    @Null public var distanceM: Int?
    /// What kind of place it is.
    public let categories: [Category]
    /// The address in one line.
    public let address: String
    /// The zone.
    @Null public var tz: String?
    /// A page about it.
    @Null public var url: String?
    /// Opening hours as the source has them.
    @Null public var hours: String?

    /// What kind of place it is, in words.
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
    /// What was looked for.
    public struct Interest: Encodable, Sendable {
        /// The word that was typed.
        public let asked: String
        /// What it means.
        public let categories: [String]

        init(asked: String, _ meaning: InterestMeaning) {
            self.asked = asked
            categories = meaning.categories.map(\.name)
        }
    }

    /// The city, where the search began in one.
    @Null public var city: CityView?
    /// What was looked for.
    public let interest: Interest
    /// Which source answered.
    public let source: String
    /// Who must be named beside the places.
    public let attribution: String
    /// What else there is to know.
    public let warnings: [String]
    /// Whether there is more.
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
    /// The id at its source; `null` for a place of one's own.
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
