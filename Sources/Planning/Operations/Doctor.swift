import Agenda
import Foundation
public import Settings
import Sinks
import Storage
public import Timekeeping
import Wording

/// Looks an installation over, piece by piece: what is wrong with one piece hides no other.
public struct Doctor: Sendable {
    /// Less free space than this is a warning, in bytes.
    static let freeBytesMin: Int64 = 200 << 20
    /// A delivery that has waited for longer than this beside a daemon is a warning, in
    /// milliseconds.
    static let lateMillisecondsMin: Int64 = 2 * 60_000
    /// A delivery that has waited for longer than this is a problem, in milliseconds.
    static let lateMillisecondsMax: Int64 = 5 * 60_000

    let home: Home
    let environment: [String: String]
    let machine: Machine
    let now: Moment?
    let program: String

    /// Looks at a home.
    ///
    /// - Parameters:
    ///   - homeOption: the home folder, where a command names one.
    ///   - machine: clock and chance.
    ///   - now: the time to take as now, where a command names one.
    ///   - environment: what the environment says; the process's where none is given.
    public init(
        homeOption: String?, machine: Machine, now: Moment? = nil,
        environment: [String: String]? = nil
    ) {
        let environment = environment ?? ProcessInfo.processInfo.environment
        self.environment = environment
        home = Home(option: homeOption, environment: environment)
        program = PlannerSurroundings.programPath
        self.machine = machine
        self.now = now
    }

    /// What a planner needs to know of the world that this looks at.
    ///
    /// - Throws: ``SettingsError``.
    public func surroundings() throws(SettingsError) -> PlannerSurroundings {
        try PlannerSurroundings.read(homeOption: home.path, machine: machine, now: now)
    }

    var clock: any WallClock { machine.clock(now: now) }

    /// Looks at everything, for `letsmeet doctor`.
    ///
    /// - Parameters:
    ///   - version: the program's.
    ///   - isOnline: whether to ask services over the network too, once each.
    ///   - others: what others looked at.
    /// - Returns: what was seen.
    public func report(
        version: String, isOnline: Bool = false, besides others: [HealthCheck] = []
    ) async -> HealthReport {
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        var checks = [HealthCheck("version", "letsmeet \(version) on \(system)")]
        checks += [homeCheck, spaceCheck, configurationCheck, sinksCheck]
        checks += await databaseChecks()
        checks += [daemonCheck] + others + [zonesCheck, shippedCheck, templatesCheck]
        checks.append(isOnline ? await foursquareCheck() : placesCheck)
        return report(checks)
    }

    /// Looks at what a daemon works with, for `letsmeetd check`.
    ///
    /// - Parameter others: what others looked at.
    /// - Returns: what was seen.
    public func daemonReport(besides others: [HealthCheck] = []) async -> HealthReport {
        report(
            [homeCheck, configurationCheck, sinksCheck, templatesCheck] + others
                + (await databaseChecks()).filter { $0.name != "clock" })
    }

    /// What was seen, so that it may be shown to anybody.
    private func report(_ checks: [HealthCheck]) -> HealthReport {
        let homeless = HomelessText(home: environment["HOME"])
        return HealthReport(
            checks.map { check in
                HealthCheck(
                    check.name, check.status, homeless.of(check.detail),
                    advice: check.advice.map(homeless.of))
            })
    }

    private var homeCheck: HealthCheck { HomeFacts(path: home.path).check }

    private var spaceCheck: HealthCheck {
        let parent = URL(filePath: home.path).deletingLastPathComponent()
        let facts = [home.path, parent.path(percentEncoded: false), "/"].lazy.compactMap {
            try? FileManager.default.attributesOfFileSystem(forPath: $0)
        }.first
        guard let free = (facts?[.systemFreeSize] as? NSNumber)?.int64Value else {
            return HealthCheck("disk", .warning, "free space is not known", advice: nil)
        }
        let detail = "\(free >> 20) MB free"
        guard free >= Self.freeBytesMin else {
            return HealthCheck(
                "disk", .problem, detail, advice: "Free some space: nothing can be saved soon.")
        }
        return HealthCheck("disk", detail)
    }

