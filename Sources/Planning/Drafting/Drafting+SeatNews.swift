import Agenda
import Ledger
import Timekeeping
import Wording

/// Notifications about seats.
extension Drafting {
    /// The time for which news of seats to an organizer waits for more of it, in seconds.
    private static let gatheringSeconds: Int64 = 180

    /// The notifications to people about their own seats, and to all who are going about the
    /// decision that the meeting takes place.
    func seatNotifications(of draft: MeetingDraft) -> [PlannedNotification] {
        draft.seatNews.compactMap { news -> PlannedNotification? in
            let (notice, date) = (news.notice, news.date)
            let mark: NotificationMark
            let kind: NotificationKind
            switch notice.kind {
            case .promoted: (kind, mark) = (.promotion, NotificationMark(promotion: notice.asked))
            case .admitted:
                (kind, mark) = (
                    .admission, NotificationMark(admission: .going, asked: notice.asked)
                )
            case .queued:
                (kind, mark) = (
                    .admission, NotificationMark(admission: .waiting, asked: notice.asked)
                )
            case .refused:
                (kind, mark) = (
                    .admission, NotificationMark(admission: .refused, asked: notice.asked)
                )
            case .joined, .left, .requested: return nil
            }
            // Nobody is told of what they did themselves.
            guard notice.person != actor.id || draft.isAutomatic else { return nil }
            return planned(kind, mark, to: notice.person, on: date, of: draft.meeting)
        } + decisionNotifications(of: draft)
    }

    private func decisionNotifications(of draft: MeetingDraft) -> [PlannedNotification] {
        guard draft.before.meeting.seating?.quorum?.decision == nil,
            let decision = draft.meeting.seating?.quorum?.decision
        else { return [] }
        let going = draft.participants.filter { $0.answer == .going && !$0.isRemoved }
        let people =
            decision.outcome == .confirmed ? going.map(\.person) : [draft.meeting.organizer]
        return people.filter { draft.isAutomatic || $0 != actor.id }.map {
            planned(
                .decision, NotificationMark(decision.outcome), to: $0, on: "", of: draft.meeting)
        }
    }

    private func planned(
        _ kind: NotificationKind, _ mark: NotificationMark, to person: PersonID, on date: String,
        of meeting: Meeting
    ) -> PlannedNotification {
        PlannedNotification(
            key: NotificationKey(
                meeting: meeting.id.text, occurrence: date, receiver: .person(person.text),
                kind: kind, mark: mark),
            due: now, deadline: meeting.endsAt, isNew: true)
    }

    /// The news of seats for the organizer: one notification, with a line for each person.
    ///
    /// - Parameter draft: the change.
    /// - Returns: the notification and its text, with the person it is about first; `nil` if there
    ///   is no news. News of people whose answer the organizer is notified of is left out.
    func organizerNews(
        of draft: MeetingDraft
    ) -> (notification: PlannedNotification, author: PersonID, text: String)? {
        let organizer = draft.meeting.organizer
        let told = Set(
            draft.announcements.filter { $0.key.receiver == .person(organizer.text) }
                .compactMap { $0.key.mark.answer?.guest })
        let news = draft.seatNews.filter {
            $0.notice.kind.isForOrganizer && !told.contains($0.notice.person)
        }
        let kinds: [SeatNotice.Kind] = [.requested, .joined, .left]
        guard
            let first = kinds.lazy.compactMap({ kind in news.first { $0.notice.kind == kind } })
                .first
        else { return nil }
        let language = draft.people[organizer]?.language.flatMap(Language.init(rawValue:))
        let lines = news.map { news in
            AnswerWords.line(
                news.notice.kind, of: draft.people[news.notice.person]?.name.withoutAddress ?? "?",
                plus: news.plus, in: language ?? .english)
        }
        let (kind, answer) = first.notice.kind.told
        let mark = AnswerMark(
            guest: first.notice.person, answer: answer, plus: first.plus,
            number: String(first.notice.asked))
        return (
            planned(
                kind, NotificationMark(mark), to: organizer, on: first.date, of: draft.meeting),
            first.notice.person, lines.joined(separator: "\n")
        )
    }

    /// A row that waits a little, so that several like it are sent as one message.
    func gathering(_ row: LedgerRow) -> LedgerRow {
        guard row.hold == nil, row.state == .planned else { return row }
        var row = row
        row.hold = Hold(.flood, wanted: row.due)
        row.due = min(row.due.advanced(bySeconds: Self.gatheringSeconds), row.deadline)
        row.reason = "waits for others who join or leave"
        return row
    }
}

extension SeatNotice.Kind {
    /// The kind of the notification to the organizer, and the answer in its mark.
    fileprivate var told: (NotificationKind, Answer) {
        switch self {
        case .left: (.leave, .declined)
        case .requested, .queued, .refused: (.request, .invited)
        case .joined, .promoted, .admitted: (.join, .going)
        }
    }
}
