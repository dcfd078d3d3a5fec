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
        // Series with very many reminders are planned less far ahead, and so each time.
        let ids = try await store.seriesToPlan(before: horizon, limit: .max)
        for id in ids { try await planOn(id) }
        return ids.count
    }

    private func planOn(_ id: MeetingID) async throws {
        let now = self.now
        do {
            _ = try await store.reviseMeeting(id, saving: true) { bundle in
                var draft = MeetingDraft(bundle)
                let before = bundle.meeting.series?.plannedUntil
                draft.plannedBefore = before
                draft.meeting.series?.plannedUntil = now.advanced(
                    bySeconds: Self.plannedAheadSeconds)
                let until = try drafting.limited(draft, now: now).meeting.series?.plannedUntil
                // A series with very many reminders may be planned as far ahead as it can be.
                guard let before, let until, until > before.advanced(bySeconds: 3600) else {
                    throw NothingToAdd()
                }
                return try drafting.decided(
                    draft, deed: nil, reason: "the series is over", now: now)
            }
        } catch is NothingToAdd {
            return
        }
    }

    private struct NothingToAdd: Error {}
}
