public import Ledger
public import Timekeeping

/// Names a meeting.
public typealias MeetingID = Identifier<Meeting>

/// Where a meeting takes place, as its organizer accepted it.
public struct MeetingPlace: Equatable, Sendable {
    /// The longest line of text, in characters.
    public static let textCharactersMax = 500

    /// The id at its source, such as `osm:node/123`, `fsq:4b05…` or `own:k7m2…`; `nil` when the
    /// place is only words.
    public var reference: String?
    /// The line that people read.
    public var text: String
    /// Degrees north, where it may be kept.
    public var latitude: Double?
    /// Degrees east, where it may be kept.
    public var longitude: Double?

    /// Describes a place.
    public init(
        reference: String? = nil, text: String, latitude: Double? = nil, longitude: Double? = nil
    ) {
        self.reference = reference
        self.text = text
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether people would be told the same: the same id and the same words. What its source says
    /// of it since does not matter.
    public func isSamePlace(as other: MeetingPlace) -> Bool {
        reference == other.reference && text == other.text
    }
}

/// Whether a meeting takes place.
public enum MeetingStatus: String, Codable, Sendable {
    /// It takes place.
    case confirmed
    /// It is off.
    case cancelled
}

/// When a meeting takes place: wall time and zone as its organizer meant them, and the moments
/// that follow from today's zone rules.
public struct MeetingTime: Equatable, Sendable {
    /// The start on a clock in ``zone``.
    public var start: WallTime
    /// The zone's id, such as `Europe/Helsinki`.
    public var zone: String
    /// The length; its days are counted on the wall clock.
    public var duration: TimeSpan
    /// The start as a moment.
    public var startsAt: Moment
    /// The end as a moment; never before ``startsAt``.
    public var endsAt: Moment

    /// Fixes wall time, zone and length to moments by the zone's rules.
    public init(start: WallTime, zone: Zone, duration: TimeSpan) {
        self.start = start
        self.zone = zone.id
        self.duration = duration
        startsAt = zone.moment(of: start)
        endsAt = duration.after(start, in: zone)
    }

    /// Takes a time that was fixed before, as read from the store.
    public init(
        start: WallTime, zone: String, duration: TimeSpan, startsAt: Moment, endsAt: Moment
    ) {
        self.start = start
        self.zone = zone
        self.duration = duration
        self.startsAt = startsAt
        self.endsAt = endsAt
    }

    /// The same time on the wall with the moments that a zone's rules give it today; as it is,
    /// where it is one of another zone.
    public func byToday(of zone: Zone) -> MeetingTime {
        guard zone.id == self.zone else { return self }
        return MeetingTime(start: start, zone: zone, duration: duration)
    }
}

/// The one object that is planned: who, where, when and what.
public struct Meeting: Equatable, Sendable {
    /// The id, by which people and programs here name it.
    public let id: MeetingID
    /// The id that calendars use, stable for ever.
    public let uid: String
    /// Who plans it.
    public let organizer: PersonID
    /// What it is about, in one line.
    public var title: String
    /// What else there is to say.
    public var note: String
    /// Where to join from afar; empty when nowhere.
    public var link: String
    /// Where it takes place, when that is decided.
    public var place: MeetingPlace?
    /// When it takes place; of a series, its first date.
    public var time: MeetingTime
    /// How it repeats; `nil` for a meeting that does not.
    public var series: Series?
    /// Whether it takes place.
    public var status: MeetingStatus
    /// Rises with each change that is told.
    public var revision: Int
    /// The SEQUENCE of RFC 5545: rises with each told change of time, place or status.
    public var sequence: Int
    /// How long before the start people are reminded, unless they have a policy of their own.
    public var reminders: [TimeSpan]

    /// Describes a meeting.
    public init(
        id: MeetingID, uid: String, organizer: PersonID, title: String, note: String = "",
        link: String = "", place: MeetingPlace? = nil, time: MeetingTime,
        series: Series? = nil, status: MeetingStatus = .confirmed, revision: Int = 1,
        sequence: Int = 0,
        reminders: [TimeSpan]
    ) {
        self.id = id
        self.uid = uid
        self.organizer = organizer
        self.title = title
        self.note = note
        self.link = link
        self.place = place
        self.time = time
        self.series = series
        self.status = status
        self.revision = revision
        self.sequence = sequence
        self.reminders = reminders
    }

    /// A day and an hour before.
    public static let remindersDefault = [
        TimeSpan(days: 1, seconds: 0), TimeSpan(days: 0, seconds: 3600),
    ]
    /// One hour.
    public static let durationDefault = TimeSpan(days: 0, seconds: 3600)
}
