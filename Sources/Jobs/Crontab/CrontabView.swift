public import Agenda
import Ledger
public import Planning
import Storage
import Timekeeping
import Wording

/// The output form of a crontab.
public struct CrontabView: Encodable, Sendable {
    /// A fault in the crontab.
    public struct Problem: Encodable, Sendable {
        /// The path of the file.
        public let file: String
        /// The line number, counted from 1.
        public let line: Int
        /// The faulty part of the line, such as `hour` or `job`; `null` if the fault concerns no
        /// single part.
        @Null public var field: String?
        /// The severity: always `error`, since there are no warnings.
        let severity = "error"
        /// The fault, and what to do about it.
        public let message: String

        /// "crontab:3: hour: 25 is not in 0-23."
        public var text: String { "\(file):\(line): \(field.map { "\($0): " } ?? "")\(message)" }
    }

    /// The path of the file.
    public let file: String
    /// The job lines of the file.
    public let lines: [CrontabLineView]
    /// The faults of the file.
    public let problems: [Problem]
}

/// The output form of a line of a crontab.
public struct CrontabLineView: Encodable, Sendable {
    /// The line number, counted from 1.
    public let line: Int
    /// The name that identifies the line: its id, or its text if it has none.
    public let id: String
    /// The schedule as written.
    public let schedule: String
    /// The time zone of the schedule.
    public let tz: String
    /// The schedule in words.
    public let explanation: String
    /// The job that the line starts.
    public let job: String
    /// The next time; `null` for `@reboot`, and in a crontab that is not used.
    @Null public var next: Timestamp?
    /// The last run that ended; `null` if none has.
    @Null public var last: JobRunView?
    /// The latest run in any state: it may be running, waiting or skipped.
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

/// The output form of a run of a job.
public struct JobRunView: Encodable, Sendable {
    /// The job as written.
    public let job: String
    /// The trigger of the run: `time`, `boot` or `hand`.
    public let origin: String
    /// The scheduled time of the run.
    public let nominal: Timestamp
    /// The time at which the run started; `null` before that.
    @Null public var started: Timestamp?
    /// The time at which the run ended; `null` before that.
    @Null public var ended: Timestamp?
    /// The duration in seconds; `null` until the run has ended.
    @Null public var seconds: Double?
    /// The state: `waiting`, `running`, `done`, `failed`, `skipped` or `interrupted`.
    public let state: String
    /// The result of the run, or the reason why it failed. Only a run that somebody started just
    /// now has advice.
    public let remark: Remark

    private enum CodingKeys: String, CodingKey {
        case job, origin, nominal, started, ended, seconds, state
        case remark = "detail"
    }

    init(_ run: JobRun, advice: [Advice] = [], for planner: Planner) {
        let reader = planner.zone
        job = run.job
        origin = run.origin.rawValue
        nominal = Timestamp(run.nominal, reader: reader)
        started = run.startedAt.map { Timestamp($0, reader: reader) }
        ended = run.endedAt.map { Timestamp($0, reader: reader) }
        state = run.state.rawValue
        remark = Remark(run.detail, advice: advice)
        if let start = run.startedAt, let end = run.endedAt {
            seconds = Double(max(0, end.milliseconds(since: start))) / 1000
        }
    }

    /// The result of the run, or the reason why it failed, in words.
    public var detail: String { remark.text }

    /// "done Sun 22 Nov 2026, 03:30 EET, took 0.4 seconds: letsmeet-….backup".
    public var words: String {
        time + (detail.split(separator: "\n").first.map { ": \($0)" } ?? "")
    }

    /// The same with the whole detail and its advice.
    ///
    /// - Parameter renderer: puts advice into words.
    /// - Returns: the text, which may have several lines.
    public func report(_ renderer: Advice.Renderer) -> String {
        time + (detail.isEmpty ? "" : ": \(remark.words(renderer))")
    }

    private var time: String {
        let length = seconds.map { ", took \($0) seconds" } ?? ""
        return "\(state) \((ended ?? started ?? nominal).words)\(length)"
    }
}

/// The output of `cron list`.
public struct CronListView: Encodable, Sendable {
    /// The crontab in use.
    public let file: String
    /// `running` if a daemon is running on this home, otherwise `none`.
    public let daemon: DaemonPresence
    /// The job lines without faults.
    public let lines: [CrontabLineView]
    /// The faults of the file. With any fault, the file is not used.
    public let problems: [CrontabView.Problem]
}

extension CrontabView.Problem {
    fileprivate init(_ fault: CrontabFault, in file: CrontabFile) {
        self.init(
            file: file.path, line: fault.line, field: fault.field, message: fault.reason)
    }
}

extension Planner {
    /// Checks a crontab and explains its lines.
    ///
    /// - Parameter path: the file; `nil` for the crontab in use.
    /// - Returns: the lines and the faults.
    /// - Throws: ``Refusal`` with `not_allowed`, `no_file` or `bad_crontab`.
    public func checkCrontab(_ path: String?) throws(Refusal) -> CrontabView {
        try checkIsOwner(to: "check the crontab")
        let file = path.map(CrontabFile.init) ?? crontabFile
        let crontab = try file.read(try Crontab.Setting(surroundings))
        return CrontabView(
            file: file.path, lines: crontab.lines.map { CrontabLineView($0, for: self) },
            problems: crontab.faults.map { CrontabView.Problem($0, in: file) })
    }

    /// The lines of the crontab in use, each with its last run and its next time, and the faults of
    /// the file.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, or with `no_file` or `bad_crontab` if the file
    ///   cannot be read as text.
    public func cronList() async throws -> CronListView {
        try checkIsOwner(to: "see the crontab")
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
        return CronListView(
            file: file.path, daemon: isDaemonRunning ? .running : .none, lines: lines,
            problems: crontab.faults.map { CrontabView.Problem($0, in: file) })
    }

    /// Reads a crontab that must have no faults.
    ///
    /// - Throws: ``Refusal`` with `no_file`, or with `bad_crontab`, which names the first fault.
    func soundCrontab(_ file: CrontabFile) throws(Refusal) -> Crontab {
        let crontab = try file.read(try Crontab.Setting(surroundings))
        guard let fault = crontab.faults.first else { return crontab }
        throw Refusal(
            .invalid, code: "bad_crontab",
            "\(file.path), \(fault.text)", advice: [.installation(.checkCrontab)])
    }

    var crontabFile: CrontabFile { CrontabFile(surroundings) }
}
