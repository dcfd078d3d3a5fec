public import Timekeeping

/// The facts about a meeting that notifications show, as of some moment.
public struct MeetingFacts: Equatable, Sendable {
    /// The title.
    public let title: String
    /// The text of the place; `nil` if none is set.
    public let place: String?
    /// The time. For a series, the time of its first date.
    public let time: MeetingTime
    /// The recurrence rule; `nil` if it does not repeat.
    public let rule: RecurrenceRule?

    /// Creates facts.
    public init(title: String, place: String?, time: MeetingTime, rule: RecurrenceRule? = nil) {
        self.title = title
        self.place = place
        self.time = time
        self.rule = rule
    }

    /// True if the wall-clock time, the place or the repetition differs.
    public func isElsewhere(than other: MeetingFacts) -> Bool {
        place != other.place || time.start != other.time.start || time.zone != other.time.zone
            || time.duration != other.time.duration || rule != other.rule
    }

    /// The facts that all dates of a series share.
    public var ofDates: MeetingFacts { MeetingFacts(title: title, place: place, time: time) }

    /// The same facts with moments by the current rules of a time zone, if their time is in this
    /// zone. Notifications show wall-clock times, and the rules may have changed since.
    public func byToday(of zone: Zone) -> MeetingFacts {
        MeetingFacts(title: title, place: place, time: time.byToday(of: zone), rule: rule)
    }
}

extension Meeting {
    /// The facts that a notification shows now.
    public var facts: MeetingFacts {
        MeetingFacts(title: title, place: place?.text, time: time, rule: series?.rule)
    }
}
