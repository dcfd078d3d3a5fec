import Agenda
import Ledger
import Storage
public import Timekeeping
import Wording

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

/// The parts of a series that was split in two.
extension Planner {
    /// The remarks that a change does not apply to the other part of a series.
    ///
    /// - Parameter revision: the change of a whole meeting, saved or planned.
    /// - Returns: the remarks; none if the series was not split or the other part is over.
    /// - Throws: ``StoreError``, or ``Refusal``.
    func remarks(onPartsBeside revision: MeetingRevision) async throws -> [Remark] {
        guard revision.continued.isEmpty else {
            let before = revision.meeting
            guard before.endsAt > now else { return [] }
            return [
                Self.remark(
                    onEarlier: before.id, before.title,
                    through: try lastDay(
                        endsAt: before.endsAt, before.time.duration, zone: before.time.zone))
            ]
        }
        guard revision.meeting.series != nil else { return [] }
        return try await store.parts(beside: revision.meeting.id, endingAfter: now).map { part in
            let other = part.meeting
            return part.isLater
                ? Self.remark(
                    onLater: other.id, other.title,
                    from: try zone(named: other.zone).wallTime(at: other.startsAt).date)
                : Self.remark(
                    onEarlier: other.id, other.title,
                    through: try lastDay(
                        endsAt: other.endsAt, other.duration, zone: other.zone))
        }
    }

    /// The day on which the last date of a series starts.
    private func lastDay(
        endsAt: Moment, _ duration: TimeSpan, zone: String
    ) throws(Refusal) -> CivilDate {
        try self.zone(named: zone).wallTime(at: endsAt).adding(days: -duration.days)
            .adding(seconds: -duration.seconds).date
    }

    private static func remark(
        onEarlier id: MeetingID, _ title: String, through last: CivilDate
    ) -> Remark {
        Remark(
            Phrase(
                "The dates until %date% are a separate meeting and stay as they are: %title%.",
                ["date": .dates([last]), "title": .text(title)]), advice: .meetings(.show(id.text)))
    }

    private static func remark(
        onLater id: MeetingID, _ title: String, from first: CivilDate
    ) -> Remark {
        Remark(
            Phrase(
                "The dates from %date% on are a separate meeting and stay as they are: %title%.",
                ["date": .dates([first]), "title": .text(title)]),
            advice: .meetings(.show(id.text)))
    }
}
