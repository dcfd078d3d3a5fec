import Agenda
import GRDB

/// Plans a meeting anew after something beside it changed: a policy, an address, what somebody
/// was told. It is asked inside the transaction of that change, so that no moment and no crash
/// lies between the two.
public typealias Replanning = @Sendable (MeetingBundle) throws -> MeetingRevision

extension MeetingBundle {
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
