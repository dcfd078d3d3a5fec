public import Agenda
public import Timekeeping
import Wording

/// A request for a new meeting. Missing parts get their defaults.
public struct MeetingRequest: Sendable {
    /// The title.
    public var title = ""
    /// The people to invite: names, addresses, circles.
    public var with: [String] = []
    /// The place: a saved place, an id from a search, or words.
    public var place: String?
    /// The city in which the nearest place of ``interest`` is chosen, if no place is named.
    public var city: String?
    /// The kind of place to choose.
    public var interest: String?
    /// The text that messages show for the place, instead of the place's own.
    public var placeText: String?
    /// The start as the user typed it.
    public var start = ""
    /// The repetition as an RRULE or in words; `nil` if the meeting does not repeat.
    public var repetition: String?
    /// The duration; `nil` for one hour.
    public var duration: TimeSpan?
    /// The end as the user typed it, instead of a duration. Of whole days, the last one.
    public var end: String?
    /// True if the meeting lasts whole days: ``start`` and ``end`` are days.
    public var isAllDay = false
    /// The reminder times, as spans before the start; `nil` for the default.
    public var reminders: [TimeSpan]?
    /// The time until which people are asked to answer, as the user typed it; `nil` for none.
    public var answerBy: String?
    /// The note.
    public var note = ""
    /// The link for joining online.
    public var link = ""
    /// The seats and the people who can join; `nil` for a meeting of invited people.
    public var seating: SeatingEdit?
    /// The idempotency key: two requests with the same key create one meeting.
    public var key: String?
    /// An earlier meeting that is planned again. If the place is the text of its place, or both
    /// have none, the new meeting has its place and time zone.
    public var like: MeetingID?
    /// The meeting whose place and time zone the new one has, if no place is given.
    package var model: Meeting?
    /// True if the request was made from an earlier meeting, all of which it is to repeat.
    package var isCopy = false

    /// Creates an empty request.
    public init() {}

    /// The time.
    var written: WrittenTime {
        WrittenTime(start: start, end: end, duration: duration, isAllDay: isAllDay)
    }
}

extension MeetingRequest {
    /// Checks that no part of the request about the place would be ignored.
    ///
    /// - Throws: ``Refusal`` with `usage`.
    func checkPlace() throws(Refusal) {
        let search = [
            city.map { _ in RequestField.city }, interest.map { _ in RequestField.interest },
        ].compactMap(\.self)
        let hasPlace = !(place ?? "").isEmpty
        guard !hasPlace || search.isEmpty else {
            throw .conflictingArguments(
                "The place is already given, so none is searched for.",
                advice: [.leaveOut(search)])
        }
        guard city == nil || interest != nil else {
            throw .conflictingArguments(
                "A city alone is not enough. Say what kind of place you want, such as lunch.",
                advice: [.give([.interest])])
        }
        guard placeText == nil || hasPlace || interest != nil else {
            throw .conflictingArguments(
                "A text for the place is given, but no place.",
                advice: [.give([.place, .interest])])
        }
    }
}

extension MeetingRequest {
    /// The parts that the new meeting does not take over from the earlier one.
    var remarksOnCopy: [Remark] {
        guard isCopy, let model else { return [] }
        var remarks: [Remark] = []
        if model.series != nil, repetition == nil {
            remarks.append(
                Remark(
                    Phrase("The repetition of the earlier meeting is not copied."),
                    advice: .give([.repetition])))
        }
        if model.answerBy != nil, answerBy == nil {
            remarks.append(
                Remark(
                    Phrase(
                        "The time to answer by is not copied, because it would have passed.")))
        }
        return remarks
    }
}
