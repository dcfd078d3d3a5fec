public import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A meeting as `meeting show` prints it.
public struct MeetingView: Encodable, Sendable {
    /// A place.
    public struct Place: Encodable, Sendable {
        /// The id in its source; `null` if the place is only words.
        @Null public var id: String?
        /// The text for people.
        public let text: String
        /// The latitude, in degrees north.
        @Null public var latitude: Double?
        /// The longitude, in degrees east.
        @Null public var longitude: Double?
        /// A link to a map.
        public let map: String

        init(_ place: MeetingPlace) {
            id = place.reference
            text = place.text
            latitude = place.latitude
            longitude = place.longitude
            map = PlaceLinks.map(of: place)
        }
    }

    /// The organizer of a meeting.
    public struct Organizer: Encodable, Sendable {
        /// The person's id.
        public let id: String
        /// The name.
        public let name: String
        /// The mail address; `null` if none is known, or the reader may not see it.
        @Null public var address: String?

        init(_ line: PersonLine) {
            id = line.id
            name = line.name
            address = line.address.isEmpty ? nil : line.address
        }
    }

    /// A person in the meeting.
    public struct Guest: Encodable, Sendable {
        /// The person's id.
        public let id: String
        /// The name.
        public let name: String
        /// The mail address; `null` if none is known, or the reader may not see it.
        @Null public var address: String?
        /// `invited`, `going`, `maybe`, `declined` or `waiting`.
        public let answer: Answer
        /// The start for which they gave the answer, with the meeting's UTC offset, if the meeting
        /// was moved since and the answer does not hold for the new time; otherwise `null`.
        @Null public internal(set) var answeredFor: Timestamp?
        /// The number of people that they bring.
        public let plus: Int
        /// Their note to the organizer; empty if the reader may not see it.
        public let note: String
        /// True if somebody else gave the answer for them.
        public let byOther: Bool
        /// True if the reader gave the answer for them.
        public internal(set) var byReader = false
        /// True if the answer came by a mail whose sender is not verified.
        public let unsigned: Bool
        /// The other time that they propose, until the organizer decides on it; otherwise `null`.
        @Null public internal(set) var proposed: Period?

        /// The reason why nothing reaches them at present, as when their mail bounced or no address
        /// is known; `null` if there is none, or the reader may not see it.
        @Null public internal(set) var unreached: String?

        /// The answer that holds for the present time.
        public var presentAnswer: Answer { answeredFor == nil ? answer : .invited }

        /// The answer, if it was given for an old time.
        public var outdated: OutdatedAnswer? {
            answeredFor.map { OutdatedAnswer(answer: answer, start: $0.moment) }
        }
    }

    /// A proposed time.
    public struct Period: Encodable, Sendable {
        /// The id by which the proposal can be named.
        public let id: String
        /// The start with the meeting's UTC offset.
        public let start: Timestamp
        /// The end with the meeting's UTC offset.
        public let end: Timestamp
        /// True if it came by a mail whose sender is not verified.
        public let unsigned: Bool

        /// The text for people.
        public var words: String {
            start.words(through: end) + (unsigned ? " (by mail, unsigned)" : "")
        }

        init(_ proposal: Proposal, in zone: Zone, reader: Zone) {
            id = proposal.name
            start = Timestamp(proposal.startsAt, in: zone, reader: reader)
            end = Timestamp(proposal.endsAt, in: zone, reader: reader)
            unsigned = proposal.isUnsigned
        }
    }

