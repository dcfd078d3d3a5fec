public import Timekeeping

/// One run of a job, started by a line of the crontab or by a person.
public struct JobRun: Equatable, Sendable {
    /// The state of a run.
    public enum State: String, Sendable {
        /// It has not started.
        case waiting
        /// It is running, or its daemon crashed.
        case running
        /// It succeeded.
        case done
        /// It failed.
        case failed
        /// It was skipped, because the previous run was still running.
        case skipped
        /// It started, but its result is unknown.
        case interrupted

        /// True if it has not ended yet.
        public var isOpen: Bool { self == .waiting || self == .running }
    }

    /// The trigger of a run.
    public enum Origin: String, Sendable {
        /// A time of its crontab line.
        case time
        /// The start of the machine.
        case boot
        /// A person.
        case hand
    }

    /// The number of the run in the store.
    public let id: Int64
    /// The name of its crontab line; `nil` for a run that a person started without a line.
    public let line: String?
    /// The job as it is typed.
    public let job: String
    /// The trigger.
    public let origin: Origin
    /// The scheduled time of its crontab line.
    public let nominal: Moment
    /// The time at which it is due.
    public let due: Moment
    /// The state.
    public let state: State
    /// The number of times it has started.
    public let starts: Int
    /// The last start; `nil` if it has not started.
    public let startedAt: Moment?
    /// The end; `nil` if it has not ended.
    public let endedAt: Moment?
    /// The result in words.
    public let detail: String

    /// Creates a run.
    public init(
        id: Int64, line: String?, job: String, origin: Origin, nominal: Moment, due: Moment,
        state: State, starts: Int = 0, startedAt: Moment? = nil, endedAt: Moment? = nil,
        detail: String = ""
    ) {
        self.id = id
        self.line = line
        self.job = job
        self.origin = origin
        self.nominal = nominal
        self.due = due
        self.state = state
        self.starts = starts
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.detail = detail
    }
}
