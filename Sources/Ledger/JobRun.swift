public import Timekeeping

/// One run of a job: what a line of the crontab, or somebody, started.
public struct JobRun: Equatable, Sendable {
    /// Where a run stands.
    public enum State: String, Sendable {
        /// It has not begun.
        case waiting
        /// It goes on, or its daemon died.
        case running
        /// It did what it should.
        case done
        /// It did not.
        case failed
        /// It was left out, because the run before it went on.
        case skipped
        /// It began, and how it ended is not known.
        case interrupted

        /// Whether it is still to begin, or to end.
        public var isOpen: Bool { self == .waiting || self == .running }
    }

    /// What started it.
    public enum Origin: String, Sendable {
        /// A time of its line.
        case time
        /// The machine's start.
        case boot
        /// Somebody.
        case hand
    }

    /// Its number in the store.
    public let id: Int64
    /// The name of its line; `nil` for one that somebody started otherwise.
    public let line: String?
    /// The job as it is typed.
    public let job: String
    /// What started it.
    public let origin: Origin
    /// The time of its line that it stands for.
    public let nominal: Moment
    /// When it begins.
    public let due: Moment
    /// Where it stands.
    public let state: State
    /// How often it began.
    public let starts: Int
    /// When it began last; `nil` before.
    public let startedAt: Moment?
    /// When it ended; `nil` before.
    public let endedAt: Moment?
    /// What it said, in words.
    public let detail: String

    /// Describes a run.
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
