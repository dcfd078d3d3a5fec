import Agenda
import Ledger
import Logging
import Planning
import Storage
import Synchronization
import Timekeeping

/// Recording the outcomes of attempts.
extension DeliveryEngine {
    /// Records the outcomes of attempts, and retries while the store is not available: an attempt
    /// without a recorded outcome could only be treated as ambiguous later.
    ///
    /// - Returns: whether they were recorded.
    func record(_ attempts: [FinishedAttempt], of dispatch: SharedDispatch) async -> Bool {
        var pauses = Self.recordPausesSeconds[...]
        while true {
            do {
                try await record(attempts)
                let now = clock.now
                dispatch.with { $0.recorded(attempts, now: now) }
                dispatch.wakes.wake()
                return true
            } catch {
                guard !Task.isCancelled, dispatch.isPatient || !pauses.isEmpty else {
                    if !dispatch.isPatient { dispatch.fail(error) }
                    dispatch.with { $0.notRecorded(attempts, isGivenUp: !dispatch.isPatient) }
                    return false
                }
                logger.error("the outcomes of attempts cannot be recorded yet, retrying: \(error)")
                await pause(seconds: pauses.popFirst() ?? 4)
            }
        }
    }

    /// Records the outcomes of attempts in one transaction.
    func record(_ attempts: [FinishedAttempt]) async throws {
        let planner = planner.withLock { $0 }
        let failures = try await store.finishAttempts(attempts, now: clock.now) { mayHaveArrived in
            planner.replanning(
                because: mayHaveArrived
                    ? "the meeting changed while this delivery was being sent"
                    : "an earlier notification was not delivered")
        }
        unmark(attempts)
        note(failures)
    }

    /// Logs the meetings that could not be replanned. Notifications about them may be missing until
    /// the meetings are repaired.
    func note(_ failures: [ReplanFailure]) {
        for failure in failures {
            logger.error(
                "a meeting cannot be replanned: \(failure.reason)",
                metadata: ["meeting": "\(failure.meeting)"])
        }
    }

    /// Records what is left when a run ends: the outcomes of finished attempts, and the withdrawal
    /// of those that were begun but not sent.
    func finish(_ dispatch: SharedDispatch) async throws {
        let (unsent, finished) = dispatch.with { ($0.takeReady().map(\.id), $0.takeFinished()) }
        let attempts = finished + unsent.map { FinishedAttempt(withdrawing: $0) }
        guard !attempts.isEmpty else { return }
        for seconds in Self.recordPausesSeconds {
            do {
                return try await record(attempts)
            } catch {
                logger.error("the outcomes of attempts cannot be recorded yet, retrying: \(error)")
                await pause(seconds: seconds)
            }
        }
        try await record(attempts)
    }

    /// Sleeps by the machine's clock; returns at once when the task is cancelled.
    func pause(seconds: Int64) async {
        try? await waitClock.sleep(until: waitClock.now.advanced(bySeconds: seconds))
    }
}
