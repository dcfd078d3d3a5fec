public import Ledger
public import Timekeeping

/// The id of a meeting.
public typealias MeetingID = Identifier<Meeting>

/// The place of a meeting, as its organizer accepted it.
public struct MeetingPlace: Equatable, Sendable {
    /// The longest line of text, in characters.
    public static let textCharactersMax = 500

    /// The id at its source, such as `osm:node/123`, `fsq:4b05…` or `own:k7m2…`; `nil` if the place
    /// is only text.
    public var reference: String?
    /// The text that people read.
    public var text: String
    /// Degrees north, if it may be stored.
    public var latitude: Double?
    /// Degrees east, if it may be stored.
    public var longitude: Double?

    /// Creates a place.
    public init(
        reference: String? = nil, text: String, latitude: Double? = nil, longitude: Double? = nil
    ) {
        self.reference = reference
        self.text = text
        self.latitude = latitude
        self.longitude = longitude
    }

    /// True if notifications would show the same place: the id and the text are equal. Later
    /// changes at its source do not matter.
    public func isSamePlace(as other: MeetingPlace) -> Bool {
        reference == other.reference && text == other.text
    }
}

/// The status of a meeting or of one date.
public enum MeetingStatus: String, Codable, Sendable {
    /// It takes place.
    case confirmed
    /// It is cancelled.
    case cancelled
}

/// The time of a meeting: wall-clock time and zone as its organizer chose them, and the moments
/// that follow from the current zone rules.
public struct MeetingTime: Equatable, Sendable {
    /// The start in wall-clock time of ``zone``.
    public var start: WallTime
    /// The id of the time zone, such as `Europe/Helsinki`.
    public var zone: String
    /// The length. Its days are calendar days.
    public var duration: TimeSpan
    /// The start as a moment.
    public var startsAt: Moment
    /// The end as a moment; never before ``startsAt``.
    public var endsAt: Moment

    /// Creates a time and computes its moments by the zone's rules.
    public init(start: WallTime, zone: Zone, duration: TimeSpan) {
        self.start = start
        self.zone = zone.id
        self.duration = duration
        startsAt = zone.moment(of: start)
        endsAt = duration.after(start, in: zone)
    }

    /// Restores a time from the store.
    public init(
        start: WallTime, zone: String, duration: TimeSpan, startsAt: Moment, endsAt: Moment
    ) {
        self.start = start
        self.zone = zone
        self.duration = duration
        self.startsAt = startsAt
        self.endsAt = endsAt
    }

    /// True if it fills whole days in its zone, and was planned in days rather than hours.
    public var isOfDays: Bool {
        start.time == .midnight && duration.days > 0 && duration.seconds == 0
    }

    /// The moment of a reminder. A reminder of whole days comes in the evening: a span of up to one
    /// day means the evening before, one of up to two days the evening before that.
    ///
    /// - Parameters:
    ///   - offset: the span before the start.
    ///   - zone: the rules of the time zone.
    /// - Returns: the moment.
    public func reminder(_ offset: TimeSpan, in zone: Zone) -> Moment {
        isOfDays
            ? offset.eveningBefore.before(start, in: zone) : offset.before(start, in: zone)
    }

    /// The spans before the start at which reminders come, each once.
    ///
    /// - Parameter offsets: the spans as people chose them.
    /// - Returns: the same spans, or those to the evenings before whole days.
    public func reminderSpans(_ offsets: [TimeSpan]) -> [TimeSpan] {
        guard isOfDays else { return offsets }
        return offsets.map(\.eveningBefore).reduce(into: []) { spans, span in
            if !spans.contains(span) { spans.append(span) }
        }
    }

    /// The same wall-clock time with moments by the current rules of a zone; unchanged if the time
    /// is in another zone.
    public func byToday(of zone: Zone) -> MeetingTime {
        guard zone.id == self.zone else { return self }
        return MeetingTime(start: start, zone: zone, duration: duration)
    }
}

extension TimeSpan {
    /// The hours from 18:00 to midnight.
    private static let eveningHours = 6

    /// The number of days before whole days on whose evening a reminder comes that is set to this
    /// span before the start; at least 1.
    public var eveningDays: Int {
        max(days + (seconds + 86_399) / 86_400, 1)
    }

    /// The span from 18:00 of a day to a midnight at least this long after the start of that day.
    fileprivate var eveningBefore: TimeSpan {
        TimeSpan(days: eveningDays - 1, seconds: Self.eveningHours * 3600)
    }
}

/// A planned meeting: who, where, when and what.
public struct Meeting: Equatable, Sendable {
    /// The id that people and programs use here.
    public let id: MeetingID
    /// The permanent id for calendars.
    public let uid: String
    /// The person who plans it.
    public let organizer: PersonID
    /// The subject, on one line.
    public var title: String
    /// A longer description.
    public var note: String
    /// The link for joining online; empty if there is none.
    public var link: String
    /// The place, if it is decided.
    public var place: MeetingPlace?
    /// The time. For a series, the time of its first date.
    public var time: MeetingTime
    /// The repetition; `nil` for a meeting that does not repeat.
    public var series: Series?
    /// The status: confirmed or cancelled.
    public var status: MeetingStatus
    /// The revision. It rises with each change that people are notified of.
    public var revision: Int
    /// The SEQUENCE of RFC 5545. It rises with each announced change of time, place or status.
    public var sequence: Int
    /// The times before the start at which people are reminded, unless they chose their own.
    public var reminders: [TimeSpan]
    /// The moment until which people are asked to answer; `nil` if there is none. Later answers
    /// count all the same.
    public var answerBy: Moment?
    /// The rules for people who join without an invitation, and the seats; `nil` for a meeting that
    /// never had such rules.
    public var seating: Seating?
    /// The meeting that continues this series, if it was split in two; otherwise `nil`.
    public var continuedBy: MeetingID?
    /// True if this is one date of a series of whole days, even if the date itself has times of
    /// day. Calendars name such a date by its day.
    public var isDateOfDays = false

    /// Creates a meeting.
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

    /// The default reminders: a day and an hour before the start.
    public static let remindersDefault = [
        TimeSpan(days: 1, seconds: 0), TimeSpan(days: 0, seconds: 3600),
    ]
    /// The default duration: one hour.
    public static let durationDefault = TimeSpan(days: 0, seconds: 3600)
}
