import Agenda
public import Timekeeping

/// A change of a meeting. Properties that are `nil` keep their value.
public struct MeetingEdit: Sendable {
    /// The title.
    public var title: String?
    /// The note.
    public var note: String?
    /// The link.
    public var link: String?
    /// The place; an empty text removes it.
    public var place: String?
    /// The text that messages show for the place.
    public var placeText: String?
    /// The start as the user typed it.
    public var start: String?
    /// The duration.
    public var duration: TimeSpan?
    /// The reminder times, as spans before the start.
    public var reminders: [TimeSpan]?
    /// The repetition as an RRULE or in words; `none` to end it.
    public var repetition: String?
    /// The date of a series to change; `nil` for all dates.
    public var date: String?
    /// The date of a series from which on to change it; `nil` for all dates.
    public var from: String?
    /// True to ask for new answers even if the meeting moves only a little.
    public var asksAgain = false
    /// True to notify people of changes that are not announced by default.
    public var isNotified = false
    /// The words for those who are told of the change; empty for none.
    public var message = ""
    /// True to notify nobody.
    public var isQuiet = false

    /// True if the edit changes when the meeting takes place.
    var isTimed: Bool { start != nil || duration != nil || repetition != nil }

    /// Creates an edit that changes nothing.
    public init() {}

    /// The place of a meeting after the edit. If only the text is new, the rest of the place is
    /// kept.
    ///
    /// - Throws: ``Refusal`` with `no_place` if there is a new text but no place.
    func place(of meeting: Meeting, chosen: MeetingPlace?) throws(Refusal) -> MeetingPlace? {
        guard place == nil else { return chosen }
        guard let placeText else { return meeting.place }
        guard var place = meeting.place else {
            throw Refusal(
                .invalid, code: "no_place",
                "\(meeting.title) has no place yet, so its text cannot be changed.",
                advice: [.give([.place])])
        }
        place.text = placeText
        return place
    }
}

extension Drafting {
    /// The time of a meeting after an edit. For a date of a series, a typed weekday means the one
    /// closest to its present day.
    func time(
        _ old: MeetingTime, edited edit: MeetingEdit, isDate: Bool = false
    ) throws -> MeetingTime {
        guard edit.start != nil || edit.duration != nil else { return old }
        let zone = try zone(named: old.zone)
        let duration = edit.duration ?? old.duration
        try MeetingRules.check(duration: duration)
        let wall = try edit.start.map {
            try newStart($0, insteadOf: old.startsAt, in: zone, isDate: isDate)
        }
        return MeetingTime(start: wall ?? old.start, zone: zone, duration: duration)
    }

    /// Reads a new start in the time zone that the command names, or else in the meeting's, and
    /// converts it to the meeting's. A time without a day means the present day of the meeting. For
    /// a date of a series, a weekday means the one closest to its present day.
    private func newStart(
        _ text: String, insteadOf old: Moment, in zone: Zone, isDate: Bool
    ) throws -> WallTime {
        guard !text.hasPrefix("+") else {
            throw Refusal(
                .invalid, code: "bad_time",
                "\"\(text)\" may mean from now, or later than planned. For from now, write "
                    + "\"in \(text.dropFirst())\"; otherwise write the new time itself.")
        }
        guard isZoneGiven, zone.id != self.zone.id else {
            return try start(
                text, in: zone, now: now,
                ownDay: OwnDay(zone.wallTime(at: old).date, isAnchor: isDate))
        }
        let ownDay = OwnDay(self.zone.wallTime(at: old).date, isAnchor: isDate)
        let typed = try start(text, in: self.zone, now: now, ownDay: ownDay)
        return try wallTime(meaning: self.zone.moment(of: typed), in: zone)
    }
}
