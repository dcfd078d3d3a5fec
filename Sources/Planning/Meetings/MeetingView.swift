import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A meeting as `meeting show` prints it.
public struct MeetingView: Encodable, Sendable {
    /// A place.
    public struct Place: Encodable, Sendable {
        /// The id at its source; `null` when the place is only words.
        @Null public var id: String?
        /// The line that people read.
        public let text: String
        /// Degrees north.
        @Null public var latitude: Double?
        /// Degrees east.
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

    /// Who plans the meeting.
    public struct Organizer: Encodable, Sendable {
        /// The person's id.
        public let id: String
        /// The name.
        public let name: String
        /// The mail address; `null` when none is known, or whoever asks may not see it.
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
        /// The mail address; `null` when none is known, or whoever asks may not see it.
        @Null public var address: String?
        /// `invited`, `going`, `maybe`, `declined` or `waiting`.
        public let answer: String
        /// How many they bring.
        public let plus: Int
        /// What they wrote; empty where whoever asks may not see it.
        public let note: String
        /// Whether somebody else gave the answer for them.
        public let byOther: Bool
        /// Whether the answer came by a mail that nobody vouches for.
        public let unsigned: Bool
        /// When they would rather meet, as long as nobody has decided on it; else `null`.
        @Null public internal(set) var proposed: Period?
    }

    /// From when to when somebody would rather meet.
    public struct Period: Encodable, Sendable {
        /// By what the proposal can be named.
        public let id: String
        /// The start with the meeting's offset.
        public let start: Timestamp
        /// The end with the meeting's offset.
        public let end: Timestamp
        /// Whether it came by a mail for which nobody vouches.
        public let unsigned: Bool

        /// The same as people read it.
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

    /// The id; empty, and `null` in JSON, of a meeting that is only shown and not made.
    @OptionalID public private(set) var id: String
    /// The id that calendars use, as the ``id``.
    @OptionalID public private(set) var uid: String
    /// The title.
    public let title: String
    /// The note.
    public let note: String
    /// Where to join from afar.
    public let link: String
    /// Who plans it.
    public let organizer: Organizer
    /// Where.
    @Null public var place: Place?
    /// The start with the meeting's offset.
    public let start: Timestamp
    /// The end with the meeting's offset.
    public let end: Timestamp
    /// The zone.
    public let tz: String
    /// The date of a series that is meant, by its original start; `null` for the whole.
    @Null public internal(set) var occurrence: String?
    /// The repetition; `null` for a meeting that does not repeat.
    @Null public var `repeat`: String?
    /// `confirmed` or `cancelled`.
    public let status: String
    /// Rises with each told change.
    public let revision: Int
    /// The SEQUENCE of calendars.
    public let sequence: Int
    /// Who takes part.
    public let participants: [Guest]
    /// How long before the start people are reminded, in ISO 8601.
    public let reminders: [String]
    /// The next start that lies ahead; `null` when none does.
    @Null public var nextOccurrence: Timestamp?
    /// Of a meeting that repeats, its next dates, those that are off among them.
    public let dates: [Date]

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
        tz = meeting.time.zone
        `repeat` = meeting.series?.rule.description
        status = meeting.status.rawValue
        revision = meeting.revision
        sequence = meeting.sequence
        participants = guests
        reminders = meeting.reminders.map(\.iso)
        self.dates = dates
        nextOccurrence = meeting.nextTime(after: now, in: zone).map {
            Timestamp($0.startsAt, in: zone, reader: reader)
        }
    }

    /// The same meeting as one that is only shown: it gets its ids when it is made.
    var unmade: MeetingView {
        var view = self
        view.id = ""
        view.uid = ""
        return view
    }

    /// How it repeats, in words; `nil` for a meeting that does not.
    public var repetition: String? {
        `repeat`.flatMap { try? RecurrenceRule($0) }?.words
    }

    /// When, by the clock of whoever asked.
    public var when: String { start.words(through: end) }

    /// When, by the clock at the meeting, where that shows another time.
    public var whenThere: String? { start.wordsThere(through: end) }
}