    private var configurationCheck: HealthCheck {
        do {
            _ = try Configuration(home: home, environment: environment)
        } catch {
            return HealthCheck(
                "configuration", .problem, error.description,
                advice: "letsmeet config check")
        }
        let problems = ConfigurationCheck(home: home, environment: environment).problems
        guard let first = problems.first else {
            let isThere = FileManager.default.fileExists(atPath: home.configuration)
            return HealthCheck(
                "configuration", isThere ? "letsmeet.yaml is sound" : "no letsmeet.yaml: defaults")
        }
        return HealthCheck(
            "configuration", .problem, "\(first.setting ?? "letsmeet.yaml") is wrong",
            advice: "letsmeet config check")
    }

    private var sinksCheck: HealthCheck {
        do {
            let surroundings = try surroundings()
            _ = try surroundings.sinks()
            let names = try Planner.sinks(surroundings.configuration).map(\.name)
            guard !names.isEmpty else {
                return HealthCheck(
                    "sinks", .problem, "none is on", advice: "Set sinks, such as: sinks: stdout")
            }
            return HealthCheck("sinks", names.joined(separator: ", "))
        } catch {
            return HealthCheck(
                "sinks", .problem, Refusal(error).message, advice: "letsmeet config check")
        }
    }

    private var zonesCheck: HealthCheck {
        let zones = ZoneDirectory(path: environment["TZDIR"])
        let detail = "tzdata \(zones.version ?? "of unknown version") in \(zones.path)"
        guard (try? zones.zone("Europe/Helsinki")) != nil else {
            return HealthCheck(
                "zones", .problem, detail + " has no zones",
                advice: "Install the system's time zones: apt-get install tzdata")
        }
        guard !Self.areOldRules(zones.version ?? "", at: clock.now) else {
            return HealthCheck(
                "zones", .warning, detail + " is old: zones change their rules every year",
                advice: "Install what is newer: apt-get update; apt-get install tzdata")
        }
        return HealthCheck("zones", detail)
    }

    /// Whether rules of zones are so old that newer ones are sure to be out: half a year and more
    /// after the year of their version, such as "2025b". Each of the last years had two at least.
    static func areOldRules(_ version: String, at now: Moment) -> Bool {
        guard let year = Int(version.prefix(4)) else { return false }
        let today = Zone.utc.wallTime(at: now).date
        return (today.year, today.month) >= (year + 1, 7)
    }

    private var shippedCheck: HealthCheck {
        do {
            let files = try ShippedFiles(program: program, environment: environment)
            let parts = [
                files.templates, files.crontab, files.gazetteer, files.interests, files.sample,
            ]
            let missing = parts.filter { !FileManager.default.fileExists(atPath: $0) }
            let detail = "in \(files.root) (\(files.origin))"
            guard missing.isEmpty else {
                return HealthCheck(
                    "shipped files", .problem,
                    detail + "; missing: " + missing.joined(separator: ", "),
                    advice: "Install letsmeet again, or set LETSMEET_SHARE.")
            }
            return HealthCheck("shipped files", detail)
        } catch {
            return HealthCheck(
                "shipped files", .problem, "not found",
                advice: "Set LETSMEET_SHARE to the folder that holds templates and places.")
        }
    }

    /// Templates are sought in folders of their own: one that lies beside them changes nothing.
    private func unusedTemplatesCheck(_ files: [String]) -> HealthCheck {
        guard !files.isEmpty else { return HealthCheck("templates", "sound") }
        return HealthCheck(
            "templates", .warning, "not used: \(files.joined(separator: ", "))",
            advice: "Move them into the folder text, or html, beside them, and name them as in: "
                + "letsmeet template list")
    }

    private var templatesCheck: HealthCheck {
        do {
            let files = try ShippedFiles(program: program, environment: environment)
            let catalog = try TemplateCatalog(
                shipped: files.templates, own: home.templates, zones: ZoneDirectory())
            guard let fault = catalog.items.lazy.compactMap(\.fault).first else {
                return unusedTemplatesCheck(catalog.unused)
            }
            return HealthCheck(
                "templates", .problem, fault.description,
                advice: "Mend it; until then the shipped one stands in.")
        } catch {
            return HealthCheck(
                "templates", .problem, "\(error)", advice: "Install letsmeet again.")
        }
    }
}
