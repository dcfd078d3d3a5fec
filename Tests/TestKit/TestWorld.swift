import Foundation
public import Planning
public import Settings
public import Timekeeping

/// A home of its own, a clock that is turned by hand and chance from a seed: all that a planner
/// needs to know of the world.
public struct TestWorld: Sendable {
    /// The home.
    public let home: Home
    /// The clock.
    public private(set) var clock: ManualClock
    /// Chance.
    public let chance: Chance
    /// The system's zone rules.
    public let zones = SystemZones.directory

    /// A world in this folder, at noon of a Tuesday.
    public init(
        folder: String, now: String = "2026-12-01T12:00:00Z", seed: UInt64 = 1
    ) throws {
        home = Home(option: folder, environment: [:])
        clock = try ManualClock(now)
        chance = Chance(SeededRandom(seed: seed))
    }

    /// The machine on which all that is so; no time passes on it unless its clock is turned.
    public var machine: Machine { Machine(clock: clock, chance: chance, uptime: { .zero }) }

    /// The same home, so much later, on a clock of its own.
    public func later(minutes: Int64) -> TestWorld {
        var world = self
        world.clock = ManualClock(clock.now.advanced(bySeconds: minutes * 60))
        return world
    }

    /// What a planner is made of.
    ///
    /// - Parameters:
    ///   - settings: what `letsmeet.yaml` says.
    ///   - environment: what the environment says.
    ///   - actingAs: who acts, where it is not the owner.
    /// - Returns: the surroundings.
    /// - Throws: what reading the configuration throws.
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

    /// A planner of this world.
    public func planner(
        settings: [SettingName: String] = [:], environment: [String: String] = [:],
        actingAs: String? = nil
    ) async throws -> Planner {
        try await Planner(
            surroundings(settings: settings, environment: environment, actingAs: actingAs))
    }
}

/// Runs a test in a home of its own.
public func withTemporaryHome<Value>(
    now: String = "2026-12-01T12:00:00Z", seed: UInt64 = 1,
    _ body: (TestWorld) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { folder in
        try await body(TestWorld(folder: folder + "/home", now: now, seed: seed))
    }
}
