public import Agenda
import Ledger
import Storage
import Timekeeping

/// A page of a feed of open meetings.
public struct OpenFeed: Encodable, Sendable {
    /// The meetings.
    public let meetings: [OpenLine]
    /// The text by which the next page is asked for; `null` on the last page.
    @Null public var next: String?

    private enum CodingKeys: CodingKey { case meetings, next }
}

/// An open meeting in a feed, as its reader sees it.
public struct OpenLine: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The title.
    public let title: String
    /// The organizer's id.
    public let organizer: String
    /// The organizer's name.
    public let organizerName: String
    /// The text of the place; `null` if it is not decided.
    @Null public var place: String?
    /// The start, of a series the next one, with the meeting's UTC offset.
    public let start: Timestamp
    /// The end with the meeting's UTC offset.
    public let end: Timestamp
    /// The repetition as an RRULE; `null` for a meeting that does not repeat.
    @Null public var `repeat`: String?
    /// The latest news: `new`, `moved`, `full` or `over`.
    public let news: OpenNews.Kind
    /// The time of the news, in UTC.
    public let newsAt: Timestamp
    /// True if the reader has not seen the news yet.
    public let unread: Bool
    /// The number of seats, with the organizer's own; `null` for no limit.
    @Null public var seats: Int?
    /// The number of free seats; `null` if they are not limited.
    @Null public var free: Int?
    /// True if the organizer decides on each request to join.
    public let approve: Bool
    /// The reader's standing: `organizer`, `going`, `maybe`, `invited`, `declined`, `waiting` or
    /// `requested`; `null` if they have nothing to do with the meeting.
    @Null public var standing: String?

    /// The start in few words, or the days of a meeting that lasts whole days.
    public var when: String { start.shortWords(through: end) }

    /// True if the reader can press Join.
    public var mayJoin: Bool {
        [nil, "invited", "maybe", "declined"].contains(standing) && news != .over
    }
}

extension OpenLine {
    /// Creates a line.
    ///
    /// - Parameters:
    ///   - listing: the meeting with its latest news.
    ///   - time: its time, of a series that of its next or last date.
    ///   - seen: the time up to which the reader has seen their feed.
    ///   - reader: the reader.
    ///   - zone: the rules of the meeting's time zone.
    ///   - clock: the time zone of the reader.
    init(
        _ listing: OpenListing, at time: MeetingTime, seen: Moment?, reader: PersonID,
        zone: Zone, clock: Zone
    ) {
        let meeting = listing.meeting
        let seats = meeting.seating?.seats
        self.init(
            id: meeting.id.text, title: meeting.title, organizer: meeting.organizer.text,
            organizerName: listing.organizerName.withoutAddress, place: meeting.place?.text,
            start: Timestamp(time.startsAt, in: zone, reader: clock),
            end: Timestamp(time.endsAt, in: zone, reader: clock),
            repeat: meeting.series?.rule.description, news: listing.news.kind,
            newsAt: Timestamp(listing.news.at, in: .utc, reader: clock),
            unread: seen.map { listing.news.at > $0 } ?? true, seats: seats,
            free: seats.map { max($0 - listing.taken, 0) },
            approve: meeting.seating?.needsApproval ?? false,
            standing: Self.standing(of: reader, in: listing))
    }

    private static func standing(of reader: PersonID, in listing: OpenListing) -> String? {
        if listing.meeting.organizer == reader { return "organizer" }
        if listing.isRequested { return "requested" }
        return listing.own?.rawValue
    }
}
