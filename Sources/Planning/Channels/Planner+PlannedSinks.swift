import Agenda
import Ledger
public import Storage
import Timekeeping

extension Planner {
    /// How many meetings are planned anew in one transaction.
    private static let sinkPageRows = 50

    /// Plans coming meetings anew where other sinks are on than when they were planned: what is to
    /// be told from now on goes by those that are on, and waits for none that is off.
    ///
    /// - Returns: how many meetings that were, and those that could not be planned anew; `nil`
    ///   where the sinks are the same.
    /// - Throws: ``StoreError``; then, as where some could not be, the next call begins anew.
    public func followSinks() async throws -> ReplanCount? {
        let sinks = Self.names(of: sinks)
        let planned = try await store.plannedSinks()
        guard planned != sinks else { return nil }
        // What was begun and not finished is no new change.
        let begun = "\(sinks) begun"
        if planned != begun {
            try await store.savePlannedSinks(
                begun, tellingAllSince: planned.map(isNewToAll) == true ? now : nil)
        }
        try await rerouteDeliveries()
        let outcome = try await replanComing()
        if outcome.failures.isEmpty { try await store.savePlannedSinks(sinks) }
        return outcome
    }

    /// Whether one tells of all that happens, and none did among those that were on.
    private func isNewToAll(_ before: String) -> Bool {
        let names = before.split(separator: " ").map(String.init)
        let shared = sinks.filter { $0.readers == .installation }.map(\.name)
        return !shared.isEmpty && Set(shared).isDisjoint(with: names)
    }

    /// The sinks that are on, in a form that can be compared.
    static func names(of sinks: [SinkKind]) -> String {
        sinks.map(\.name).sorted().joined(separator: " ")
    }

    private func replanComing() async throws -> ReplanCount {
        let replanning = sending().replanning(because: "other sinks are on")
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

    /// Digests and the like, which are about no meeting.
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
