import Agenda
import Ledger
import Storage
public import Timekeeping

extension Planner {
    /// The period for which reminders of series are added to the ledger in advance, in seconds:
    /// five weeks.
    package static let plannedAheadSeconds: Int64 = 35 * 86_400
    /// The period below which further reminders of a series are added, in seconds: four weeks.
    private static let planningLeadSeconds: Int64 = 28 * 86_400
    /// The number of series that are read at once to add further reminders.
    private static let planningPageRows = 100

    /// Checks a typed repetition, unless it is empty or the start is not known yet.
    ///
    /// - Parameters:
    ///   - text: the rule as an RRULE or in words; may be empty.
    ///   - start: the first day; `nil` if it is not known yet.
    /// - Returns: the same text.
    /// - Throws: ``Refusal`` with `bad_rule`.
    public func checkRepetition(
        _ text: String, from start: CivilDate?
    ) throws(Refusal) -> String {
        if let start, !text.isEmpty { _ = try drafting.rule(text, from: start) }
        return text
    }

    /// Adds further reminders of series to the ledger, for series with less than four weeks of
    /// reminders in it. Reminders that would have been due in the meantime are sent now if they are
    /// still useful.
    ///
    /// - Returns: the number of series.
    /// - Throws: ``StoreError``. Reminders that were added by then remain.
    public func planSeriesOn() async throws -> Int {
        let horizon = now.advanced(bySeconds: Self.planningLeadSeconds)
        var count = 0
        while true {
            let page = try await store.seriesToPlan(before: horizon, limit: Self.planningPageRows)
            for id in page { try await planOn(id) }
            count += page.count
            guard page.count == Self.planningPageRows else { return count }
        }
    }

    private func planOn(_ id: MeetingID) async throws {
        let now = self.now
        _ = try await store.reviseMeeting(id, saving: true) { bundle in
            var draft = MeetingDraft(bundle)
            draft.plannedBefore = bundle.meeting.series?.plannedUntil
            draft.meeting.series?.plannedUntil = now.advanced(bySeconds: Self.plannedAheadSeconds)
            return try drafting.decided(draft, deed: nil, reason: "the series is over", now: now)
        }
    }
}
