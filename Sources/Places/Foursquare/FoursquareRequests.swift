import Transport

/// Builds the requests to the Places API, version 2025-06-17. They ask only for fields of the basic
/// tier ("Pro"): a single other field raises the price of the whole call.
struct FoursquareRequests: Sendable {
    /// The version of the API.
    static let version = "2025-06-17"
    /// The most places on one page of an answer.
    static let pageLimitMax = 50
    /// The most bytes of an answer to read.
    static let bodyBytesMax = 4 << 20
    static let timeoutMilliseconds = 8_000

    private static let detailFields =
        "fsq_place_id,name,latitude,longitude,location,categories,date_closed,unresolved_flags"
    private static let searchFields = detailFields + ",distance"

    let base: HTTPURL
    let key: FoursquareKey

    /// The first page of a search. It always contains a position: without one, Foursquare searches
    /// around the IP address of this machine.
    func search(
        _ query: PlaceQuery, around position: PlacePosition
    ) throws(TransportError) -> HTTPRequest {
        var pairs = [
            (name: "ll", value: position.text), (name: "radius", value: "\(query.radiusMeters)"),
            (name: "sort", value: "DISTANCE"),
            (name: "limit", value: "\(min(query.limit, Self.pageLimitMax))"),
            (name: "fields", value: Self.searchFields),
        ]
        if !query.categories.isEmpty {
            let ids = query.categories.map(\.id).joined(separator: ",")
            pairs.append((name: "fsq_category_ids", value: ids))
        }
        if let text = query.text { pairs.append((name: "query", value: text)) }
        let url = try base.appending(path: "/places/search", query: pairs)
        return request(url)
    }

    func details(_ id: FoursquareID) throws(TransportError) -> HTTPRequest {
        let url = try base.appending(
            path: "/places/\(id.text)", query: [("fields", Self.detailFields)])
        return request(url)
    }

    /// A request with the key. The URL must have the same origin as ``base``.
    func request(_ url: HTTPURL) -> HTTPRequest {
        var request = HTTPRequest(.get, url)
        request.headers = [
            "Authorization": "Bearer \(key.value)", "X-Places-Api-Version": Self.version,
            "Accept": "application/json",
        ]
        request.bodyBytesMax = Self.bodyBytesMax
        request.timeoutMilliseconds = Self.timeoutMilliseconds
        return request
    }
}

/// An id of Foursquare: letters and digits, today 24 hexadecimal digits.
struct FoursquareID: Hashable {
    static let prefix = "fsq:"
    private static let bytesMax = 64

    let text: String

    /// Creates an id; nil if the text could not stand unescaped in a URL.
    init?(_ text: String) {
        let isWord = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard isWord, (1...Self.bytesMax).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// Parses the id of a place, such as `fsq:4d41b8c490f9224b9397121e`.
    init?(placeID: String) {
        guard placeID.hasPrefix(Self.prefix) else { return nil }
        self.init(String(placeID.dropFirst(Self.prefix.count)))
    }

    var placeID: String { Self.prefix + text }

    /// The web page of the place. Foursquare requires that the name link to it.
    var page: String { "https://foursquare.com/v/\(text)" }
}
