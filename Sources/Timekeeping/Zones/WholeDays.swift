/// The calendar days that a period fills, from midnight to midnight.
///
/// ```swift
/// WholeDays(from: start, to: end, in: zone)?.first.description == "2026-12-12"
/// ```
///
/// On a date whose midnight the clocks skip, the day begins at the first time after the gap.
public struct WholeDays: Equatable, Sendable {
    /// The first day.
    public let first: CivilDate
    /// The last day, which is included.
    public let last: CivilDate

    /// The days of a period; `nil` if the period is empty, or starts or ends at another time than
    /// the start of a day.
    ///
    /// - Parameters:
    ///   - start: the start of the period.
    ///   - end: its end.
    ///   - zone: the time zone of the days.
    public init?(from start: Moment, to end: Moment, in zone: Zone) {
        let (first, next) = (zone.wallTime(at: start).date, zone.wallTime(at: end).date)
        guard start < end, start == zone.startOfDay(first), end == zone.startOfDay(next) else {
            return nil
        }
        self.first = first
        last = next.adding(days: -1)
    }
}

extension Zone {
    /// The first moment of a day.
    public func startOfDay(_ date: CivilDate) -> Moment {
        moment(of: WallTime(date: date, time: .midnight))
    }
}
