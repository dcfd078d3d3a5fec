public import Agenda
import Calendars
import Foundation
public import Ledger
import Operations
public import Planning
import Settings
import Timekeeping
import Wording

/// Runs jobs to their end.
public struct JobRunner: Sendable {
    /// Checks the rules of time zones and returns what changed.
    public typealias ZoneLook = @Sendable () async throws -> ZoneRulesOutcome

    private let planner: @Sendable () -> Planner
    private let machine: Machine
    private let lookAtZones: ZoneLook

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - machine: the clock and the random source.
    ///   - planner: returns the planner with the current configuration.
    ///   - lookAtZones: checks the rules of time zones; by default the planner does.
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

    /// The context that a shell command needs about its run.
    struct Frame {
        /// The unique name of the run.
        let name: String
        let line: CrontabLine?
        /// The scheduled time of the run.
        let nominal: Moment
        /// Whether somebody started the run by hand and may want to stop it.
        var isByHand = false
    }

    /// Runs a job. Errors become part of the report.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
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
                ).remark(of: period))
        case .contactsSync: return try await syncContacts()
        case .placesRefresh: return .done(try await planner().refreshPlaces().remark)
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

    /// Whether a run of a job that must not be repeated has started.
    func hasBegun(_ name: String) -> Bool { sign(name).isThere }

    /// Removes the sign of a run whose end has been recorded.
    func forget(_ name: String) { sign(name).remove() }

    /// Removes the signs that earlier daemons left, except those of `runs`.
    func forgetAll(but runs: Set<String>) {
        RunSign.removeAll(in: planner().surroundings.home, but: runs)
    }

    /// Whether a command that an earlier daemon started is still running.
    func goesOn(_ name: String) -> Bool { sign(name).isAlive }

    /// Kills the command of a run if it is still running.
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
        guard try Planner.hasCards(path) else { return .done("\(folder) contains no cards") }
        return .done(
            try await planner.importPeople([path], selection: ImportSelection()).jobText)
    }

    private func backUp(keeping count: Int) async throws -> JobReport {
        let planner = planner()
        let folder = BackupFolder(of: planner)
        let report = try await folder.backUp(planner)
        let removed = try folder.removeAll(but: count)
        let name = URL(filePath: report.file).lastPathComponent
        return .done(
            "\(name), \(report.bytes >> 10) KB"
                + (removed > 0 ? "; \(TimeWords.count(removed, "older backup")) removed" : ""))
    }

    private func checkZones() async throws -> JobReport {
        let outcome = try await lookAtZones()
        guard outcome.missing.isEmpty else {
            return .failed(
                "no rules for \(outcome.missing.joined(separator: ", ")), where meetings are "
                    + "planned. Install the time zone data: apt-get install tzdata")
        }
        let version = planner().surroundings.zones.version ?? "of unknown version"
        guard !outcome.changed.isEmpty else { return .done("tzdata \(version): nothing changed") }
        return .done(
            "tzdata \(version): rules changed for \(outcome.changed.joined(separator: ", ")); "
                + "\(TimeWords.count(outcome.moved.count, "meeting")) moved")
    }

    /// Runs the health check. The report lists only problems.
    private func examine() async -> JobReport {
        let planner = planner()
        let doctor = Doctor(homeOption: planner.surroundings.home.path, machine: machine)
        let report = await doctor.report(
            version: Version.current, besides: [doctor.crontabCheck] + doctor.jobChecks())
        let lines = report.remarks()
        let remark = Remark(lines.joined(separator: "\n"), advice: .installation(.examine))
        guard report.ok else { return .failed(remark) }
        return .done(lines.isEmpty ? "no problems found" : remark)
    }
}

/// The result of a run of a job.
public struct JobReport: Sendable {
    /// The final state of the run.
    public let state: JobRun.State
    /// The result, or the reason for a failure.
    public let remark: Remark
    /// The reason for a failure as a refusal, if one is known.
    public let refusal: Refusal?

    /// The result, or the reason for a failure, in words: without advice, for the log.
    public var words: String { remark.text }

    init(_ state: JobRun.State, _ remark: Remark, refusal: Refusal? = nil) {
        self.state = state
        self.remark = remark
        self.refusal = refusal
    }

    static func done(_ words: String) -> JobReport { done(Remark(words)) }
    static func done(_ remark: Remark) -> JobReport { JobReport(.done, remark) }
    static func failed(_ words: String) -> JobReport { failed(Remark(words)) }
    static func failed(_ remark: Remark) -> JobReport { JobReport(.failed, remark) }
    static func failed(_ refusal: Refusal) -> JobReport {
        JobReport(.failed, refusal.remark, refusal: refusal)
    }
}
