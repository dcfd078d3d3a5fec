import Agenda
import Ledger
import Storage
public import Timekeeping

/// The decision whether meetings with a minimum take place.
extension Planner {
    /// The most meetings that are decided in one round.
    private static let roundMax = 100

    /// Decides about all meetings whose deadline has come: those with enough people take place, the
    /// others are cancelled. Each is decided in one transaction, once, whatever the clock does
    /// later.
    ///
    /// - Parameter now: the time.
    /// - Returns: the number of meetings that were decided.
    /// - Throws: ``StoreError``. Decisions that were made by then remain.
    @discardableResult
    public func decideMinimums(dueBy now: Moment) async throws -> Int {
        var count = 0
        while true {
            let ids = try await store.minimums(dueBy: now, limit: Self.roundMax)
            for id in ids { try await decideMinimum(of: id) }
            count += ids.count
            guard ids.count == Self.roundMax else { return count }
        }
    }

    /// Decides about one meeting if its deadline has come.
    func decideMinimum(of id: MeetingID) async throws {
        let now = self.now
        do {
            _ = try await store.reviseMeeting(id, saving: true) { bundle in
                let organizer = bundle.people[bundle.meeting.organizer] ?? owner
                let drafting = acting(as: organizer).drafting
                var draft = MeetingDraft(bundle)
                draft.isAutomatic = true
                guard let quorum = try drafting.decided(draft, now: now) else {
                    throw NothingToDecide()
                }
                draft.meeting.seating?.quorum = quorum
                let isOff = quorum.decision?.outcome == .cancelled
                let isAhead =
                    draft.meeting.status == .confirmed && draft.meeting.endsAt > now
                if isOff, isAhead { draft.meeting.status = .cancelled }
                return try drafting.numbered(
                    draft, deed: isOff && isAhead ? .cancelled : nil,
                    reason: isOff ? Self.cancelled : "enough people joined", now: now)
            }
        } catch is NothingToDecide {
            return
        }
    }

    private struct NothingToDecide: Error {}

    /// The moment of the next decision; `nil` if there is none.
    public func nextMinimum() async throws -> Moment? {
        try await store.nextMinimum()
    }
}

extension Drafting {
    /// The decision about the minimum of a meeting that has to be made now; `nil` if there is none.
    func decided(_ draft: MeetingDraft, now: Moment) throws -> Quorum? {
        let zone = try zone(named: draft.meeting.time.zone)
        guard let joined = draft.seats(in: zone, now: now)?.takenByOthers else { return nil }
        return draft.meeting.seating?.quorum?.decided(joined: joined, now: now)
    }

    /// Checks that no decision about a minimum is missing: it is made before any other change, so
    /// that people who join after the deadline do not count.
    ///
    /// - Throws: ``MinimumIsDue``.
    func checkMinimum(_ draft: MeetingDraft) throws {
        guard let quorum = draft.meeting.seating?.quorum, quorum.decision == nil,
            quorum.deadline <= now
        else { return }
        throw MinimumIsDue()
    }
}

/// The deadline of a meeting's minimum has come, and the decision is not made yet.
struct MinimumIsDue: Error {}
