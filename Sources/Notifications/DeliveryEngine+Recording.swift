import Agenda
import Ledger
import Logging
import Planning
import Storage
import Synchronization
import Timekeeping

/// Recording what came of attempts.
extension DeliveryEngine {
    /// Records what came of attempts. A store that is away is waited for: what is not recorded now
    /// can only be called ambiguous later.
    ///
    /// - Returns: whether they are recorded.
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
                logger.error("what was sent cannot be recorded yet: \(error)")
                await pause(seconds: pauses.popFirst() ?? 4)
            }
        }
    }

    /// Records what came of attempts, at once or not at all.
    func record(_ attempts: [FinishedAttempt]) async throws {
        let planner = planner.withLock { $0 }
        let failures = try await store.finishAttempts(attempts, now: clock.now) { mayHaveArrived in
            planner.replanning(
                because: mayHaveArrived
                    ? "the meeting changed while it was being sent"
                    : "what came before it did not arrive")
        }
        note(failures)
    }

    /// Tells of meetings that could not be planned anew: what is to be told of them may be missing
    /// until somebody mends them.
    func note(_ failures: [ReplanFailure]) {
        for failure in failures {
            logger.error(
                "a meeting cannot be planned anew: \(failure.reason)",
                metadata: ["meeting": "\(failure.meeting)"])
        }
    }

    /// Records what is left when a run ends: how what was sent went, and that the rest was not.
    func finish(_ dispatch: SharedDispatch) async throws {
        let (unsent, finished) = dispatch.with { ($0.takeReady().map(\.id), $0.takeFinished()) }
        let attempts = finished + unsent.map { FinishedAttempt(withdrawing: $0) }
        guard !attempts.isEmpty else { return }
        for seconds in Self.recordPausesSeconds {
            do {
                return try await record(attempts)
            } catch {
                logger.error("what was sent cannot be recorded yet: \(error)")
                await pause(seconds: seconds)
            }
        }
        try await record(attempts)
    }

    /// Rests by the machine's clock; ends at once when the task is cancelled.
    func pause(seconds: Int64) async {
        try? await waitClock.sleep(until: waitClock.now.advanced(bySeconds: seconds))
    }
}
