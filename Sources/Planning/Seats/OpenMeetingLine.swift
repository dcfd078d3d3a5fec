package import Agenda
import Ledger
package import Settings
import Storage
import Timekeeping

/// A meeting that people can join, or the next date of a series, as lists show it.
public struct OpenMeetingLine: Sendable {
    /// The id of the meeting.
    public let id: String
    /// The name of the date; `nil` for a meeting that does not repeat.
    public let date: String?
    /// The title.
    public let title: String
    /// The text of the place; `nil` if it is not decided.
    public let place: String?
    /// The start.
    public let start: Timestamp
    /// The end.
    public let end: Timestamp
    /// The number of seats, with the organizer's own; `nil` for no limit.
    public let seats: Int?
    /// The number of seats that are taken, with the organizer's own and those of guests.
    public let taken: Int
}

extension Planner {
    /// The meetings that the people in a circle of the actor can join and that have not ended, the
    /// earliest first. Of a series, its next date.
    ///
    /// - Parameters:
    ///   - circle: a circle of the actor.
    ///   - limit: the most meetings.
    /// - Returns: the meetings.
    /// - Throws: ``StoreError``.
    package func openMeetings(
        forCircle circle: Circle, limit: Int
    ) async throws -> FirstRows<OpenMeetingLine> {
        let found = try await store.openMeetings(
            of: actor.id, forCircle: circle.id, after: now, limit: limit + 1)
        let lines = found.compactMap(line(of:)).sorted {
            ($0.start.moment, $0.id) < ($1.start.moment, $1.id)
        }
        return FirstRows(lines, countMax: limit)
    }

    /// A meeting as lists show it; `nil` for a series without a coming date.
    private func line(of open: OpenMeeting) -> OpenMeetingLine? {
        let meeting = open.meeting
        let home = (try? surroundings.zones.zone(meeting.time.zone)) ?? zone
        let date = meeting.dates(endingAfter: now, first: 1, in: home).first
        guard meeting.series == nil || date?.isOn == true else { return nil }
        let time = date?.time ?? meeting.time
        return OpenMeetingLine(
            id: meeting.id.text, date: date?.name, title: meeting.title,
            place: meeting.place?.text,
            start: Timestamp(time.startsAt, in: home, reader: zone),
            end: Timestamp(time.endsAt, in: home, reader: zone),
            seats: meeting.seating?.seats, taken: open.takenCount)
    }

    /// The link with which anybody sees a meeting, if the actor may change the meeting and has made
    /// the link.
    ///
    /// - Parameters:
    ///   - meeting: the meeting.
    ///   - other: the address of the pages if no public one is set.
    /// - Returns: the link; `nil` for none.
    /// - Throws: ``Refusal`` if the public address or the key of this installation is not valid.
    package func knownShareLink(
        of meeting: MeetingView, otherwise other: BaseURL? = nil
    ) async throws -> String? {
        let id = MeetingID(text: meeting.id)
        let book = try surroundings.linkBuilder(otherwise: other)
        guard mayChange(meeting), let hash = book.shareHash(of: id) else { return nil }
        return try await store.shareLink(of: id, hash: hash)
            .flatMap { book.shareURL(of: id, number: $0) }
    }

    /// The people who asked to join a meeting, by the ids of their requests' lines.
    ///
    /// - Parameters:
    ///   - ids: the ids of the people.
    ///   - id: the meeting.
    /// - Returns: the people, without those who did not ask or who do not exist any more.
    /// - Throws: ``Refusal`` with `unknown_meeting` or `not_organizer`.
    package func people(_ ids: [String], whoAskedToJoin id: MeetingID) async throws -> [Person] {
        let asked = Set(try await seatRequests(of: id).map(\.id))
        var people: [Person] = []
        for each in Set(ids).intersection(asked).sorted() {
            if let person = try await store.person(PersonID(text: each)) { people.append(person) }
        }
        return people
    }
}
