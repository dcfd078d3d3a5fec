public import Planning
import Storage
public import Timekeeping
import Wording

/// The numbers of old records that were removed.
public struct PruneReport: Encodable, Sendable {
    /// The number of removed texts that people wrote, of finished deliveries.
    public let texts: Int
    /// The number of removed job runs.
    public let runs: Int

    /// The numbers in words.
    public var words: String {
        "\(TimeWords.count(texts, "text")) and \(TimeWords.count(runs, "run")) removed"
    }
}

extension Planner {
    /// The number of rows that are removed in one transaction.
    private static let pruneRowsMax = 500

    /// Removes the texts of old deliveries and old job runs. The deliveries stay, with their
    /// receivers, times and results.
    ///
    /// - Parameter span: the age at which they are removed.
    /// - Returns: the numbers of removed records.
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
        try await forgetWhatExpired()
        return PruneReport(texts: texts, runs: runs)
    }

    /// Forgets what could only be taken back or confirmed for a limited time.
    private func forgetWhatExpired() async throws {
        try await store.forgetMerges(now: now)
        while try await store.forgetImports(now: now, limit: Self.pruneRowsMax) {
            try Task.checkCancellation()
        }
        try await store.forgetTasks(now: now)
        try await store.forgetAddressRequests(now: now)
        try await store.removeUnusedPictures()
    }
}
