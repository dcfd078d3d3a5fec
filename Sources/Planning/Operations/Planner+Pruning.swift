import Storage
public import Timekeeping
import Wording

/// What was removed because it is old.
public struct PruneReport: Encodable, Sendable {
    /// Texts that people wrote, of deliveries that are over.
    public let texts: Int
    /// Runs of jobs.
    public let runs: Int

    /// The same in a sentence.
    public var words: String {
        "\(TimeWords.count(texts, "text")) and \(TimeWords.count(runs, "run")) removed"
    }
}

extension Planner {
    /// How many texts are removed in one transaction.
    private static let pruneRowsMax = 500

    /// Removes the texts of messages that were delivered long ago, and the runs of jobs that ended
    /// then. What was sent to whom, when, and how that went, stays.
    ///
    /// - Parameter span: how long they are kept.
    /// - Returns: what was removed.
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func pruneLedger(_ span: TimeSpan) async throws -> PruneReport {
        try checkIsOwner(to: "prune the ledger")
        let moment = span.before(zone.wallTime(at: now), in: zone)
        var texts = 0
        while true {
            let removed = try await store.pruneTexts(before: moment, limit: Self.pruneRowsMax)
            texts += removed
            guard removed == Self.pruneRowsMax else { break }
            try Task.checkCancellation()
        }
        var runs = 0
        while true {
            let removed = try await store.forgetRuns(
                endedBefore: moment, limit: Self.pruneRowsMax)
            runs += removed
            guard removed == Self.pruneRowsMax else { break }
            try Task.checkCancellation()
        }
        return PruneReport(texts: texts, runs: runs)
    }
}
