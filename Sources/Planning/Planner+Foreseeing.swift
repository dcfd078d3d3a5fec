import Agenda
import Ledger
import Storage
import Timekeeping

/// A reminder that is not in the ledger yet.
struct ForeseenReminder {
    let line: OutboxLine
    /// Whom it is for; `nil` for an audience.
    let person: PersonID?
    var due: Timestamp { line.due }
}

extension Planner {
    /// Reminders of series up to a moment that are not in the ledger yet: what planning them on
    /// will plan by then, if nothing changes.
    func foreseen(through end: Moment) async throws -> [ForeseenReminder] {
        var lines: [ForeseenReminder] = []
        for id in try await store.seriesToPlan(before: end, limit: .max) {
            guard let bundle = try await store.meetingBundle(id) else { continue }
            lines += try foreseen(of: bundle, through: end)
        }
        return lines
    }

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
