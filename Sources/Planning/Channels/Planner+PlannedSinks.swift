import Agenda
import Ledger
public import Storage
import Timekeeping

extension Planner {
    /// The number of meetings that one transaction replans.
    private static let sinkPageRows = 50

    /// Replans the coming meetings if the enabled sinks have changed since they were planned.
    /// Planned notifications go through the enabled sinks then, and none waits for a disabled one.
    ///
    /// - Returns: the number of meetings that need other deliveries now, and the meetings that
    ///   could not be replanned; `nil` if the sinks have not changed.
    /// - Throws: ``StoreError``. After an error or a failed meeting, the next call starts again.
    public func followSinks() async throws -> ReplanCount? {
        let sinks = Self.names(of: sinks)
        let planned = try await store.plannedSinks()
        guard planned != sinks else { return nil }
        // Replanning that was begun and not finished is not a second change of the sinks.
        let begun = "\(sinks) begun"
        if planned != begun {
            try await store.savePlannedSinks(
                begun, tellingAllSince: planned.map(isNewToAll) == true ? now : nil)
        }
        try await rerouteDeliveries()
        let outcome = try await replanComing(because: "the delivery method changed")
        if outcome.failures.isEmpty { try await store.savePlannedSinks(sinks) }
        return outcome
    }

    /// True if a sink for the whole installation is enabled now, and none of these sinks was
    /// enabled before.
    private func isNewToAll(_ before: String) -> Bool {
        let names = before.split(separator: " ").map(String.init)
        let shared = sinks.filter { $0.readers == .installation }.map(\.name)
        return !shared.isEmpty && Set(shared).isDisjoint(with: names)
    }

    /// Replans all coming meetings.
    func replanComing(because reason: String) async throws -> ReplanCount {
        let replanning = sending().replanning(because: reason)
        var count = 0
        var failures: [ReplanFailure] = []
        var last: MeetingID?
        repeat {
            let page = try await store.replanComing(
                after: last, now: now, limit: Self.sinkPageRows, replanning: replanning)
            count += page.count.count
            failures += page.count.failures
            last = page.last
        } while last != nil
        return ReplanCount(count: count, failures: failures)
    }

    /// Re-routes the deliveries that are not about a meeting, such as digests.
    private func rerouteDeliveries() async throws {
        let (sinks, now) = (sinks, now)
        var last: Int64? = 0
        while let before = last {
            last = try await store.rerouteDeliveries(
                after: before, now: now, limit: Self.sinkPageRows
            ) { row, person, own in
                var directory = ChannelDirectory(
                    sinks: sinks, addresses: [person.id.text: person.address])
                directory.own = own
                return directory.rows(inPlaceOf: row, now: now)
            }.last
        }
    }
}
