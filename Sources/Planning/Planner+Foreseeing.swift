import Agenda
import Ledger
import Storage
import Timekeeping

/// A reminder that is not in the ledger yet.
struct ForeseenReminder {
    let line: OutboxLine
    /// Whom it is for; `nil` for an audience.
    let person: PersonID?
}

extension Planner {
    /// Reminders of series up to a moment that are not in the ledger yet: what planning them on
    /// will plan by then, if nothing changes.
    func foreseen(through end: Moment) async throws -> [ForeseenReminder] {
        let ids = try await store.seriesToPlan(before: end, limit: .max)
        return try await withThrowingTaskGroup(of: [ForeseenReminder].self) { group in
            for task in 0..<Self.foreseeingTasks {
                group.addTask {
                    var lines: [ForeseenReminder] = []
                    for place in stride(from: task, to: ids.count, by: Self.foreseeingTasks) {
                        guard let bundle = try await store.meetingBundle(ids[place]) else {
                            continue
                        }
                        lines += try foreseen(of: bundle, through: end)
                    }
                    return lines
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// So many tasks look ahead, each at some of the series.
    private static let foreseeingTasks = 4

    private func foreseen(
        of bundle: MeetingBundle, through end: Moment
    ) throws -> [ForeseenReminder] {
        var draft = MeetingDraft(bundle)
        draft.plannedBefore = bundle.meeting.series?.plannedUntil
        draft.meeting.series?.plannedUntil = end.advanced(byMilliseconds: 1)
        let added = try state(of: draft).difference(
            from: bundle.rows, channels: directory(of: draft), now: now
        ).added
        return added.filter { $0.state == .planned && $0.due <= end }.map { row in
            let receiver = row.key.notification.receiver
            let person = receiver.person.flatMap { bundle.people[PersonID(text: $0)] }
            let line = OutboxLine(
                row, name: person?.name ?? receiver.audience ?? "",
                address: person?.address ?? "", title: bundle.meeting.title, reader: zone)
            return ForeseenReminder(line: line, person: person?.id)
        }
    }
}
