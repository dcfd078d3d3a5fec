public import Transport

/// A source of places.
///
/// ```swift
/// let answer = try await source.search(
///     PlaceQuery(latitude: 60.17, longitude: 24.94, radiusMeters: 3000, categories: museums))
/// ```
public protocol PlaceSource: Sendable {
    /// The places around a position, nearest first, those without a distance last.
    func search(_ query: PlaceQuery) async throws(PlaceError) -> PlaceAnswer

    /// The place with this id.
    func details(id: String) async throws(PlaceError) -> PlaceAnswer
}

/// A search for places. It always has a position.
public struct PlaceQuery: Equatable, Sendable {
    /// The default radius.
    public static let radiusMetersDefault = 5_000
    /// The largest radius.
    public static let radiusMetersMax = 100_000
    /// The default number of places to return.
    public static let limitDefault = 20
    /// The largest number of places that one search returns.
    public static let limitMax = 500

    /// Degrees north, WGS 84.
    public var latitude: Double
    /// Degrees east, WGS 84.
    public var longitude: Double
    /// The radius, from 1 to ``radiusMetersMax``.
    public var radiusMeters: Int
    /// A place must have at least one of these categories; if empty, any place will do.
    public var categories: [Category]
    /// The text that words of the name must begin with.
    public var text: String?
    /// The most places to return, from 1 to ``limitMax``.
    public var limit: Int

    /// Creates a search. The radius and the limit are clamped to their ranges.
    public init(
        latitude: Double, longitude: Double, radiusMeters: Int = PlaceQuery.radiusMetersDefault,
        categories: [Category] = [], text: String? = nil, limit: Int = PlaceQuery.limitDefault
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMeters = min(max(1, radiusMeters), PlaceQuery.radiusMetersMax)
        self.categories = categories
        self.text = text
        self.limit = min(max(1, limit), PlaceQuery.limitMax)
    }
}

/// The result of a search.
public struct PlaceAnswer: Equatable, Sendable {
    /// The places.
    public var places: [Place]
    /// The attribution that must be shown beside the places.
    public var attribution: String
    /// Warnings for the person who searched, as sentences.
    public var warnings: [String]
    /// True if there are more places than `places` holds.
    public var truncated: Bool

    /// Creates an answer.
    public init(
        places: [Place], attribution: String, warnings: [String] = [], truncated: Bool = false
    ) {
        self.places = places
        self.attribution = attribution
        self.warnings = warnings
        self.truncated = truncated
    }
}

/// A service that provides places.
public enum PlaceService: String, Sendable {
    /// Foursquare's Places API.
    case foursquare = "Foursquare"
    /// A server of the Overpass API.
    case overpass = "Overpass"
    /// The catalogue of this home.
    case catalogue = "The catalogue"
}

/// The reason why a source returned no places. Its texts never contain a key.
public enum PlaceError: Error, Equatable, Sendable {
    /// The query is invalid. Nothing was sent.
    case badQuery(String)
    /// The configuration of the service is invalid. Nothing was sent.
    case misconfigured(PlaceService, String)
    /// There was no answer.
    case unreachable(PlaceService, TransportError)
    /// The service refused the key or no longer offers this API. Retrying does not help.
    case refused(PlaceService, String)
    /// The service rejected the request; the text comes from the service.
    case badRequest(PlaceService, String)
    /// The service does not know this place.
    case notFound(id: String)
    /// There were too many requests. The text and the time to wait come from the service.
    case rateLimited(PlaceService, retryAfterSeconds: Int?, words: String? = nil)
    /// The paid or free credit is used up; the text comes from the service.
    case outOfCredit(PlaceService, words: String? = nil)
    /// The service is reachable but cannot answer now.
    case unavailable(PlaceService, String)
    /// The answer cannot be read.
    case unreadable(PlaceService, String)
    /// The caller cancelled the search.
    case cancelled

    /// The problem and its remedy, as sentences for people.
    public var message: String {
        switch self {
        case .badQuery(let words), .misconfigured(_, let words): words
        case .unreachable(let service, let error):
            "\(service.rawValue) could not be reached. \(error.message)"
        case .refused(_, let words): words
        case .badRequest(let service, let words):
            "\(service.rawValue) did not accept the request: \(words)"
        case .notFound(let id): "No place has the id \"\(id)\"."
        case .rateLimited(let service, let seconds, let words):
            "\(service.rawValue) is busy\(PlaceError.told(words)): "
                + (seconds.map { "try again in \(PlaceError.span($0))." }
                    ?? "try again in a few minutes.")
        case .outOfCredit(let service, let words):
            "The credit for \(service.rawValue) is used up\(PlaceError.told(words)). Its developer "
                + "console shows when it is renewed."
        case .unavailable(let service, let words):
            "\(service.rawValue) cannot answer now: \(words). Try again later."
        case .unreadable(let service, let words):
            "\(service.rawValue) sent an answer that cannot be read: \(words)."
        case .cancelled: "The search was cancelled."
        }
    }

    private static func told(_ words: String?) -> String {
        words.map { " (\"\($0)\")" } ?? ""
    }

    private static func span(_ seconds: Int) -> String {
        switch seconds {
        case ...1: "a second"
        case ..<120: "\(seconds) seconds"
        case ..<7200: "\((seconds + 59) / 60) minutes"
        case ..<86_400: "\((seconds + 3599) / 3600) hours"
        case 86_400: "1 day"
        default: "\((seconds + 86_399) / 86_400) days"
        }
    }
}
