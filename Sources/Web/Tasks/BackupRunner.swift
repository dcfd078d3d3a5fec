import Agenda
import Ledger
import Logging
import Operations
import Storage
import Synchronization
import Timekeeping

/// Makes backups in this process, one at a time.
///
/// Its state is in memory alone: the result of a backup is a file, which the page lists also after
/// a restart, and a backup that was interrupted leaves none.
final class BackupRunner: Sendable {
    /// The id by which event streams name the backup, as if it were a task.
    static let id = LongTaskID(text: "backup")

    /// The state of the latest backup of this process.
    enum Phase: Sendable {
        /// There was none.
        case none
        /// It is being made. The numbers are octets; the second is 0 until it is known.
        case running(done: Int, of: Int, isStopping: Bool)
        /// It was made and verified.
        case done(BackupReport)
        /// It was cancelled.
        case stopped
        /// It could not be made.
        case failed(any Error)

        fileprivate var isRunning: Bool {
            if case .running = self { true } else { false }
        }
    }

    private struct State {
        var phase = Phase.none
        var run: Task<Void, Never>?
        var toldAt: Moment?
    }

    private let state = Mutex(State())
    private let clock: any WallClock
    private let logger: Logger
    /// Tells the open pages of an account that the backup has changed.
    private let tell: @Sendable (PersonID) -> Void

    init(
        clock: any WallClock, logger: Logger, tell: @escaping @Sendable (PersonID) -> Void
    ) {
        self.clock = clock
        self.logger = logger
        self.tell = tell
    }

    /// The state of the latest backup.
    var phase: Phase { state.withLock { $0.phase } }

    /// Starts a backup, unless one is being made.
    ///
    /// - Parameters:
    ///   - person: the account whose open pages follow it.
    ///   - work: makes the backup. It passes on how far it is.
    func start(
        for person: PersonID,
        _ work: @escaping @Sendable (@escaping BackupProgress) async throws -> BackupReport
    ) {
        state.withLock { state in
            guard !state.phase.isRunning else { return }
            state.phase = .running(done: 0, of: 0, isStopping: false)
            // Detached, because the limits of the request that started it are not its own.
            state.run = Task.detached { await self.perform(work, person) }
        }
    }

    private func perform(
        _ work: @Sendable (@escaping BackupProgress) async throws -> BackupReport,
        _ person: PersonID
    ) async {
        let phase: Phase
        do {
            phase = .done(try await work { self.note(done: $0, of: $1, person) })
        } catch is CancellationError {
            phase = .stopped
        } catch {
            logger.error("a backup could not be made: \(error)")
            phase = .failed(error)
        }
        state.withLock { $0 = State(phase: phase) }
        tell(person)
    }

    /// Notes how far the backup is, tells it at most twice a second, and says whether it may go on.
    private func note(done: Int, of total: Int, _ person: PersonID) -> Bool {
        let now = clock.now
        let (mayGoOn, isDue) = state.withLock { state -> (Bool, Bool) in
            guard case .running(_, _, false) = state.phase else { return (false, false) }
            state.phase = .running(done: done, of: total, isStopping: false)
            let isDue =
                state.toldAt.map {
                    now.milliseconds - $0.milliseconds >= TaskRunner.noteMilliseconds
                } ?? true
            if isDue { state.toldAt = now }
            return (true, isDue)
        }
        if isDue { tell(person) }
        return mayGoOn
    }

    /// Stops the backup that is being made.
    func stop() {
        state.withLock { state in
            guard case .running(let done, let total, _) = state.phase else { return }
            state.phase = .running(done: done, of: total, isStopping: true)
        }
    }

    /// Returns when no backup is being made.
    func ended() async { await state.withLock { $0.run }?.value }

    /// Stops the backup that is being made, and waits for its end.
    func close() async {
        stop()
        await ended()
    }
}
