public import Timekeeping
import Transport

/// Makes the sources that ask services over the network.
public enum PlaceServices {
    /// Foursquare's Places API.
    ///
    /// - Parameters:
    ///   - key: the service key as it was configured.
    ///   - base: where the API is.
    ///   - userAgent: how the program names itself.
    ///   - clock: on which the waits before a request is sent again are slept.
    ///   - jitter: draws a number from a range.
    /// - Returns: the source.
    /// - Throws: ``PlaceError/misconfigured(_:_:)``.
    public static func foursquare(
        key: String, base: String, userAgent: String, clock: any WallClock,
        jitter: @escaping @Sendable (ClosedRange<Int>) -> Int
    ) throws(PlaceError) -> FoursquareSource {
        FoursquareSource(
            client: try client(for: .foursquare, userAgent: userAgent), key: try FoursquareKey(key),
            base: try FoursquareBase(base), clock: clock, jitter: jitter)
    }

    /// An Overpass server.
    ///
    /// - Throws: ``PlaceError/misconfigured(_:_:)``.
    public static func overpass(
        server: String, userAgent: String
    ) throws(PlaceError) -> OverpassClient {
        try OverpassClient(
            client: try client(for: .overpass, userAgent: userAgent), server: server)
    }

    private static func client(
        for service: PlaceService, userAgent: String
    ) throws(PlaceError) -> HTTPClient {
        do {
            return try HTTPClient(userAgent: userAgent)
        } catch {
            throw .unreachable(service, error)
        }
    }
}
