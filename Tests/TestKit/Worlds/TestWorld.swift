import Foundation
public import Planning
public import Settings
public import Timekeeping

/// A home folder, a manual clock and a seeded random source: everything that a planner needs from
/// its environment.
public struct TestWorld: Sendable {
    /// The home folder.
    public let home: Home
    /// The clock.
    public private(set) var clock: ManualClock
    /// The random source.
    public let chance: Chance
    /// The system's zone rules.
    public let zones = SystemZones.directory

    /// Creates a world in a folder, at noon UTC on a Tuesday.
    public init(
        folder: String, now: String = "2026-12-01T12:00:00Z", seed: UInt64 = 1
    ) throws {
        home = Home(option: folder, environment: [:])
        clock = try ManualClock(now)
        chance = Chance(SeededRandom(seed: seed))
    }

    /// The machine of this world. Its uptime stands still.
    public var machine: Machine { Machine(clock: clock, chance: chance, uptime: { .zero }) }

    /// The same home at a later time, with a separate clock.
    public func later(minutes: Int64) -> TestWorld {
        var world = self
        world.clock = ManualClock(clock.now.advanced(bySeconds: minutes * 60))
        return world
    }

    /// The surroundings of a planner.
    ///
    /// - Parameters:
    ///   - settings: the contents of `letsmeet.yaml`.
    ///   - environment: the environment variables.
    ///   - actingAs: the actor, if it is not the owner.
    /// - Returns: the surroundings.
    /// - Throws: the error of an invalid configuration.
    public func surroundings(
        settings: [SettingName: String] = [:], environment: [String: String] = [:],
        actingAs: String? = nil
    ) throws -> PlannerSurroundings {
        try home.make()
        if !settings.isEmpty {
            let lines = settings.map { "\($0.key.rawValue): \"\($0.value)\"\n" }.sorted()
            try lines.joined().write(
                toFile: home.configuration, atomically: true, encoding: .utf8)
        }
        return PlannerSurroundings(
            home: home, configuration: try Configuration(home: home, environment: environment),
            shipped: try ShippedFiles(
                program: "/", environment: ["LETSMEET_SHARE": Checkout.root]),
            zones: zones, clock: clock, waitClock: clock, uptime: { .zero },
            chance: chance, loginName: "Olga Owner",
            systemZone: try zones.zone("Europe/Helsinki"), actingAs: actingAs)
    }

    /// A planner in this world.
    public func planner(
        settings: [SettingName: String] = [:], environment: [String: String] = [:],
        actingAs: String? = nil
    ) async throws -> Planner {
        let surroundings = try surroundings(
            settings: settings, environment: environment, actingAs: actingAs)
        EmptyDatabase.put(at: home.database)
        return try await Planner(surroundings)
    }
}

/// Runs a test in a new home folder.
public func withTemporaryHome<Value>(
    now: String = "2026-12-01T12:00:00Z", seed: UInt64 = 1,
    _ body: (TestWorld) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { folder in
        try await body(TestWorld(folder: folder + "/home", now: now, seed: seed))
    }
}
