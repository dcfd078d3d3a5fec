import Timekeeping

// Each component has its own type of value. The start and end of one occurrence can be times while
// its series is of whole days, or the reverse. What identifies an occurrence has the type of the
// start of the series (RFC 5545, 3.8.4.4).

extension CalendarEvent {
    /// Names days instead of times, if the start and end are at midnight, and so do the starts of
    /// all occurrences by the rule. A changed occurrence that begins or ends at another time of day
    /// keeps its times.
    public mutating func nameDays() {
        guard isOfDays else { return }
        form = .days
        for place in changes.indices {
            changes[place].originalForm = .days
            if changes[place].isOfDays { changes[place].form = .days }
        }
    }

    /// Names the day on which this occurrence of a series of whole days was to begin, if its
    /// original start is at midnight.
    public mutating func nameOriginalDay() {
        if let original, isMidnight(original) { originalForm = .days }
    }

    /// Writes all times without a zone, except for whole days.
    mutating func float() {
        if form == .clocks { form = .floating }
        for place in changes.indices {
            changes[place].originalForm = form
            if changes[place].form == .clocks { changes[place].form = .floating }
        }
    }

    /// True if the event begins and ends at midnight, and all starts by its rule are there.
    private var isOfDays: Bool {
        rule?.namesTimes != true
            && ([start, end] + exceptions + additions + changes.compactMap(\.original))
                .allSatisfy(isMidnight)
    }

    private func isMidnight(_ moment: Moment) -> Bool {
        zone.startOfDay(zone.wallTime(at: moment).date) == moment
    }
}
