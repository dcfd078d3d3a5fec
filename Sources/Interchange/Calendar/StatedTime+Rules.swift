public import Timekeeping

extension StatedTime {
    /// True if a recurrence rule ends before this start, so that the start is its only date (RFC
    /// 5545, 3.8.5.3).
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - own: the zone of times without a zone.
    /// - Returns: true if the UNTIL of the rule is before this start; false for a rule that ends
    ///   after a number of dates, or never.
    public func isBehind(_ rule: RecurrenceRule, else own: Zone) -> Bool {
        guard case .until(let end) = rule.end else { return false }
        let clock = clock(else: own)
        switch end {
        case .day(let day): return day < wall(in: clock).date
        case .wall(let wall): return wall < self.wall(in: clock)
        case .utc(let moment):
            guard case .day(let day) = stamp else { return moment < self.moment(in: own) }
            // The end of a series of whole days is its last day, even if it is stated as a moment
            // (RFC 5545, 3.3.10, wants a day).
            return WallTime(secondsSince1970: moment.seconds).date < day
        }
    }
}
