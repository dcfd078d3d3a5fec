public import Transport

/// Where places are looked for.
///
/// ```swift
/// let answer = try await source.search(
///     PlaceQuery(latitude: 60.17, longitude: 24.94, radiusMeters: 3000, categories: museums))
/// ```
public protocol PlaceSource: Sendable {
    /// The places around a position, nearest first, those without a distance last.
    func search(_ query: PlaceQuery) async throws(PlaceError) -> PlaceAnswer

    /// The one place of this id.
    func details(id: String) async throws(PlaceError) -> PlaceAnswer
}

/// What is looked for, and where: never a search without a position.
public struct PlaceQuery: Equatable, Sendable {
    /// The radius that is searched unless somebody says otherwise.
    public static let radiusMetersDefault = 5_000
    /// The largest radius that can be searched.
    public static let radiusMetersMax = 100_000
    /// How many places are brought unless somebody says otherwise.
    public static let limitDefault = 20
    /// The most places that one search brings.
    public static let limitMax = 500

    /// Degrees north, WGS 84.
    public var latitude: Double
    /// Degrees east, WGS 84.
    public var longitude: Double
    /// From 1 to ``radiusMetersMax``.
    public var radiusMeters: Int
    /// Any of these; none means all.
    public var categories: [Category]
    /// Beginnings of words of the name.
    public var text: String?
    /// From 1 to ``limitMax``.
    public var limit: Int

    /// Describes a search. Radius and limit are brought into their ranges.
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

/// What a source found.
public struct PlaceAnswer: Equatable, Sendable {
    /// The places.
    public var places: [Place]
    /// Who must be named beside the places.
    public var attribution: String
    /// Sentences for the person who searched.
    public var warnings: [String]
    /// Whether there is more that is not in `places`.
    public var truncated: Bool

    /// Describes an answer.
    public init(
        places: [Place], attribution: String, warnings: [String] = [], truncated: Bool = false
    ) {
        self.places = places
        self.attribution = attribution
        self.warnings = warnings
        self.truncated = truncated
    }
}

/// A service that is asked over the network.
public enum PlaceService: String, Sendable {
    /// Foursquare's Places API.
    case foursquare = "Foursquare"
    /// A server of the Overpass API.
    case overpass = "Overpass"
    /// The catalogue of the home.
    case catalogue = "The catalogue"
}

/// Why a source brought no places. No text holds a key.
public enum PlaceError: Error, Equatable, Sendable {
    /// What was asked makes no sense, and nothing was sent.
    case badQuery(String)
    /// The service cannot be used as it is configured, and nothing was sent.
    case misconfigured(PlaceService, String)
    /// No answer came.
    case unreachable(PlaceService, TransportError)
    /// The service refused the key, or serves this interface no more: asking again is no use.
    case refused(PlaceService, String)
    /// The service did not accept what was asked; the words are its own.
    case badRequest(PlaceService, String)
    /// The service has no such place.
    case notFound(id: String)
    /// Too many requests; the seconds are the service's own advice, and so are the words.
    case rateLimited(PlaceService, retryAfterSeconds: Int?, words: String? = nil)
    /// What was paid for, or the free share, is used up; the words are the service's own.
    case outOfCredit(PlaceService, words: String? = nil)
    /// The service is there and cannot answer now.
    case unavailable(PlaceService, String)
    /// An answer came that cannot be read.
    case unreadable(PlaceService, String)
    /// The caller gave up.
    case cancelled

    /// What went wrong and what helps, in sentences for people.
    public var message: String {
        switch self {
        case .badQuery(let words), .misconfigured(_, let words): words
        case .unreachable(let service, let error):
            "\(service.rawValue) could not be reached. \(error.message)"
        case .refused(_, let words): words
        case .badRequest(let service, let words):
            "\(service.rawValue) did not accept the request: \(words)"
        case .notFound(let id): "There is no place \(id)."
        case .rateLimited(let service, let seconds, let words):
            "\(service.rawValue) is busy\(PlaceError.told(words)): "
                + (seconds.map { "try again in \(PlaceError.span($0))." }
                    ?? "try again in a few minutes.")
        case .outOfCredit(let service, let words):
            "The credit for \(service.rawValue) is used up\(PlaceError.told(words)). Its console "
                + "shows when more comes."
        case .unavailable(let service, let words):
            "\(service.rawValue) cannot answer now: \(words). Try again later."
        case .unreadable(let service, let words):
            "\(service.rawValue) sent an answer that cannot be read: \(words)."
        case .cancelled: "The search was given up."
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
