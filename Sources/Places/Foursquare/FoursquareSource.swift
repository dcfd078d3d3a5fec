public import Timekeeping
public import Transport

/// Foursquare's Places API of 2025-06-17.
///
/// Of its answers nothing is kept or logged here: its terms let nothing but ids be stored. A
/// request is sent again at most ``retriesMax`` times, and only when the failure may pass.
public struct FoursquareSource: PlaceSource {
    /// Who must be named beside the places; each place's ``Place/url`` is the page that its name
    /// must be linked to.
    public static let attribution = "Places by Foursquare (https://foursquare.com)"
    /// The most often that one request is sent again.
    public static let retriesMax = FoursquareFailure.retriesMax
    /// The most pages of one search that are read.
    public static let pagesMax = 20

    private let client: HTTPClient
    private let requests: FoursquareRequests
    private let clock: any WallClock
    private let jitter: @Sendable (ClosedRange<Int>) -> Int

    /// A source with a key of its own.
    ///
    /// - Parameters:
    ///   - client: sends the requests.
    ///   - key: the service key; it goes to `base` and nowhere else.
    ///   - base: where the API is.
    ///   - clock: on which the waits before a request is sent again are slept.
    ///   - jitter: draws a number from a range.
    public init(
        client: HTTPClient, key: FoursquareKey, base: FoursquareBase, clock: any WallClock,
        jitter: @escaping @Sendable (ClosedRange<Int>) -> Int
    ) {
        self.client = client
        requests = FoursquareRequests(base: base.url, key: key)
        self.clock = clock
        self.jitter = jitter
    }

    /// The open places around a position, nearest first, those without a position last.
    ///
    /// Further pages are read until the limit is reached, from the same host only. What stops the
    /// reading after the first page is told in the warnings; the places so far still count.
    public func search(_ query: PlaceQuery) async throws(PlaceError) -> PlaceAnswer {
        guard
            let position = PlacePosition(latitude: query.latitude, longitude: query.longitude)
        else { throw .badQuery("\(query.latitude), \(query.longitude) is no place on the earth.") }
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

    /// The place of an id such as `fsq:4d41b8c490f9224b9397121e`, also when it is closed, which is
    /// then told.
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
            throw .unreadable(.foursquare, "it names no place")
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

    /// Sends a request, and again where that may help.
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
