import Planning
import Synchronization
import TestKit
import Testing
import Timekeeping

/// The notice that a service is slow.
@Suite(.timeLimit(.minutes(5))) struct AwaitingTests {
    /// The notices that were shown; `nil` for one that was removed.
    private final class Shown: Sendable {
        let texts = Mutex<[String?]>([])
    }

    /// A planner with a fixed time, as with `--now`, and with waits on a clock that the test moves.
    private func withPlanner(
        _ answers: [FakeFoursquareAnswer],
        _ body: (Planner, TestWorld, Shown) async throws -> Void
    ) async throws {
        let fake = try FakeFoursquare(answers)
        defer { fake.stop() }
        let environment = [
            "FOURSQUARE_SERVICE_KEY": FakeFoursquare.key, "LETSMEET_FOURSQUARE_URL": fake.url,
        ]
        try await withTemporaryHome { world in
            let shown = Shown()
            var surroundings = try world.surroundings(environment: environment)
            surroundings.clock = FixedClock(try Moment.parse("2020-01-01T00:00:00Z"))
            surroundings.showAwaited = { text in shown.texts.withLock { $0.append(text) } }
            try await body(try await Planner(surroundings), world, shown)
        }
    }

    private var museums: PlaceRequest {
        var request = PlaceRequest()
        request.city = "Helsinki"
        request.interest = "museum"
        request.source = "foursquare"
        return request
    }

    @Test func `A service is named after a second of silence, until the call ends`() async throws {
        try await withPlanner([.silent]) { planner, world, shown in
            let search = Task { try await planner.searchPlaces(museums) }
            await world.clock.untilSomebodySleeps(until: world.clock.now.advanced(bySeconds: 1))
            #expect(shown.texts.withLock { $0.isEmpty })
            world.clock.advance(bySeconds: 1)
            search.cancel()
            await #expect(throws: (any Error).self) { try await search.value }
            #expect(shown.texts.withLock { $0 } == ["Foursquare", nil])
        }
    }

    @Test func `A service that answers soon is not named`() async throws {
        try await withPlanner([.places([FakeFoursquare.museum])]) { planner, _, shown in
            let found = try await planner.searchPlaces(museums)
            #expect(found.results.count == 1)
            #expect(shown.texts.withLock { $0.isEmpty })
        }
    }

    @Test func `A wait for a service uses the machine's clock, even with --now`() async throws {
        let answers: [FakeFoursquareAnswer] = [
            .refusal(429, "Slow down", retryAfter: "2"), .places([FakeFoursquare.museum]),
        ]
        try await withPlanner(answers) { planner, world, _ in
            let search = Task { try await planner.searchPlaces(museums) }
            await world.clock.untilSomebodySleeps(until: world.clock.now.advanced(bySeconds: 2))
            world.clock.advance(bySeconds: 2)
            let found = try await search.value
            #expect(found.results.count == 1)
        }
    }
}
