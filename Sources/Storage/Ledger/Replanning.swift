public import Agenda
import GRDB

/// Plans a meeting anew after something beside it changed: a policy, an address, what somebody
/// was told. It is asked inside the transaction of that change, so that no moment and no crash
/// lies between the two.
public typealias Replanning = @Sendable (MeetingBundle) throws -> MeetingRevision

/// A meeting that could not be planned anew.
public struct ReplanFailure: Sendable {
    /// The meeting.
    public let meeting: MeetingID
    /// Why not.
    public let reason: any Error
}

/// What came of a change after which many meetings were planned anew.
public struct ReplanCount: Sendable {
    /// How many rows it concerned.
    public let count: Int
    /// The meetings that could not be planned anew: the change stands all the same.
    public let failures: [ReplanFailure]

    /// What came of a change.
    public init(count: Int, failures: [ReplanFailure]) {
        self.count = count
        self.failures = failures
    }
}

extension MeetingBundle {
    /// Plans each of these meetings anew, and returns those for which that failed: one that is
    /// damaged must not keep all others from being told anything.
    static func replanEach(
        _ meetings: some Sequence<MeetingID>, by plan: @escaping Replanning, in db: Database
    ) throws -> [ReplanFailure] {
        try meetings.sorted().compactMap { meeting in
            do {
                try db.inSavepoint {
                    try replan([meeting], by: plan, in: db)
                    return .commit
                }
                return nil
            } catch let error where !(error is DatabaseError) {
                return ReplanFailure(meeting: meeting, reason: error)
            }
        }
    }

    /// Saves what `plan` makes of these meetings, and returns it.
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
