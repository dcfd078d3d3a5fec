public import Timekeeping

/// What people are told of a meeting, as it is or as it was at some time.
public struct MeetingFacts: Equatable, Sendable {
    /// The title.
    public let title: String
    /// The line of the place; `nil` when none is set.
    public let place: String?
    /// When; of a series, its first date.
    public let time: MeetingTime
    /// By which rule it repeats; `nil` where it does not.
    public let rule: RecurrenceRule?

    /// Describes what is told.
    public init(title: String, place: String?, time: MeetingTime, rule: RecurrenceRule? = nil) {
        self.title = title
        self.place = place
        self.time = time
        self.rule = rule
    }

    /// Whether the time on the wall or the place is another one.
    public func isElsewhere(than other: MeetingFacts) -> Bool {
        place != other.place || time.start != other.time.start || time.zone != other.time.zone
            || time.duration != other.time.duration || rule != other.rule
    }

    /// What holds for each of its dates, whichever they are.
    public var ofDates: MeetingFacts { MeetingFacts(title: title, place: place, time: time) }

    /// The same facts with the moments that a zone's rules give them today, where their time is
    /// one of this zone: people are told times on the wall, and rules may have changed since.
    public func byToday(of zone: Zone) -> MeetingFacts {
        MeetingFacts(title: title, place: place, time: time.byToday(of: zone), rule: rule)
    }
}

extension Meeting {
    /// What people are told of it now.
    public var facts: MeetingFacts {
        MeetingFacts(title: title, place: place?.text, time: time, rule: series?.rule)
    }
}
