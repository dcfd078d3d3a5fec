public import Agenda
public import Ledger
import Storage
import Timekeeping

/// A meeting with a person, as the page of the person lists it. A series counts as a whole.
public struct MeetingWithPerson: Sendable {
    /// The meeting.
    public let meeting: PastMeeting
    /// True if the person or the reader is invited to single dates of a series only. The meeting is
    /// then the next of the dates that they share, or else the last.
    public let isOfDates: Bool
}

/// A message to a person, in one line.
public struct MessageLine: Sendable {
    /// The id of the meeting; empty for a message about no meeting.
    public let meeting: String
    /// The title of the meeting; empty for a message about no meeting.
    public let title: String
    /// The kind of notification.
    public let kind: NotificationKind
    /// The state.
    public let state: DeliveryState
    /// True if it was only printed, because no channel to its receiver is set up.
    public let isOnlyPrinted: Bool
    /// The time at which it was due.
    public let due: Timestamp
}

extension Planner {
    /// The meetings with a person that the actor may see. If one of both is invited to single dates
    /// of a series only, it is over when the last of the dates that they share is.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - isOver: true for the meetings that are over, the latest first; false for the others,
    ///     the earliest first.
    ///   - offset: the number of meetings before the first one that is returned.
    ///   - limit: the most meetings.
    /// - Returns: the meetings.
    /// - Throws: ``StoreError``.
    public func meetings(
        with person: Person, isOver: Bool, from offset: Int = 0, limit: Int
    ) async throws -> FirstRows<MeetingWithPerson> {
        let found = try await store.meetings(
            of: person.id, seenBy: actsAsOwner ? nil : actor.id, isOver: isOver, now: now,
            offset: offset, limit: limit + 1)
        let dates =
            found.contains(where: \.isOfDates)
            ? Dictionary(grouping: try await singleDates(with: person.id), by: \.id) : [:]
        return FirstRows(found, countMax: limit).eachKept { shared in
            guard shared.isOfDates else {
                return MeetingWithPerson(meeting: pastMeeting(shared), isOfDates: false)
            }
            let date = Self.standing(for: dates[shared.meeting.id.text] ?? [])
            return date.flatMap { date in
                date.isOver == isOver ? MeetingWithPerson(meeting: date, isOfDates: true) : nil
            }
        }
    }

    /// The next of the dates of a series, or else the last.
    private static func standing(for dates: [PastMeeting]) -> PastMeeting? {
        let sorted = dates.sorted { $0.start.moment < $1.start.moment }
        return sorted.first { !$0.isOver } ?? sorted.last
    }

    /// A meeting in the history of a person, as a whole.
    func pastMeeting(_ shared: PersonMeeting) -> PastMeeting {
        let meeting = shared.meeting
        return PastMeeting(
            id: meeting.id.text, title: meeting.title, start: start(of: meeting),
            end: end(of: meeting), status: meeting.status, repeats: meeting.isSeries,
            answer: shared.answer, isOrganizer: shared.isOrganizer,
            isOver: meeting.endsAt <= now)
    }

    /// The names of the actor's circles that a person is in.
    func circleNames(of person: Person) async throws -> [String] {
        let actor = actor.id
        return try await store.lookUp {
            try $0.circles(of: actor, with: person.id, limit: Self.listRowsMax)
        }.map(\.name)
    }

    /// The states of messages that were sent, or are not sent any more although they were due.
    private static let toldStates: Set<DeliveryState> = [
        .accepted, .failed, .ambiguous, .expired, .suppressed, .parked,
    ]

    /// The last messages to a person that the actor may see: all for the owner, and for others
    /// those about meetings that they organize.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - limit: the most messages.
    /// - Returns: the messages, the latest first.
    /// - Throws: ``StoreError``.
    public func messages(
        to person: Person, limit: Int
    ) async throws -> FirstRows<MessageLine> {
        var filter = ledgerFilter(limit: limit + 1)
        filter.states = Self.toldStates
        filter.person = person.id
        filter.organizer = actsAsOwner ? nil : actor.id
        filter.dueThrough = now
        filter.isLatestFirst = true
        let found = try await store.deliveries(filter).map { record in
            MessageLine(
                meeting: record.row.key.notification.meeting, title: record.meetingTitle,
                kind: record.row.key.notification.kind, state: record.row.state,
                isOnlyPrinted: record.isOnlyPrinted,
                due: Timestamp(record.row.due, reader: zone))
        }
        return FirstRows(found, countMax: limit)
    }
}
