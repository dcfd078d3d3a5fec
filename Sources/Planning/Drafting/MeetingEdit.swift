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
    /// The end as the user typed it, instead of a duration. Of whole days, the last one.
    public var end: String?
    /// True if the meeting lasts whole days from now on: ``start`` and ``end`` are days.
    public var isAllDay = false
    /// The reminder times, as spans before the start.
    public var reminders: [TimeSpan]?
    /// The time until which people are asked to answer, as the user typed it; `none` to remove it.
    public var answerBy: String?
    /// The seats and the people who can join; `nil` to keep them.
    public var seating: SeatingEdit?
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
    var isTimed: Bool { !written.isEmpty || repetition != nil }

    /// True if the edit changes the start.
    var isMoved: Bool { start != nil || isAllDay }

    /// The new time.
    var written: WrittenTime {
        WrittenTime(start: start, end: end, duration: duration, isAllDay: isAllDay)
    }

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
