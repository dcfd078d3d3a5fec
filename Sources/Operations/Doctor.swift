import Agenda
import Foundation
public import Planning
public import Settings
import Sinks
import Storage
public import Timekeeping
import Wording

/// Checks an installation part by part. An error in one part does not hide errors in other parts.
public struct Doctor: Sendable {
    /// The free disk space below which a problem is reported, in bytes.
    static let freeBytesMin: Int64 = 200 << 20
    /// The delay of a due delivery above which a warning is given although a daemon is running, in
    /// milliseconds.
    static let lateMillisecondsMin: Int64 = 2 * 60_000
    /// The delay of a due delivery above which a problem is reported, in milliseconds.
    static let lateMillisecondsMax: Int64 = 5 * 60_000

    let home: Home
    let environment: [String: String]
    let machine: Machine
    let now: Moment?
    let program: String
    /// The number of coming meetings above which the rules of the ledger are not checked. About a
    /// thousand are planned again per second.
    var verifiedMeetingsMax = 10_000

    /// Creates the checks of a home.
    ///
    /// - Parameters:
    ///   - homeOption: the home folder that the caller chose; `nil` for the default one.
    ///   - machine: the clock and the source of randomness.
    ///   - now: the time to use instead of the clock's; `nil` for the clock's.
    ///   - environment: the environment variables; those of the process if `nil`.
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

    /// The surroundings of a planner for the checked home.
    ///
    /// - Throws: ``SettingsError``.
    public func surroundings() throws(SettingsError) -> PlannerSurroundings {
        try PlannerSurroundings.read(homeOption: home.path, machine: machine, now: now)
    }

    var clock: any WallClock { machine.clock(now: now) }

    /// Runs all checks, for `letsmeet doctor`.
    ///
    /// - Parameters:
    ///   - version: the version of the program.
    ///   - isOnline: true to send one request to each network service, too.
    ///   - others: the results of other modules, to include.
    /// - Returns: the results of all checks.
    public func report(
        version: String, isOnline: Bool = false, besides others: [HealthCheck] = []
    ) async -> HealthReport {
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        var checks = [HealthCheck("version", "letsmeet \(version) on \(system)")]
        checks += [homeCheck, spaceCheck] + abandonedFilesChecks
        checks += [configurationCheck, sinksCheck]
        checks += await databaseChecks()
        checks += [daemonCheck] + others + [zonesCheck, shippedCheck, templatesCheck]
        checks.append(isOnline ? await foursquareCheck() : placesCheck)
        checks.append(await picturesCheck())
        return report(checks)
    }

    /// Checks the parts that a daemon uses, for `letsmeetd check`.
    ///
    /// - Parameter others: the results of other modules, to include.
    /// - Returns: the results of these checks.
    public func daemonReport(besides others: [HealthCheck] = []) async -> HealthReport {
        report(
            [homeCheck, configurationCheck, sinksCheck, templatesCheck] + others
                + (await databaseChecks()).filter { $0.name != "clock" })
    }

    /// Makes a report that can be shown to anybody: paths of home folders in it name no user, and
    /// mail addresses are shortened.
    private func report(_ checks: [HealthCheck]) -> HealthReport {
        let homeless = HomelessText(home: environment["HOME"])
        let shown: (String) -> String = { PrivateText.of(homeless.of($0)) }
        return HealthReport(
            checks.map { check in
                HealthCheck(
                    check.name, check.status, shown(check.detail),
                    advice: check.advice.map { action in
                        guard case .say(let sentence) = action else { return action }
                        return .say(shown(sentence))
                    })
            })
    }

    private var homeCheck: HealthCheck { HomeFacts(path: home.path).check }

    private var spaceCheck: HealthCheck {
        let parent = URL(filePath: home.path).deletingLastPathComponent()
        let facts = [home.path, parent.path(percentEncoded: false), "/"].lazy.compactMap {
            try? FileManager.default.attributesOfFileSystem(forPath: $0)
        }.first
        guard let free = (facts?[.systemFreeSize] as? NSNumber)?.int64Value else {
            return HealthCheck("disk", .warning, "free space is unknown", advice: [])
        }
        let detail = "\(free >> 20) MB free"
        guard free >= Self.freeBytesMin else {
            return HealthCheck(
                "disk", .problem, detail,
                advice: [.say("Free some disk space, or soon nothing can be saved.")])
        }
        return HealthCheck("disk", detail)
    }

    private var configurationCheck: HealthCheck {
        do {
            _ = try Configuration(home: home, environment: environment)
        } catch {
            return HealthCheck(
                "configuration", .problem, error.description,
                advice: [.installation(.checkSettings)])
        }
        let problems = configurationProblems
        guard let first = problems.first else {
            let isThere = FileManager.default.fileExists(atPath: home.configuration)
            return HealthCheck(
                "configuration",
                isThere ? "letsmeet.yaml has no errors" : "no letsmeet.yaml: defaults are used")
        }
        let rest = problems.count - 1
        let more = rest > 0 ? ["\(TimeWords.count(rest, "more problem")) found."] : []
        return HealthCheck(
            "configuration", .problem, Remark.joined([first.text] + more),
            advice: [.installation(.checkSettings)])
    }

