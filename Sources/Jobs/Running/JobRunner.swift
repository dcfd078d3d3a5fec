import Foundation
import Ledger
public import Planning
import Settings
import Timekeeping
import Wording

/// Runs jobs, each to its end.
public struct JobRunner: Sendable {
    /// Looks at the rules of time zones, and says what changed.
    public typealias ZoneLook = @Sendable () async throws -> ZoneRulesOutcome

    private let planner: @Sendable () -> Planner
    private let machine: Machine
    private let lookAtZones: ZoneLook

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - machine: clock and chance.
    ///   - planner: what can be done, by the configuration of the moment.
    ///   - lookAtZones: how the rules of time zones are followed; the planner's way without it.
    public init(
        machine: Machine, planner: @escaping @Sendable () -> Planner, lookAtZones: ZoneLook? = nil
    ) {
        self.machine = machine
        self.planner = planner
        self.lookAtZones =
            lookAtZones ?? {
                let planner = planner()
                let rules = ZoneDirectory(path: planner.surroundings.zones.path)
                return try await planner.reading(rules).followZoneRules()
            }
    }

    /// What a command of the shell needs to know of its run.
    struct Frame {
        /// What no other run is called.
        let name: String
        let line: CrontabLine?
        /// The time that it stands for.
        let nominal: Moment
        /// Whether somebody waits for it, who may want to end it.
        var isByHand = false
    }

    /// Runs a job; what goes wrong is the report.
    ///
    /// - Throws: `CancellationError` where it was ended from outside.
    func run(_ job: Job, in frame: Frame) async throws(CancellationError) -> JobReport {
        do {
            return try await result(of: job, in: frame)
        } catch {
            guard !(error is CancellationError), !Task.isCancelled else {
                throw CancellationError()
            }
            return .failed(Refusal(error))
        }
    }

    private func result(of job: Job, in frame: Frame) async throws -> JobReport {
        switch job {
        case .digest(let period):
            return .done(
                try await planner().planDigests(
                    period, for: frame.nominal,
                    next: frame.line?.next(after: max(frame.nominal, planner().now)),
                    in: frame.line?.zone
                ).words(of: period))
        case .contactsSync: return try await syncContacts()
        case .placesRefresh: return .done(try await planner().refreshPlaces().words)
        case .calendarsRefresh:
            return .done(try await planner().refreshBusyCalendars().words)
        case .backup(let keep): return try await backUp(keeping: keep)
        case .ledgerPrune(let keep): return .done(try await planner().pruneLedger(keep).words)
        case .zoneCheck: return try await checkZones()
        case .doctor: return await examine()
        case .run(let command):
            return try await ShellRun(
                command, limitSeconds: frame.line?.options.limitSeconds,
                variables: frame.line?.variables ?? [:], name: frame.name,
                at: ShellRun.Place(
                    home: planner().surroundings.home, clock: machine.clock,
                    uptime: machine.uptime, isHasty: frame.isByHand)
            ).report()
        }
    }

    /// Whether a run of a job that may not be repeated has begun.
    func hasBegun(_ name: String) -> Bool { sign(name).isThere }

    /// A run is known to have ended: nothing needs to tell that it began.
    func forget(_ name: String) { sign(name).remove() }

    /// What daemons before this one left of runs that are over goes.
    func forgetAll(but runs: Set<String>) {
        RunSign.removeAll(in: planner().surroundings.home, but: runs)
    }

    /// Whether a command that a daemon before this one began goes on.
    func goesOn(_ name: String) -> Bool { sign(name).isAlive }

    /// Ends such a command.
    func kill(_ name: String) { sign(name).kill() }

    private func sign(_ name: String) -> RunSign {
        RunSign(home: planner().surroundings.home, run: name)
    }

    private func syncContacts() async throws -> JobReport {
        let planner = planner()
        guard let folder = planner.surroundings.configuration[.contactsFolder] else {
            return .done("nothing to do: contacts.folder is not set in letsmeet.yaml")
        }
        let path = NSString(string: folder).expandingTildeInPath
        guard try Planner.hasCards(path) else { return .done("\(folder) holds no cards") }
        let report = try await planner.importPeople([path], selection: ImportSelection())
        let counts =
            "\(report.imported) new, \(report.updated) changed, \(report.unchanged) as before"
        guard let first = report.skipped.first else { return .done(counts) }
        let place = "\(first.file)\(first.line.map { ", line \($0)" } ?? "")"
        return .done(
            "\(counts); left out \(report.skipped.count), the first \(place): \(first.reason)")
    }

    private func backUp(keeping count: Int) async throws -> JobReport {
        let planner = planner()
        let folder = BackupFolder(folder: planner.surroundings.home.backups, now: planner.now)
        try folder.make()
        let file = folder.newFile
        let report = try await planner.backup(to: file, overwriting: false)
        let removed = try folder.removeAll(but: count)
        let name = URL(filePath: file).lastPathComponent
        return .done(
            "\(name), \(report.bytes >> 10) KB"
                + (removed > 0 ? "; \(TimeWords.count(removed, "older one")) removed" : ""))
    }

    private func checkZones() async throws -> JobReport {
        let outcome = try await lookAtZones()
        guard outcome.missing.isEmpty else {
            return .failed(
                "no rules for \(outcome.missing.joined(separator: ", ")), where meetings are "
                    + "planned. Install the system's time zones: apt-get install tzdata")
        }
        let version = planner().surroundings.zones.version ?? "of unknown version"
        guard !outcome.changed.isEmpty else { return .done("tzdata \(version): nothing changed") }
        return .done(
            "tzdata \(version): changed are \(outcome.changed.joined(separator: ", ")); "
                + "\(TimeWords.count(outcome.moved.count, "meeting")) moved")
    }

    /// Quiet where all is well.
    private func examine() async -> JobReport {
        let planner = planner()
        let doctor = Doctor(homeOption: planner.surroundings.home.path, machine: machine)
        let report = await doctor.report(
            version: Version.current, besides: [doctor.crontabCheck] + doctor.jobChecks())
        guard report.ok else { return .failed(report.remarks.joined(separator: "\n")) }
        return .done(
            report.remarks.isEmpty ? "all is well" : report.remarks.joined(separator: "\n"))
    }
}
