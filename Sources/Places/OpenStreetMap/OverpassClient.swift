public import Transport

/// Brings the places of one city from a server of the Overpass API, in one request and only when
/// somebody asks for it.
///
/// ```swift
/// let answer = try await OverpassClient(client: client, server: url)
///     .places(with: tags, latitude: 60.17, longitude: 24.94, radiusMeters: 5000)
/// ```
///
/// Nothing is sent again by itself: public servers are shared, and a busy one wants rest.
public struct OverpassClient: Sendable {
    /// The largest radius that can be fetched.
    public static let radiusMetersMax = OverpassQuery.radiusMetersMax
    /// The most bytes of an answer that are read.
    public static let bodyBytesMax = 64 << 20
    /// Longer than the server may work.
    public static let timeoutMilliseconds = (OverpassQuery.timeoutSeconds + 30) * 1000

    private let client: HTTPClient
    private let url: HTTPURL

    /// A client for one server.
    ///
    /// - Parameters:
    ///   - client: sends the request; its user agent is how this program names itself.
    ///   - server: the address of the server's interpreter.
    /// - Throws: ``PlaceError/misconfigured(_:_:)`` for what is no address.
    public init(client: HTTPClient, server: String) throws(PlaceError) {
        self.client = client
        do {
            url = try HTTPURL(server)
        } catch {
            throw .misconfigured(.overpass, "LETSMEET_OVERPASS_URL is wrong. \(error.message)")
        }
    }

    /// The named places with any of these tags around a position.
    ///
    /// - Parameters:
    ///   - tags: what is looked for, 1 to 200 tags.
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - radiusMeters: from 1 to ``radiusMetersMax``.
    /// - Returns: the places, and the moment of the data.
    /// - Throws: ``PlaceError``.
    public func places(
        with tags: [OverpassTag], latitude: Double, longitude: Double, radiusMeters: Int
    ) async throws(PlaceError) -> OverpassAnswer {
        let query = try OverpassQuery(
            tags: tags, latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
        let response = try await send(query)
        if let error = Self.error(for: response) { throw error }
        let reply = try Self.read(response.body)
        // The status is 200 also when the server gave up: then the answer lacks what it had not
        // found yet.
        if let remark = reply.remark {
            throw .unavailable(.overpass, "it gave up half way, with the words \"\(remark)\"")
        }
        guard !reply.places.isEmpty || reply.faults.isEmpty else {
            throw .unreadable(.overpass, "none of its elements is a place that can be read")
        }
        return OverpassAnswer(reply)
    }

    private func send(_ query: OverpassQuery) async throws(PlaceError) -> HTTPResponse {
        var request = HTTPRequest(.post, url)
        request.headers = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        ]
        request.body = Array(FormText.encode([("data", query.text)]).utf8)
        request.bodyBytesMax = Self.bodyBytesMax
        request.timeoutMilliseconds = Self.timeoutMilliseconds
        do {
            return try await client.send(request)
        } catch .cancelled {
            throw .cancelled
        } catch {
            throw .unreachable(.overpass, error)
        }
    }

    private static func error(for response: HTTPResponse) -> PlaceError? {
        switch response.status {
        case 200..<300: nil
        case 300..<400: .unreadable(.overpass, "a redirect (\(response.status)), not followed")
        case 400: .badRequest(.overpass, "it answered 400.")
        case 429, 504:
            .rateLimited(.overpass, retryAfterSeconds: response.retryAfterSeconds)
        case 500...: .unavailable(.overpass, "it answered \(response.status)")
        default:
            .refused(
                .overpass,
                "The Overpass server refused the request (\(response.status)). Check "
                    + "LETSMEET_OVERPASS_URL, or name another server there.")
        }
    }

    private static func read(_ body: [UInt8]) throws(PlaceError) -> OverpassReply {
        let value: JSONValue
        do {
            value = try JSONReader.read(body[...])
        } catch {
            throw .unreadable(.overpass, error.words(about: body))
        }
        guard let reply = OverpassReply(value) else {
            throw .unreadable(.overpass, "it has no elements")
        }
        return reply
    }
}

/// The places of one city, as an Overpass server knows them.
public struct OverpassAnswer: Equatable, Sendable {
    /// The places; their categories are still to be found.
    public let places: [ImportedPlace]
    /// Who must be named beside the places, with the day of the data.
    public let attribution: String
    /// Sentences for the person who asked.
    public let warnings: [String]
    /// How many elements are no place, and no mistake: without a name, or repeated.
    public let leftOutCount: Int
    /// Why elements cannot be read, in sentences; at most ``PlaceImport/skippedMax``.
    public let faults: [String]

    init(_ reply: OverpassReply) {
        places = reply.places
        leftOutCount = reply.leftOutCount
        faults = reply.faults
        let day = reply.dataDate.prefix { $0 != "T" }
        attribution =
            "© OpenStreetMap contributors, ODbL 1.0" + (day.isEmpty ? "" : ", data of \(day)")
        warnings =
            reply.isFull
            ? ["There are more places than one request brings: fetch a smaller radius."] : []
    }
}
