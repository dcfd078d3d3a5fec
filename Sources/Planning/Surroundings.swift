import Foundation
public import Settings
public import Timekeeping

extension PlannerSurroundings {
    /// Reads the world as this process finds it: environment, files, clock.
    ///
    /// - Parameters:
    ///   - homeOption: the home folder, where a command names one.
    ///   - clock: the clock; the machine's own unless a command sets another.
    ///   - zoneOption: the zone, where a command names one.
    ///   - actingAs: who acts, where it is not the owner.
    /// - Returns: what a planner needs.
    /// - Throws: ``SettingsError``.
    public static func read(
        homeOption: String?, clock: any WallClock = SystemClock(), zoneOption: String? = nil,
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
            zones: zones, clock: clock, chance: Chance(), loginName: loginName,
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

    /// The full name of the login, else its short name.
    private static var loginName: String {
        let full = NSFullUserName().trimmingCharacters(in: .whitespaces)
        return full.isEmpty ? NSUserName() : full
    }
}
