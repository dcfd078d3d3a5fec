public import Agenda
import Ledger
import Storage
import Timekeeping

/// The next meeting of a circle, or the next date of a series.
public struct NextMeeting: Sendable {
    /// The id of the meeting.
    public let id: String
    /// The name of the date; `nil` for a meeting that does not repeat.
    public let date: String?
    /// The title.
    public let title: String
    /// The start.
    public let start: Timestamp
    /// The end.
    public let end: Timestamp
}

/// A circle in a list of circles.
public struct CircleLine: Sendable {
    /// The circle.
    public let circle: CircleView
    /// Its next meeting; `nil` if none is planned.
    public let next: NextMeeting?
}

/// A member of a circle, as the circle's page lists them.
public struct CirclePerson: Sendable {
    /// The person.
    public let line: PersonLine
    /// True if they are in the actor's address book.
    public let isContact: Bool
    /// The name of their picture in the actor's address book; `nil` for none.
    public let picture: String?
}

extension Planner {
    /// A page of the actor's circles, sorted by name, each with its next meeting.
    ///
    /// - Parameters:
    ///   - offset: the number of circles before the first one that is returned.
    ///   - limit: the most circles.
    /// - Returns: the circles.
    /// - Throws: ``StoreError``.
    public func circleLines(
        from offset: Int, limit: Int
    ) async throws -> FirstRows<CircleLine> {
        let circles = try await store.circles(of: actor.id, from: offset, limit: limit + 1)
        let coming = try await store.comingDates(
            ofCirclesOf: actor.id, from: offset, limit: limit, after: now)
        let dates = Dictionary(grouping: coming, by: \.circle)
        return FirstRows(
            circles.map { circle in
                CircleLine(
                    circle: CircleView(circle),
                    next: (dates[circle.id] ?? []).compactMap(next(of:)).min {
                        ($0.start.moment, $0.id) < ($1.start.moment, $1.id)
                    })
            }, countMax: limit)
    }

    /// The next start of a meeting, or of the date to which the circle is invited; `nil` if it has
    /// none.
    private func next(of coming: CircleDate) -> NextMeeting? {
        let meeting = coming.meeting
        let home = (try? surroundings.zones.zone(meeting.time.zone)) ?? zone
        func next(_ time: MeetingTime, _ date: String?) -> NextMeeting {
            NextMeeting(
                id: meeting.id.text, date: date, title: meeting.title,
                start: Timestamp(time.startsAt, in: home, reader: zone),
                end: Timestamp(time.endsAt, in: home, reader: zone))
        }
        guard meeting.series != nil else { return next(meeting.time, nil) }
        let date =
            coming.date.isEmpty
            ? meeting.nextDate(after: now, in: home) : meeting.date(named: coming.date, in: home)
        guard let date, date.isOn, date.time.startsAt > now else { return nil }
        return next(date.time, date.name)
    }

    /// A page of the people in a circle, sorted as in the address book.
    ///
    /// - Parameters:
    ///   - circle: a circle of the actor.
    ///   - offset: the number of people before the first one that is returned.
    ///   - limit: the most people.
    /// - Returns: the people.
    /// - Throws: ``StoreError``.
    public func people(
        of circle: Circle, from offset: Int, limit: Int
    ) async throws -> FirstRows<CirclePerson> {
        let found = try await store.members(
            of: circle.id, owner: actor.id, from: offset, limit: limit + 1)
        return FirstRows(
            found.map { member in
                CirclePerson(
                    line: line(of: member), isContact: member.contact != nil,
                    picture: member.contact?.picture)
            }, countMax: limit)
    }

    /// The actor's circles, sorted by name.
    ///
    /// - Parameters:
    ///   - person: a person.
    ///   - limit: the most circles.
    /// - Returns: the names of those with the person, and of the others.
    /// - Throws: ``StoreError``.
    public func circleNames(
        with person: Person, limit: Int = Planner.listRowsMax
    ) async throws -> (with: [String], without: [String]) {
        let circles = try await store.circles(
            of: actor.id, marking: person.id, limit: limit)
        return (
            circles.filter(\.isIn).map(\.circle.name),
            circles.filter { !$0.isIn }.map(\.circle.name)
        )
    }

    /// A WHO that means exactly a circle of the actor.
    public func who(of circle: Circle) -> String { WhoText(.circle, circle.name).text }
}

extension Planner {
    /// A person in a circle; `nil` if nobody in it has the id.
    ///
    /// - Parameters:
    ///   - id: the id of the person.
    ///   - circle: a circle of the actor.
    /// - Returns: the person.
    /// - Throws: ``StoreError``.
    public func person(_ id: String, in circle: Circle) async throws -> PersonLine? {
        try await store.member(PersonID(text: id), of: circle.id, owner: actor.id).map(line(of:))
    }

    private func line(of member: CircleMember) -> PersonLine {
        member.contact.map { PersonLine($0) } ?? PersonLine(member.person, isPrivate: true)
    }
}
