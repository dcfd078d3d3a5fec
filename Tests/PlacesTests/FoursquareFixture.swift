import Synchronization
import TestKit
import Timekeeping
import Transport

@testable import Places

/// A clock on which every wait ends at once and is recorded.
final class NapClock: WallClock {
    private let naps = Mutex<[Int]>([])

    var now: Moment { Moment(milliseconds: 1_700_000_000_000) }

    /// The waits so far, in milliseconds.
    var napsMilliseconds: [Int] { naps.withLock { $0 } }

    func sleep(until deadline: Moment) async throws(CancellationError) {
        naps.withLock { $0.append(Int(deadline.milliseconds(since: now))) }
    }
}

/// A fake Foursquare and a source that uses it. The jitter is always the maximum.
struct FoursquareFixture {
    static let museums = Category(
        id: "4bf58dd8d48988d181941735", label: "Arts and Entertainment > Museum", v3: 10027)

    let fake: FakeFoursquare
    let source: FoursquareSource
    let clock = NapClock()

    init(_ answers: [FakeFoursquareAnswer], key: String = FakeFoursquare.key) throws {
        fake = try FakeFoursquare(answers)
        source = FoursquareSource(
            client: try HTTPClient(userAgent: "letsmeet/test"), key: try FoursquareKey(key),
            base: try FoursquareBase(fake.url), clock: clock, jitter: { $0.upperBound })
    }

    static func query(limit: Int = 10) -> PlaceQuery {
        PlaceQuery(
            latitude: 60.1699, longitude: 24.9384, radiusMeters: 3000, categories: [museums],
            limit: limit)
    }

    func search(limit: Int = 10) async throws -> PlaceAnswer {
        try await source.search(Self.query(limit: limit))
    }

    /// The error of a search; nil if it succeeds.
    func failure() async -> PlaceError? {
        do {
            _ = try await source.search(Self.query())
            return nil
        } catch {
            return error
        }
    }
}
