public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// The id of a task.
public typealias LongTaskID = Identifier<LongTask>

/// Work of an account that takes longer than a page may.
public struct LongTask: Equatable, Sendable {
    /// The kind of work.
    public enum Kind: String, Sendable {
        /// Imports contacts.
        case contacts = "import"
        /// Takes an import of contacts back.
        case undo
        /// Fetches the places of a city.
        case fetch
    }

    /// The state of a task. The last four are final.
    public enum State: String, CaseIterable, Sendable {
        /// Waits for other tasks.
        case queued
        /// Is at work.
        case running
        /// Is at work, and stops at the next step.
        case stopping
        /// Has done everything.
        case done
        /// Could not do its work.
        case failed
        /// Was stopped by its account.
        case cancelled
        /// Was stopped by the end of the daemon.
        case interrupted

        /// True if the state changes no more.
        public var isFinal: Bool {
            switch self {
            case .queued, .running, .stopping: false
            case .done, .failed, .cancelled, .interrupted: true
            }
        }
    }

    /// The id.
    public let id: LongTaskID
    /// The account that started it, which alone sees it.
    public let person: PersonID
    /// The kind of work.
    public let kind: Kind
    /// The state.
    public var state = State.queued
    /// The steps that are done.
    public var done = 0
    /// All steps; 0 if their number is not known.
    public var total = 0
    /// The file or the city that the work is about.
    public let subject: String
    /// The result as JSON; empty while there is none.
    public var result = ""
    /// The time at which the account started it.
    public let queuedAt: Moment
    /// The time at which the work began; `nil` if it did not.
    public var startedAt: Moment?
    /// The time at which the work ended; `nil` if it did not.
    public var endedAt: Moment?

    /// Describes a new task.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - person: the account that starts it.
    ///   - kind: the kind of work.
    ///   - subject: the file or the city that the work is about.
    ///   - queuedAt: the present time.
    public init(
        id: LongTaskID, person: PersonID, kind: Kind, subject: String, queuedAt: Moment
    ) {
        self.id = id
        self.person = person
        self.kind = kind
        self.subject = subject
        self.queuedAt = queuedAt
    }
}

extension LongTask {
    /// The columns of a task.
    static let select = """
        SELECT id, person_id, kind, state, done, total, subject, result, queued_at, started_at,
            ended_at FROM task
        """

    init(row: Row) throws {
        self.init(
            id: LongTaskID(text: row["id"]), person: PersonID(text: row["person_id"]),
            kind: try StoredValue.decode(row["kind"]), subject: row["subject"],
            queuedAt: Moment(milliseconds: row["queued_at"]))
        state = try StoredValue.decode(row["state"])
        done = row["done"]
        total = row["total"]
        result = row["result"]
        startedAt = (row["started_at"] as Int64?).map { Moment(milliseconds: $0) }
        endedAt = (row["ended_at"] as Int64?).map { Moment(milliseconds: $0) }
    }
}