    /// The id; empty (`null` in JSON) for a meeting in a preview, which is not saved.
    @OptionalID public private(set) var id: String
    /// The UID for calendars; empty like ``id`` in a preview.
    @OptionalID public private(set) var uid: String
    /// The title.
    public let title: String
    /// The note.
    public let note: String
    /// The link for joining online.
    public internal(set) var link: String
    /// The organizer.
    public let organizer: Organizer
    /// The place; `null` if it is not decided.
    @Null public var place: Place?
    /// The start with the meeting's UTC offset.
    public let start: Timestamp
    /// The end with the meeting's UTC offset.
    public let end: Timestamp
    /// True if it lasts whole days in its time zone.
    public let allDay: Bool
    /// The time zone.
    public let tz: String
    /// The original start of the date that is shown; `null` for the whole series.
    @Null public internal(set) var occurrence: String?
    /// The repetition as an RRULE; `null` for a meeting that does not repeat.
    @Null public var `repeat`: String?
    /// `confirmed` or `cancelled`.
    public let status: MeetingStatus
    /// The revision. It rises with each change that people are notified of.
    public let revision: Int
    /// The SEQUENCE for calendars.
    public let sequence: Int
    /// The participants.
    public internal(set) var participants: [Guest]
    /// The reminder times, as spans before the start in ISO 8601.
    public let reminders: [String]
    /// The time until which people are asked to answer, with the meeting's UTC offset; `null` if
    /// there is none.
    @Null public private(set) var answerBy: Timestamp?
    /// The next start in the future; `null` if there is none.
    @Null public var nextOccurrence: Timestamp?
    /// The next dates of a recurring meeting, including the cancelled ones.
    public internal(set) var dates: [Date]
    /// True if people can join without an invitation.
    public private(set) var open = false
    /// The number of seats, with the organizer's own; `null` for no limit.
    @Null public private(set) var seats: Int?
    /// The people who can join: `followers`, `circle`, `link` or `public`, and for the organizer
    /// `circle:NAME`; `null` if nobody can join without an invitation.
    @Null public private(set) var audience: String?
    /// The seats, and the reader's own; `null` for a meeting that never had such rules.
    @Null public internal(set) var seating: Seating? {
        didSet {
            open = seating?.audience != nil
            seats = seating?.seats
            audience = seating?.circle.map { "circle:\($0)" } ?? seating?.audience
        }
    }

    init(
        _ meeting: Meeting, guests: [Guest], organizer: PersonLine, dates: [Date], zone: Zone,
        reader: Zone, now: Moment
    ) {
        id = meeting.id.text
        uid = meeting.uid
        title = meeting.title
        note = meeting.note
        link = meeting.link
        self.organizer = Organizer(organizer)
        place = meeting.place.map(Place.init)
        start = Timestamp(meeting.time.startsAt, in: zone, reader: reader)
        end = Timestamp(meeting.time.endsAt, in: zone, reader: reader)
        allDay = start.days(through: end) != nil
        tz = meeting.time.zone
        `repeat` = meeting.series?.rule.description
        status = meeting.status
        revision = meeting.revision
        sequence = meeting.sequence
        participants = guests
        reminders = meeting.reminders.map(\.iso)
        self.dates = dates
        answerBy = meeting.presentAnswerBy.map { Timestamp($0, in: zone, reader: reader) }
        nextOccurrence = meeting.nextTime(after: now, in: zone).map {
            Timestamp($0.startsAt, in: zone, reader: reader)
        }
    }

    /// The same meeting as a preview, without ids: it gets them when it is created.
    var unmade: MeetingView {
        var view = self
        view.id = ""
        view.uid = ""
        return view
    }

    /// The repetition in words; `nil` for a meeting that does not repeat.
    public var repetition: String? {
        `repeat`.flatMap { try? RecurrenceRule($0) }?.words
    }

    /// The next start in few words, or the days if the meeting lasts whole days; `nil` if there is
    /// none.
    public var nextWords: String? {
        nextOccurrence.map { next in
            dates.first { $0.start.moment == next.moment }.map { next.shortWords(through: $0.end) }
                ?? next.words
        }
    }

    /// The time in the reader's time zone.
    public var when: String { start.words(through: end) }

    /// The time in the meeting's time zone; `nil` if the clocks there show the same time.
    public var whenThere: String? { start.wordsThere(through: end) }
}
