import Ledger
public import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// A crontab as answers show it.
public struct CrontabView: Encodable, Sendable {
    /// Something that is wrong with it.
    public struct Problem: Encodable, Sendable {
        /// The file.
        public let file: String
        /// The line, counted from 1.
        public let line: Int
        /// The part of the line, such as `hour` or `job`; `null` where it is none alone.
        @Null public var field: String?
        /// How bad it is: nothing is only half wrong.
        let severity = "error"
        /// What is wrong, and what to do.
        public let message: String

        /// "crontab:3: hour: 25 is not in 0-23."
        public var text: String { "\(file):\(line): \(field.map { "\($0): " } ?? "")\(message)" }
    }

    /// The file.
    public let file: String
    /// Its lines that start something.
    public let lines: [CrontabLineView]
    /// What is wrong with it.
    public let problems: [Problem]
}

/// A line of a crontab as answers show it.
public struct CrontabLineView: Encodable, Sendable {
    /// Where it stands, counted from 1.
    public let line: Int
    /// What it is known by: its id, else its text.
    public let id: String
    /// When it comes, as it is written.
    public let schedule: String
    /// By whose clocks.
    public let tz: String
    /// When it comes, in words.
    public let explanation: String
    /// What it starts.
    public let job: String
    /// When it comes next; `null` for `@reboot`, and in a crontab that is not taken.
    @Null public var next: Timestamp?
    /// How it went last; `null` where it never came to an end.
    @Null public var last: JobRunView?
    /// What became of its last time: it may go on, or wait, or have been left out.
    @Null public var current: JobRunView?
    let isDoctor: Bool

    private enum CodingKeys: String, CodingKey {
        case line, id, schedule, tz, explanation, job, next, last, current
    }

    init(
        _ line: CrontabLine, isTaken: Bool = true, last: JobRun? = nil, current: JobRun? = nil,
        for planner: Planner
    ) {
        isDoctor = line.job == .doctor
        self.line = line.number
        id = line.name
        schedule = line.scheduleText
        tz = line.zone.id
        explanation = line.explanation
        job = line.jobText
        next =
            isTaken
            ? line.next(after: planner.now).map {
                Timestamp($0, in: line.zone, reader: planner.zone)
            } : nil
        self.last = last.map { JobRunView($0, for: planner) }
        self.current = current.map { JobRunView($0, for: planner) }
    }
}

/// A run of a job as answers show it.
public struct JobRunView: Encodable, Sendable {
    /// What ran.
    public let job: String
    /// What started it: `time`, `boot` or `hand`.
    public let origin: String
    /// The time that it stands for.
    public let nominal: Timestamp
    /// When it began; `null` before.
    @Null public var started: Timestamp?
    /// When it ended; `null` before.
    @Null public var ended: Timestamp?
    /// How long it took, in seconds; `null` before it ended.
    @Null public var seconds: Double?
    /// Where it stands: `waiting`, `running`, `done`, `failed`, `skipped` or `interrupted`.
    public let state: String
    /// What it said, in words.
    public let detail: String

    init(_ run: JobRun, for planner: Planner) {
        let reader = planner.zone
        job = run.job
        origin = run.origin.rawValue
        nominal = Timestamp(run.nominal, reader: reader)
        started = run.startedAt.map { Timestamp($0, reader: reader) }
        ended = run.endedAt.map { Timestamp($0, reader: reader) }
        state = run.state.rawValue
        detail = run.detail
        if let start = run.startedAt, let end = run.endedAt {
            seconds = Double(max(0, end.milliseconds(since: start))) / 1000
        }
    }

    /// "done Sun 22 Nov 2026, 03:30 EET, took 0.4 seconds: letsmeet-….backup".
    public var words: String {
        let time = (ended ?? started ?? nominal).words
        let length = seconds.map { ", took \($0) seconds" } ?? ""
        let first = detail.split(separator: "\n").first.map { ": \($0)" } ?? ""
        return "\(state) \(time)\(length)\(first)"
    }
}

/// What `cron list` says.
public struct CronListView: Encodable, Sendable {
    /// The crontab that is in use.
    public let file: String
    /// Whether a daemon works on this home: `running` or `none`.
    public let daemon: String
    /// Its lines, but for those that are wrong.
    public let lines: [CrontabLineView]
    /// What is wrong with it: where anything is, the file is not taken.
    public let problems: [CrontabView.Problem]
}

extension CrontabView.Problem {
    fileprivate init(_ fault: CrontabFault, in file: CrontabFile) {
        self.init(
            file: file.path, line: fault.line, field: fault.field, message: fault.reason)
    }
}

extension Planner {
    /// Holds a crontab to its rules, and tells what its lines mean.
    ///
    /// - Parameter path: the file; `nil` for the one that is in use.
    /// - Returns: lines and problems.
    /// - Throws: ``Refusal`` with `no_file` or `bad_crontab`.
    public func checkCrontab(_ path: String?) throws(Refusal) -> CrontabView {
        let file = path.map(CrontabFile.init) ?? crontabFile
        let crontab = try file.read(try Crontab.Setting(surroundings))
        return CrontabView(
            file: file.path, lines: crontab.lines.map { CrontabLineView($0, for: self) },
            problems: crontab.faults.map { CrontabView.Problem($0, in: file) })
    }

    /// The lines of the crontab that is in use: when each came last, and how that went, and when it
    /// comes next; where it has a fault, what is wrong too.
    ///
    /// - Throws: ``Refusal`` with `bad_crontab` for what is no text.
    public func cronList() async throws -> CronListView {
        let file = crontabFile
        let crontab = try file.read(try Crontab.Setting(surroundings))
        var lines: [CrontabLineView] = []
        for line in crontab.lines {
            lines.append(
                CrontabLineView(
                    line, isTaken: crontab.faults.isEmpty,
                    last: try await store.lastEndedRun(ofLine: line.name),
                    current: try await store.lastRuns(ofLine: line.name, limit: 1).first, for: self
                ))
        }
        let daemon = FileLock.holder(path: surroundings.home.daemonLock)
        return CronListView(
            file: file.path, daemon: daemon == nil ? "none" : "running", lines: lines,
            problems: crontab.faults.map { CrontabView.Problem($0, in: file) })
    }

    /// - Throws: ``Refusal`` with `bad_crontab`, which names the first fault.
    func soundCrontab(_ file: CrontabFile) throws(Refusal) -> Crontab {
        let crontab = try file.read(try Crontab.Setting(surroundings))
        guard let fault = crontab.faults.first else { return crontab }
        throw Refusal(
            .invalid, code: "bad_crontab",
            "\(file.path), \(fault.text) All that is wrong says: letsmeet cron check")
    }

    var crontabFile: CrontabFile { CrontabFile(surroundings) }
}
