import Foundation
public import Settings
public import Timekeeping

/// What a program takes from the machine and passes down: nothing below the programs reads the
/// real clock, sleeps on it or draws by itself.
public struct Machine: Sendable {
    /// The time of day.
    public let clock: any WallClock
    /// Chance.
    public let chance: Chance
    /// The time since some fixed start, on a clock that nobody sets and that stands still while
    /// the machine sleeps.
    public let uptime: @Sendable () -> Duration
    /// All clocks, to notice when they are set; `nil` where nobody sets them.
    public let gauge: (any ClockGauge)?
    /// What tells this start of the machine from others; `nil` where that is not known.
    public let boot: String?

    /// Puts a machine together.
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

    /// The clock of a command: one that stands still, where the command names a time.
    func clock(now: Moment?) -> any WallClock {
        now.map { FixedClock($0) } ?? clock
    }
}

extension PlannerSurroundings {
    /// Reads the world as this process finds it: environment, files, machine.
    ///
    /// - Parameters:
    ///   - homeOption: the home folder, where a command names one.
    ///   - machine: clock and chance.
    ///   - now: the time to take as now, where a command names one.
    ///   - zoneOption: the zone, where a command names one.
    ///   - actingAs: who acts, where it is not the owner.
    /// - Returns: what a planner needs.
    /// - Throws: ``SettingsError``.
    public static func read(
        homeOption: String?, machine: Machine, now: Moment? = nil, zoneOption: String? = nil,
        actingAs: String? = nil
    ) throws(SettingsError) -> PlannerSurroundings {
        let environment = ProcessInfo.processInfo.environment
        guard homeOption != "" else {
            throw .badValue(name: "--home", reason: "it is empty: name a folder.")
        }
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

    /// The file of the running program, also when it was found through `PATH`.
    static var programPath: String {
        let link = "/proc/self/exe"
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: link)
        } catch {
            return CommandLine.arguments.first ?? link
        }
    }

    /// Not ProcessInfo's, which may ask the network.
    private static var hostName: String {
        (try? String(contentsOfFile: "/proc/sys/kernel/hostname", encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines) ?? "localhost"
    }

    /// The full name of the login, else its short name.
    private static var loginName: String {
        let full = NSFullUserName().trimmingCharacters(in: .whitespaces)
        return full.isEmpty ? NSUserName() : full
    }
}
