import Agenda
import Ledger
public import Timekeeping

/// Messages about meetings that are over, such as thanks.
extension Drafting {
    /// The moment until which a message or a nudge is useful.
    ///
    /// - Parameters:
    ///   - kind: the kind of notification.
    ///   - meeting: the meeting.
    ///   - date: the date of a series; `nil` for the whole meeting.
    /// - Returns: the end of the meeting or date. For a message after it, some weeks later.
    /// - Throws: ``Refusal`` with `meeting_over`.
    func deadline(
        of kind: NotificationKind, in meeting: Meeting, on date: SeriesDate?
    ) throws(Refusal) -> Moment {
        let end = date?.time.endsAt ?? meeting.endsAt
        guard end <= now else { return end }
        guard kind == .message else {
            throw Refusal(
                .refused, code: "meeting_over", "\(Self.dated(meeting)) is over.",
                advice: [.meetings(.plan)])
        }
        let last = Planner.lastMessage(afterEnd: end)
        guard now < last else {
            throw Refusal(
                .refused, code: "meeting_over",
                "\(Self.dated(meeting)) has been over for more than "
                    + "\(Planner.lateMessageDays) days, so no message was sent.")
        }
        return last
    }

    /// The changes to the ledger that the state of a meeting needs. Messages that were written
    /// after the end keep their deadlines.
    func difference(
        of state: MeetingState, from rows: [LedgerRow], channels: ChannelDirectory, now: Moment
    ) -> LedgerDifference {
        var difference = state.difference(from: rows, channels: channels, now: now)
        difference.keepLateMessages(
            among: rows, by: ReaderClocks(state, told: rows, now: now), now: now)
        return difference
    }
}

extension Planner {
    /// The days after the end of a meeting in which its organizer can write to its people.
    static let lateMessageDays = 30

    /// The moment until which the organizer of a meeting can write to its people.
    ///
    /// - Parameter end: the end of the meeting, or of one date.
    /// - Returns: the moment.
    public static func lastMessage(afterEnd end: Moment) -> Moment {
        end.advanced(bySeconds: Int64(lateMessageDays) * 86_400)
    }
}

extension LedgerDifference {
    /// Keeps the deadlines of messages that were written after the end, which would otherwise be
    /// that end.
    fileprivate mutating func keepLateMessages(
        among rows: [LedgerRow], by clocks: ReaderClocks, now: Moment
    ) {
        let ended = rescheduled.filter {
            $0.key.notification.kind == .message && $0.deadline <= now
        }
        for row in rows where row.deadline > now && ended.contains(where: { $0.name == row.name }) {
            rescheduled.removeAll { $0.name == row.name }
            let kept = clocks.timed(row)
            if kept == row {
                unchanged.append(row)
            } else {
                rescheduled.append(kept)
            }
        }
    }
}
