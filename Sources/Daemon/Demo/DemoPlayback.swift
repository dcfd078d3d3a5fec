import Planning
import Storage
import Timekeeping

/// Lets time pass in a demo: each delivery on the way happens at its own time.
struct DemoPlayback: Sendable {
    let store: Store
    let clock: DemoClock
    /// Returns when everything that is due has been sent.
    let settle: @Sendable () async throws -> Void

    /// Moves the clock to a time.
    func play(through end: Moment) async throws {
        try await settle()
        var last = clock.now
        while let next = try await store.dueDeliveries(after: last, through: end, limit: 1).first {
            clock.set(to: next.due)
            try await settle()
            last = next.due
        }
        guard end > clock.now else { return }
        clock.set(to: end)
        try await settle()
    }
}
