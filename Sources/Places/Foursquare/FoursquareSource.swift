public import Timekeeping
public import Transport

/// Places from Foursquare's Places API, version 2025-06-17.
///
/// It neither stores nor logs answers, because Foursquare's terms allow only ids to be stored. A
/// request is retried at most ``retriesMax`` times, and only after a failure that may pass.
public struct FoursquareSource: PlaceSource {
    /// The attribution that must be shown beside the places. The name of each place must link to
    /// its ``Place/url``.
    public static let attribution = "Places by Foursquare (https://foursquare.com)"
    /// The most retries of one request.
    public static let retriesMax = FoursquareFailure.retriesMax
    /// The most pages of one search to read.
    public static let pagesMax = 20

    private let client: HTTPClient
    private let requests: FoursquareRequests
    private let clock: any WallClock
    private let jitter: @Sendable (ClosedRange<Int>) -> Int

    /// A source with a service key.
    ///
    /// - Parameters:
    ///   - client: sends the requests.
    ///   - key: the service key. It is sent only to `base`.
    ///   - base: the address of the API.
    ///   - clock: the clock for the waits between retries.
    ///   - jitter: draws a random number from a range.
    public init(
        client: HTTPClient, key: FoursquareKey, base: FoursquareBase, clock: any WallClock,
        jitter: @escaping @Sendable (ClosedRange<Int>) -> Int
    ) {
        self.client = client
        requests = FoursquareRequests(base: base.url, key: key)
        self.clock = clock
        self.jitter = jitter
    }

    /// The places around a position that are not closed. They are sorted by distance; those without
    /// a position come last.
    ///
    /// Further pages are read from the same origin until the limit is reached. If a page after the
    /// first fails, the search returns the places so far, with a warning.
    public func search(_ query: PlaceQuery) async throws(PlaceError) -> PlaceAnswer {
        guard
            let position = PlacePosition(latitude: query.latitude, longitude: query.longitude)
        else {
            throw .badQuery(
                "\(query.latitude), \(query.longitude) is not a valid position: the latitude must "
                    + "be from -90 to 90, the longitude from -180 to 180.")
        }
        var request = try build { () throws(TransportError) in
            try requests.search(query, around: position)
        }
        var found = FoursquareFindings(limit: query.limit)
        for page in 0..<Self.pagesMax {
            do {
                let response = try await exchange(request)
                found.add(try read(response, around: position))
                guard let next = found.next(in: response.headers, after: request.url) else { break }
                guard !found.isFull, page + 1 < Self.pagesMax, next.hasSameOrigin(as: requests.base)
                else {
                    found.isTruncated = true
                    break
                }
                request = requests.request(next)
            } catch {
                guard page > 0, error != .cancelled else { throw error }
                found.stop(because: error)
                break
            }
        }
        return found.answer
    }

    /// The place with an id such as `fsq:4d41b8c490f9224b9397121e`. If it is closed, the answer has
    /// a warning.
    public func details(id: String) async throws(PlaceError) -> PlaceAnswer {
        guard let foursquareID = FoursquareID(placeID: id) else { throw .notFound(id: id) }
        let request = try build { () throws(TransportError) in
            try requests.details(foursquareID)
        }
        let response: HTTPResponse
        do {
            response = try await exchange(request)
        } catch {
            guard error == .refused(.foursquare, FoursquareWords.nothingThere) else { throw error }
            throw .notFound(id: id)
        }
        guard let found = FoursquarePlace(try json(response)) else {
            throw .unreadable(.foursquare, "it does not contain a place")
        }
        return PlaceAnswer(
            places: [found.place], attribution: Self.attribution,
            warnings: found.isClosed ? ["Foursquare says that this place is closed."] : [])
    }

    private func build(
        _ make: () throws(TransportError) -> HTTPRequest
    ) throws(PlaceError) -> HTTPRequest {
        do {
            return try make()
        } catch {
            throw .unreachable(.foursquare, error)
        }
    }

    /// Sends a request and retries it if that may help.
    private func exchange(_ request: HTTPRequest) async throws(PlaceError) -> HTTPResponse {
        let begun = clock.now
        var retry = 0
        while true {
            let failure: FoursquareFailure
            do {
                let response = try await client.send(request)
                guard let refusal = FoursquareFailure(response, key: requests.key) else {
                    return response
                }
                failure = refusal
            } catch {
                failure = FoursquareFailure(error)
            }
            let elapsed = Int(clock.now.milliseconds(since: begun))
            guard
                let wait = failure.waitMilliseconds(
                    retry: retry, elapsedMilliseconds: elapsed, jitter: jitter)
            else { throw failure.error }
            do {
                try await clock.sleep(until: clock.now.advanced(byMilliseconds: Int64(wait)))
            } catch {
                throw .cancelled
            }
            retry += 1
        }
    }

    private func read(
        _ response: HTTPResponse, around position: PlacePosition
    ) throws(PlaceError) -> FoursquarePage {
        guard let page = FoursquarePage(try json(response), around: position) else {
            throw .unreadable(.foursquare, "it has no results")
        }
        return page
    }

    private func json(_ response: HTTPResponse) throws(PlaceError) -> JSONValue {
        do {
            return try JSONReader.read(response.body[...])
        } catch {
            throw .unreadable(.foursquare, error.words(about: response.body))
        }
    }
}
