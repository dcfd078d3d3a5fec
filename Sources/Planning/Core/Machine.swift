import Foundation
public import Settings
public import Timekeeping

/// The clocks and the randomness of the machine. Programs pass them down: no lower module reads the
/// real clock, sleeps by it or draws random numbers on its own.
public struct Machine: Sendable {
    /// The time of day.
    public let clock: any WallClock
    /// The source of randomness.
    public let chance: Chance
    /// The time since some fixed start, on a monotonic clock that stands still while the machine
    /// sleeps.
    public let uptime: @Sendable () -> Duration
    /// All clocks, to detect when they are set; `nil` if they are never set.
    public let gauge: (any ClockGauge)?
    /// The identifier of the current boot of the machine; `nil` if it is not known.
    public let boot: String?

    /// Creates a machine.
    public init(
        clock: any WallClock, chance: Chance, uptime: @escaping @Sendable () -> Duration,
        gauge: (any ClockGauge)? = nil, boot: String? = nil
    ) {
        self.boot = boot
        self.clock = clock
        self.chance = chance
        self.uptime = uptime
        self.gauge = gauge
    }

    /// The clock of a command. It stands still if the command sets the time.
    package func clock(now: Moment?) -> any WallClock {
        now.map { FixedClock($0) } ?? clock
    }
}

extension PlannerSurroundings {
    /// Reads the environment of this process: variables, files and machine.
    ///
    /// - Parameters:
    ///   - homeOption: the home folder, if a command names one.
    ///   - machine: the clocks and the randomness.
    ///   - now: the time to use as now, if a command sets it.
    ///   - zoneOption: the time zone, if a command names one.
    ///   - actingAs: the name of the actor; `nil` for the owner.
    /// - Returns: the environment of a planner.
    /// - Throws: ``SettingsError``.
    public static func read(
        homeOption: String?, machine: Machine, now: Moment? = nil, zoneOption: String? = nil,
        actingAs: String? = nil
    ) throws(SettingsError) -> PlannerSurroundings {
        let environment = ProcessInfo.processInfo.environment
        guard homeOption != "" else { throw .homeIsEmpty }
        let home = Home(option: homeOption, environment: environment)
        let zones = ZoneDirectory(path: environment["TZDIR"])
        return PlannerSurroundings(
            home: home, configuration: try Configuration(home: home, environment: environment),
            shipped: try ShippedFiles(program: programPath, environment: environment),
            zones: zones, clock: machine.clock(now: now), waitClock: machine.clock,
            uptime: machine.uptime, hostName: hostName, chance: machine.chance,
            loginName: loginName,
            systemZone: zones.systemZone(tzVariable: environment["TZ"]), zoneOption: zoneOption,
            actingAs: actingAs)
    }

    /// The path of the running program, even if it was started through `PATH`.
    package static var programPath: String {
        let link = "/proc/self/exe"
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: link)
        } catch {
            return CommandLine.arguments.first ?? link
        }
    }

    /// The host name from the kernel. `ProcessInfo` is not used, because it may query the network.
    private static var hostName: String {
        (try? String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? "localhost"
    }

    /// The full name of the user account, or else its short name.
    private static var loginName: String {
        let full = NSFullUserName().trimmingCharacters(in: .whitespaces)
        return full.isEmpty ? NSUserName() : full
    }
}