    private var configurationProblems: [ConfigurationProblem] {
        ConfigurationCheck(home: home, environment: environment).problems
    }

    /// A check that an error in the configuration prevents. The error itself is shown only once,
    /// by the check of the configuration.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - settings: the settings that the part needs.
    /// - Returns: the result; `nil` if these settings are valid.
    package func prevented(_ name: String, needing settings: Set<SettingName>) -> HealthCheck? {
        let faulty = configurationProblems.contains { problem in
            problem.setting.flatMap(SettingName.init).map(settings.contains) ?? true
        }
        guard faulty else { return nil }
        return HealthCheck(
            name, .warning, "not checked", advice: [.say("Correct the configuration first.")])
    }

    /// The settings that the sinks need.
    private static let sinkSettings: Set<SettingName> = [
        .sinks, .smtpURL, .smtpPassword, .mailFrom, .ownerAddress, .webhookURL, .webhookSecret,
        .webhookAllow,
    ]

    private var sinksCheck: HealthCheck {
        do {
            let surroundings = try surroundings()
            _ = try surroundings.sinks()
            let all = try Planner.sinks(surroundings.configuration).map(\.name)
            // The inbox reaches only people with an account.
            let names = all.filter { $0 != SinkKind.page.name }
            guard !names.isEmpty else {
                return HealthCheck(
                    "sinks", .problem, "no sink is enabled",
                    advice: [.say("Add one to letsmeet.yaml, for example: sinks: stdout")])
            }
            guard surroundings.configuration.namesSinks || names != [SinkKind.stdout.name] else {
                return HealthCheck(
                    "sinks", .warning, "only stdout, so guests are not notified",
                    advice: [.installation(.setUpMail)])
            }
            return HealthCheck("sinks", all.joined(separator: ", "))
        } catch {
            return prevented("sinks", needing: Self.sinkSettings)
                ?? HealthCheck(
                    "sinks", .problem, Refusal(error).message,
                    advice: [.installation(.checkSettings)])
        }
    }

    private var zonesCheck: HealthCheck {
        let zones = ZoneDirectory(path: environment["TZDIR"])
        let detail = "tzdata \(zones.version ?? "of unknown version") in \(zones.path)"
        guard (try? zones.zone("Europe/Helsinki")) != nil else {
            return HealthCheck(
                "zones", .problem, detail + " contains no time zones",
                advice: [.say("Install the time zone data: apt-get install tzdata")])
        }
        guard !Self.areOldRules(zones.version ?? "", at: clock.now) else {
            return HealthCheck(
                "zones", .warning, detail + " is out of date",
                advice: [.say("Update it: apt-get update; apt-get install tzdata")])
        }
        return HealthCheck("zones", detail)
    }

    /// True if time zone rules are so old that newer ones must exist: since 1 July of the year
    /// after that of their version, such as "2025b". Each of the last years had at least two
    /// versions.
    package static func areOldRules(_ version: String, at now: Moment) -> Bool {
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
                    advice: [.say("Reinstall letsmeet, or set LETSMEET_SHARE.")])
            }
            return HealthCheck("shipped files", detail)
        } catch {
            return HealthCheck(
                "shipped files", .problem, "not found",
                advice: [
                    .say("Set LETSMEET_SHARE to the folder that contains templates and places.")
                ])
        }
    }

    /// Reports templates outside the folders `text` and `html`, which are never used.
    private func unusedTemplatesCheck(_ files: [String]) -> HealthCheck {
        guard !files.isEmpty else { return HealthCheck("templates", "no errors") }
        return HealthCheck(
            "templates", .warning, "not used: \(files.joined(separator: ", "))",
            advice: [
                .say(
                    "Move them into the folder \"text\" or \"html\", and give them the names of "
                        + "the templates that they replace."),
                .installation(.listTemplates),
            ])
    }

    private var templatesCheck: HealthCheck {
        do {
            let files = try ShippedFiles(program: program, environment: environment)
            let catalog = try TemplateCatalog(
                shipped: files.templates, own: home.templates, zones: ZoneDirectory())
            let faults = catalog.items.compactMap(\.fault)
            guard !faults.isEmpty else { return unusedTemplatesCheck(catalog.unused) }
            return HealthCheck(
                "templates", .problem, faults.map(\.description).joined(separator: "; "),
                advice: [
                    .say(
                        faults.count == 1
                            ? "Fix it. Until then the built-in template is used."
                            : "Fix them. Until then the built-in templates are used.")
                ])
        } catch {
            return HealthCheck(
                "templates", .problem, "\(error)", advice: [.say("Reinstall letsmeet.")])
        }
    }
}
