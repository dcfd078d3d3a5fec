import Agenda
import Synchronization
import Timekeeping

/// The limits of the series that an import plans. Without them, a file with billions of dates, or
/// with very many series, would make each list of meetings take minutes.
final class SeriesBudget: Sendable {
    /// The limits of an import.
    struct Limits {
        /// The dates that are laid out to find out when series end.
        var laidOut = Int.max
        /// The series of a person that go on.
        var series = Int.max
        /// The dates of all of them a day, on average.
        var datesOfDay = Int.max

        /// The dates within the days that are counted.
        fileprivate var countedDates: Int {
            let (product, overflow) = datesOfDay.multipliedReportingOverflow(
                by: SeriesBudget.countedDays)
            return overflow ? .max - 1 : product
        }
    }

    private struct State {
        var laidOut = 0
        /// The store may repeat a transaction, so a series may be laid out more than once.
        var laidOutOf: [String: Int] = [:]
        var dates = 0
        /// The dates within ``countedDays`` of each series that goes on, by its UID.
        var datesOf: [String: Int] = [:]
        /// The reason why no further series is planned.
        var full: Unplanned?

        mutating func take(_ count: Int?, of uid: String) {
            dates += (count ?? 0) - (datesOf[uid] ?? 0)
            datesOf[uid] = count
        }
    }

    /// The days of a series whose dates are counted, from its next date on.
    private static let countedDays = 28

    private let limits: Limits
    private let state = Mutex(State())

    /// Creates a budget.
    init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Checks that a series may be laid out.
    ///
    /// - Throws: ``Unplanned`` if other series have spent the budget.
    func check(_ uid: String) throws(Unplanned) {
        let reason = state.withLock { state -> Unplanned? in
            if state.datesOf[uid] == nil, let full = state.full { return full }
            let others = state.laidOut - (state.laidOutOf[uid] ?? 0)
            guard others >= limits.laidOut else { return nil }
            return Unplanned(
                "is not planned yet, because the series before it have more than "
                    + "\(limits.laidOut) dates: import the file again", isTemporary: true)
        }
        if let reason { throw reason }
    }

    /// Records the dates of a series that were laid out.
    func note(_ count: Int, of uid: String) {
        state.withLock { state in
            state.laidOut += count - (state.laidOutOf[uid] ?? 0)
            state.laidOutOf[uid] = count
        }
    }

    /// Counts a series that is there already, whatever the limits.
    func count(_ meeting: Meeting, in zone: Zone, now: Moment) {
        guard state.withLock({ $0.datesOf[meeting.uid] == nil }) else { return }
        let count = Self.dates(of: meeting, atMost: .max, in: zone, now: now)
        state.withLock { $0.take(count, of: meeting.uid) }
    }

    /// Takes a new series, or a new version of one that was counted. After the first one for which
    /// there is no room, further ones are not examined.
    ///
    /// - Parameters:
    ///   - meeting: the meeting, which may also be no series.
    ///   - zone: its time zone.
    ///   - now: the current time.
    /// - Throws: ``Unplanned`` if there would be too many series, or too many dates a day.
    func take(_ meeting: Meeting, in zone: Zone, now: Moment) throws(Unplanned) {
        let (known, room) = state.withLock { state in
            let known = state.datesOf[meeting.uid]
            let others = state.dates - (known ?? 0)
            // A version with no more dates than before is always taken.
            return (known, max(limits.countedDates - others, known ?? 0))
        }
        let count = Self.dates(of: meeting, atMost: room + 1, in: zone, now: now)
        let reason = state.withLock { state -> Unplanned? in
            let reason: Unplanned? =
                count != nil && known == nil && state.datesOf.count >= limits.series
                ? limits.tooManySeries : (count ?? 0) > room ? limits.tooManyDates : nil
            if reason == nil { state.take(count, of: meeting.uid) }
            if known == nil { state.full = state.full ?? reason }
            return reason
        }
        if let reason { throw reason }
    }

    /// The number of dates of a series within ``countedDays``, up to a limit; `nil` if it is none
    /// that goes on.
    private static func dates(
        of meeting: Meeting, atMost most: Int, in zone: Zone, now: Moment
    ) -> Int? {
        guard meeting.series != nil, meeting.status == .confirmed, meeting.endsAt > now else {
            return nil
        }
        return meeting.dateCount(
            endingAfter: now, within: Int64(countedDays) * 86_400, atMost: most, in: zone)
    }
}

extension SeriesBudget.Limits {
    fileprivate var tooManySeries: Unplanned {
        Unplanned(
            "is not planned, because you would have more than \(series) meetings that repeat and "
                + "have not ended", isTemporary: true)
    }

    fileprivate var tooManyDates: Unplanned {
        Unplanned(
            "is not planned, because your meetings that repeat would take place more than "
                + "\(datesOfDay) times a day", isTemporary: true)
    }
}
