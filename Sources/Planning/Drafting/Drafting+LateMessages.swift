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
                    + "\(MeetingRules.lateMessageDays) days, so no message was sent.")
        }
        return last
    }
}

extension Planner {
    /// The moment until which the organizer of a meeting can write to its people.
    ///
    /// - Parameter end: the end of the meeting, or of one date.
    /// - Returns: the moment.
    public static func lastMessage(afterEnd end: Moment) -> Moment {
        end.advanced(bySeconds: Int64(MeetingRules.lateMessageDays) * 86_400)
    }
}
