import Agenda
import Ledger
import Storage
import Timekeeping

extension Planner {
    /// Reminders of series that are not in the ledger yet: what planning them on will plan by then,
    /// if nothing changes.
    ///
    /// - Parameters:
    ///   - start: they are due at this moment or later.
    ///   - end: they are due by this moment.
    ///   - person: only to this person; `nil` for everybody, and audiences.
    /// - Returns: a few lists, one behind the other, each in order: to sort them together takes
    ///   little then.
    /// - Throws: ``StoreError``, or ``Refusal`` where a zone is none that is known here.
    func foreseen(
        from start: Moment, through end: Moment, to person: PersonID?
    ) async throws -> [OutboxLine] {
        let ids = try await store.seriesToPlan(before: end, limit: .max)
        let share = (ids.count + Self.foreseeingTasks - 1) / Self.foreseeingTasks
        let size = min(Self.seriesOfPartMax, max(1, share))
        let step = Self.foreseeingTasks * size
        return try await withThrowingTaskGroup(of: [OutboxLine].self) { group in
            for first in stride(from: 0, to: step, by: size) {
                group.addTask {
                    var lines: [OutboxLine] = []
                    for begin in stride(from: first, to: ids.count, by: step) {
                        let part = ids.dropFirst(begin).prefix(size)
                        for bundle in try await store.meetingBundles(Array(part)) {
                            lines += try foreseen(of: bundle, from: start, through: end, to: person)
                        }
                    }
                    return lines.sorted { $0.comes(before: $1) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// So many tasks look ahead, each at some of the series.
    private static let foreseeingTasks = 4
    /// At most so many series are read at once.
    private static let seriesOfPartMax = 25

    private func foreseen(
        of bundle: MeetingBundle, from start: Moment, through end: Moment, to wanted: PersonID?
    ) throws -> [OutboxLine] {
        var draft = MeetingDraft(bundle)
        draft.plannedBefore = bundle.meeting.series?.plannedUntil
        draft.meeting.series?.plannedUntil = end.advanced(byMilliseconds: 1)
        let added = try state(of: draft).difference(
            from: bundle.rows, channels: directory(of: draft), now: now
        ).added
        return added.compactMap { row in
            guard row.state == .planned, row.due >= start, row.due <= end else { return nil }
            let receiver = row.key.notification.receiver
            let person = receiver.person.flatMap { bundle.people[PersonID(text: $0)] }
            guard wanted == nil || person?.id == wanted else { return nil }
            return OutboxLine(
                row, name: person?.name ?? receiver.audience ?? "",
                address: person?.address ?? "", title: bundle.meeting.title, reader: zone)
        }
    }
}
