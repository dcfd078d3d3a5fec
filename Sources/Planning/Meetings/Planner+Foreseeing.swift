import Agenda
import Ledger
import Storage
import Timekeeping

extension Planner {
    /// Predicts the reminders of series that are not in the ledger yet: those that
    /// ``planSeriesOn()`` will add by then if nothing changes.
    ///
    /// - Parameters:
    ///   - start: the reminders are due at this moment or later.
    ///   - end: the reminders are due at this moment or earlier.
    ///   - person: the receiver; `nil` for all people and audiences.
    /// - Returns: a few sorted lists, one after the other, so that sorting the result is fast.
    /// - Throws: ``StoreError``, or ``Refusal`` if a time zone is unknown here.
    func foreseen(
        from start: Moment, through end: Moment, to person: PersonID?
    ) async throws -> [OutboxLine] {
        let end = min(end, now.advanced(bySeconds: Self.foreseenSecondsMax))
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

    /// The longest time for which reminders are predicted, in seconds: ten years.
    private static let foreseenSecondsMax: Int64 = 10 * 366 * 86_400
    /// The number of parallel tasks. Each handles some of the series.
    private static let foreseeingTasks = 4
    /// The most series that are read at once.
    private static let seriesOfPartMax = 25

    private func foreseen(
        of bundle: MeetingBundle, from start: Moment, through end: Moment, to wanted: PersonID?
    ) throws -> [OutboxLine] {
        var draft = MeetingDraft(bundle)
        draft.plannedBefore = bundle.meeting.series?.plannedUntil
        draft.meeting.series?.plannedUntil = end.advanced(byMilliseconds: 1)
        let added = try drafting.state(of: draft).difference(
            from: bundle.rows, channels: drafting.directory(of: draft), now: now
        ).added
        return added.compactMap { row in
            guard row.state == .planned, row.due >= start, row.due <= end else { return nil }
            return line(of: row, in: bundle, to: wanted)
        }
    }

    /// A row that is not in the ledger yet, as the actor sees it.
    ///
    /// - Parameters:
    ///   - row: the row.
    ///   - bundle: its meeting.
    ///   - wanted: the only receiver to show; `nil` for all.
    /// - Returns: the line; `nil` if the row is not shown.
    func line(
        of row: LedgerRow, in bundle: MeetingBundle, to wanted: PersonID?
    ) -> OutboxLine? {
        let receiver = row.key.notification.receiver
        let person = receiver.person.flatMap { bundle.people[PersonID(text: $0)] }
        guard wanted == nil || person?.id == wanted else { return nil }
        let seen = sight(of: row)
        guard seen == .all || person.map({ bundle.wishes.reminders[$0.id] == nil }) ?? true
        else { return nil }
        let part = seen.disguising(row, known: person?.address)
        let address = row.address(
            or: person?.destination ?? person?.address ?? "", known: person?.knownAddress, part)
        return OutboxLine(
            row.seen(part), name: person?.name ?? receiver.audience ?? "",
            address: address, title: bundle.meeting.title, reader: zone)
    }
}
