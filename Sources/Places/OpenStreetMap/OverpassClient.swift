public import Transport

/// Fetches the places of one city and its map from an Overpass server, each in one request and only
/// on demand.
///
/// ```swift
/// let answer = try await OverpassClient(client: client, server: url)
///     .places(with: tags, latitude: 60.17, longitude: 24.94, radiusMeters: 5000)
/// ```
///
/// It never retries, because public servers are shared and a busy one needs rest.
public struct OverpassClient: Sendable {
    /// The largest radius that can be fetched.
    public static let radiusMetersMax = OverpassQuery.radiusMetersMax
    /// The most bytes of an answer to read.
    public static let bodyBytesMax = 64 << 20
    /// The time limit of the request. It is longer than that of the query on the server.
    public static let timeoutMilliseconds = (OverpassQuery.timeoutSeconds + 30) * 1000

    private let client: HTTPClient
    private let url: HTTPURL

    /// A client for one server.
    ///
    /// - Parameters:
    ///   - client: sends the request, with the user agent of this program.
    ///   - server: the address of the server's interpreter.
    /// - Throws: ``PlaceError/misconfigured(_:_:)`` if the address is invalid.
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
    ///   - tags: the tags to search for, 1 to 200.
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - radiusMeters: the radius, from 1 to ``radiusMetersMax``.
    /// - Returns: the places and the date of the data.
    /// - Throws: ``PlaceError``.
    public func places(
        with tags: [OverpassTag], latitude: Double, longitude: Double, radiusMeters: Int
    ) async throws(PlaceError) -> OverpassAnswer {
        let query = try OverpassQuery(
            tags: tags, latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
        guard let reply = OverpassReply(try Self.json(try await ask(query.text))) else {
            throw Self.noElements
        }
        // The status is 200 even if the server stopped early. The answer then lacks the places that
        // it had not found yet.
        if let remark = reply.remark {
            throw .unavailable(.overpass, "it stopped early and said \"\(remark)\"")
        }
        guard !reply.places.isEmpty || reply.faults.isEmpty else {
            throw .unreadable(.overpass, "none of its elements is a readable place")
        }
        return OverpassAnswer(reply)
    }

    /// The streets, buildings, water and parks of an area.
    ///
    /// - Throws: ``PlaceError``.
    public func map(of area: MapArea) async throws(PlaceError) -> OverpassMap {
        let octets = try await ask(try OverpassMapQuery(area).text)
        var ways = OverpassMap.Ways()
        let body: JSONValue
        do {
            body = try JSONReader.read(octets[...], elementsOf: "elements") { ways.add($0) }
        } catch {
            throw .unreadable(.overpass, error.words(about: octets))
        }
        if let remark = PlaceText.line(body["remark"]) {
            throw .unavailable(.overpass, "it stopped early and said \"\(remark)\"")
        }
        guard case .array? = body["elements"] else { throw Self.noElements }
        return OverpassMap(ways, body)
    }

    private static let noElements = PlaceError.unreadable(
        .overpass, "it contains no list of elements")

    private func ask(_ query: String) async throws(PlaceError) -> [UInt8] {
        let response = try await send(query)
        if let error = Self.error(for: response) { throw error }
        return response.body
    }

    private static func json(_ octets: [UInt8]) throws(PlaceError) -> JSONValue {
        do {
            return try JSONReader.read(octets[...])
        } catch {
            throw .unreadable(.overpass, error.words(about: octets))
        }
    }

    private func send(_ query: String) async throws(PlaceError) -> HTTPResponse {
        var request = HTTPRequest(.post, url)
        request.headers = [
            "Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json",
        ]
        request.body = Array(FormText.encode([("data", query)]).utf8)
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
        case 300..<400:
            .unreadable(
                .overpass, "it is a redirect (\(response.status)), which is not followed")
        case 400: .badRequest(.overpass, "it answered 400.")
        case 429, 504:
            .rateLimited(.overpass, retryAfterSeconds: response.retryAfterSeconds)
        case 500...: .unavailable(.overpass, "it answered \(response.status)")
        default:
            .refused(
                .overpass,
                "The Overpass server refused the request (\(response.status)). Check "
                    + "LETSMEET_OVERPASS_URL, or set it to another server.")
        }
    }
}

/// The places of one city from an Overpass server.
public struct OverpassAnswer: Equatable, Sendable {
    /// The places, still without categories.
    public let places: [ImportedPlace]
    /// The attribution that must be shown beside the places, with the date of the data.
    public let attribution: String
    /// Warnings for the person who asked, as sentences.
    public let warnings: [String]
    /// The number of elements that are correct but not imported, because they have no name or are
    /// repeated.
    public let leftOutCount: Int
    /// The problems of elements that cannot be read, as sentences; at most
    /// ``PlaceImport/skippedMax``.
    public let faults: [String]

    init(_ reply: OverpassReply) {
        places = reply.places
        leftOutCount = reply.leftOutCount
        faults = reply.faults
        attribution = Self.attribution(reply.dataDate)
        warnings =
            reply.isFull
            ? ["There are more places than one request can return. Choose a smaller radius."] : []
    }

    /// The attribution of data of this time, as the server writes it.
    static func attribution(_ dataDate: String) -> String {
        let day = dataDate.prefix { $0 != "T" }
        return "© OpenStreetMap contributors, ODbL 1.0" + (day.isEmpty ? "" : ", data of \(day)")
    }
}
