public import Agenda
import GRDB

/// Replans a meeting after a change that affects it: of a policy, an address, or a delivery. It is
/// called inside the transaction of that change, so that no crash can separate the two.
public typealias Replanning = @Sendable (MeetingBundle) throws -> MeetingRevision

/// A meeting that could not be replanned.
public struct ReplanFailure: Sendable {
    /// The meeting.
    public let meeting: MeetingID
    /// The error.
    public let reason: any Error
}

/// The result of a change after which many meetings were replanned.
public struct ReplanCount: Sendable {
    /// The number of rows that the change affected.
    public let count: Int
    /// The meetings that could not be replanned; the change is saved all the same.
    public let failures: [ReplanFailure]

    /// Creates a result.
    public init(count: Int, failures: [ReplanFailure]) {
        self.count = count
        self.failures = failures
    }
}

extension MeetingBundle {
    /// Replans each of these meetings, and returns those that failed: one damaged meeting must not
    /// block the notifications of all others.
    static func replanEach(
        _ meetings: some Sequence<MeetingID>, by plan: @escaping Replanning, in db: Database
    ) throws -> [ReplanFailure] {
        try replanAndCount(meetings, by: plan, in: db).failures
    }

    /// Replans meetings one by one. If one fails, the others are still replanned.
    ///
    /// - Returns: the number of meetings whose deliveries changed, and the meetings that failed.
    static func replanAndCount(
        _ meetings: some Sequence<MeetingID>, by plan: @escaping Replanning, in db: Database
    ) throws -> ReplanCount {
        var count = 0
        let failures = try meetings.sorted().compactMap { meeting -> ReplanFailure? in
            do {
                var revisions: [MeetingRevision] = []
                try db.inSavepoint {
                    revisions = try replan([meeting], by: plan, in: db)
                    return .commit
                }
                count += revisions.count { !$0.difference.isEmpty }
                return nil
            } catch let error where !(error is DatabaseError) {
                return ReplanFailure(meeting: meeting, reason: error)
            }
        }
        return ReplanCount(count: count, failures: failures)
    }

    /// Replans these meetings, saves the results, and returns them.
    @discardableResult
    static func replan(
        _ meetings: some Sequence<MeetingID>, by plan: Replanning, in db: Database
    ) throws -> [MeetingRevision] {
        try meetings.compactMap { id in
            guard let bundle = try fetch(id, in: db) else { return nil }
            let revision = try plan(bundle)
            try revision.save(in: db)
            return revision
        }
    }
}
