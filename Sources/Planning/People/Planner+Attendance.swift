public import Agenda
import Ledger
import Storage
import Timekeeping

/// A meeting in the history of a person.
public struct PastMeeting: Encodable, Sendable {
    /// The id of the meeting.
    public let id: String
    /// The title.
    public let title: String
    /// The start with the meeting's UTC offset. For a series, that of its first date.
    public let start: Timestamp
    /// The end with the meeting's UTC offset. For a series, that of its first date.
    public let end: Timestamp
    /// `confirmed` or `cancelled`.
    public let status: MeetingStatus
    /// True if it repeats.
    public let repeats: Bool
    /// The person's answer for the present time.
    public let answer: Answer
    /// True if the person organizes it.
    public let isOrganizer: Bool
    /// True if it is over.
    public let isOver: Bool

    /// The start in few words, or the days if it lasts whole days.
    public var startWords: String { start.shortWords(through: end) }
}

/// The circles and meetings of a person.
public struct Attendance: Encodable, Sendable {
    /// The names of the actor's circles that they are in.
    public let circles: [String]
    /// Their meetings that the actor may see, the latest first.
    public let meetings: [PastMeeting]

    /// The number of meetings that were not cancelled and to which they gave an answer.
    ///
    /// - Parameter answer: the answer.
    /// - Returns: the number.
    public func count(of answer: Answer) -> Int {
        meetings.count { $0.status == .confirmed && !$0.isOrganizer && $0.answer == answer }
    }

    /// The number of meetings that they organize.
    public var organizedCount: Int { meetings.count(where: \.isOrganizer) }
}

extension Planner {
    /// The most meetings in the history of a person.
    private static let historyMax = 10_000

    /// The circles that a person is in, and the meetings with them that the actor may see.
    ///
    /// - Parameter person: the person.
    /// - Returns: the circles and meetings.
    /// - Throws: ``StoreError``.
    public func attendance(of person: Person) async throws -> Attendance {
        let (actor, now) = (actor, now)
        let circles = try await store.lookUp {
            try $0.circles(of: actor.id, with: person.id, limit: Self.listRowsMax)
        }
        let shared = try await store.meetings(
            of: person.id, seenBy: actsAsOwner ? nil : actor.id, limit: Self.historyMax)
        return Attendance(
            circles: circles.map(\.name),
            meetings: shared.map { shared in
                let meeting = shared.meeting
                return PastMeeting(
                    id: meeting.id.text, title: meeting.title, start: start(of: meeting),
                    end: end(of: meeting), status: meeting.status, repeats: meeting.isSeries,
                    answer: shared.answer, isOrganizer: shared.isOrganizer,
                    isOver: meeting.endsAt <= now)
            })
    }

    /// The start of a meeting with its own UTC offset.
    func start(of meeting: ListedMeeting) -> Timestamp {
        let own = try? surroundings.zones.zone(meeting.zone)
        return Timestamp(meeting.startsAt, in: own ?? zone, reader: zone)
    }

    /// The end of a meeting, or of the first date of a series, with its own UTC offset.
    func end(of meeting: ListedMeeting) -> Timestamp {
        let own = (try? surroundings.zones.zone(meeting.zone)) ?? zone
        return Timestamp(
            meeting.duration.after(meeting.startsAt, in: own), in: own, reader: zone)
    }
}
