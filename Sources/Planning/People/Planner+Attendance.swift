public import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping

/// A meeting in the history of a person, or one date of a series if the person or the reader is
/// invited to single dates.
public struct PastMeeting: Encodable, Sendable {
    /// The id of the meeting.
    public let id: String
    /// The name of the date, as in `20261201T190000`; `null` for a whole meeting.
    @Null public var occurrence: String?
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

    /// The name by which the actor knows a person: that of the card in their address book, or else
    /// the person's own. The owner sees the person's own name.
    ///
    /// - Parameter person: the person, as a look-up by the actor found them.
    /// - Returns: the name.
    /// - Throws: ``StoreError``.
    public func knownName(of person: Person) async throws -> String {
        guard !actsAsOwner, person.id != actor.id else { return person.name }
        let reader = actor.id
        let card = try await store.lookUp { try $0.contact(person.id, of: reader)?.card }
        return card?.formattedName ?? person.name
    }

    /// The circles that a person is in, and the meetings with them that the actor may see.
    ///
    /// - Parameter person: the person.
    /// - Returns: the circles and meetings.
    /// - Throws: ``StoreError``.
    public func attendance(of person: Person) async throws -> Attendance {
        let circles = try await circleNames(of: person)
        let shared = try await store.meetings(
            of: person.id, seenBy: actsAsOwner ? nil : actor.id, limit: Self.historyMax)
        let single = try await singleDates(with: person.id)
        let all = (shared.map(pastMeeting) + single).sorted {
            $0.start.moment == $1.start.moment
                ? $0.id < $1.id : $0.start.moment > $1.start.moment
        }
        return Attendance(
            circles: circles, meetings: Array(all.prefix(Self.historyMax)))
    }

    /// The dates of series with a person that the actor may see, where one of both is invited to
    /// single dates.
    func singleDates(with person: PersonID) async throws -> [PastMeeting] {
        var filter = MeetingFilter(limit: Self.historyMax)
        filter.guests = [person]
        return try await store.series(filter).flatMap { singleDates(of: $0, with: person) }
    }

    private func singleDates(of series: SeriesListing, with person: PersonID) -> [PastMeeting] {
        let bundle = MeetingBundle(
            meeting: series.meeting, participants: series.participants, people: [:],
            dateParticipants: series.dateParticipants)
        let (theirs, own) = (SeenDates(of: person, in: bundle), seenDates(of: bundle))
        guard let single = theirs.single ?? own.single else { return [] }
        let home = (try? surroundings.zones.zone(series.meeting.time.zone)) ?? zone
        let names = single.filter { theirs.contains($0) && own.contains($0) }
        return names.filter { series.meeting.hasDate(named: $0, in: home) }
            .compactMap { series.meeting.date(named: $0, in: home) }
            .map { pastDate($0, of: series, with: person, in: home) }
    }

    private func pastDate(
        _ date: SeriesDate, of series: SeriesListing, with person: PersonID, in home: Zone
    ) -> PastMeeting {
        let meeting = series.meeting.on(date)
        let said = series.people(on: date).first { $0.person == person }
        var past = PastMeeting(
            id: meeting.id.text, title: meeting.title,
            start: Timestamp(meeting.time.startsAt, in: home, reader: zone),
            end: Timestamp(meeting.time.endsAt, in: home, reader: zone),
            status: meeting.status, repeats: true, answer: said?.presentAnswer ?? .invited,
            isOrganizer: meeting.organizer == person, isOver: meeting.time.endsAt <= now)
        past.occurrence = date.name
        return past
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
