public import Timekeeping
import Transport

/// Creates the place sources that query services over the network.
public enum PlaceServices {
    /// Foursquare's Places API.
    ///
    /// - Parameters:
    ///   - key: the service key from the configuration.
    ///   - base: the address of the API.
    ///   - userAgent: the user agent of the program.
    ///   - clock: the clock for the waits between retries.
    ///   - jitter: draws a random number from a range.
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

    /// A client for an Overpass server.
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
