public import Timekeeping

extension StatedTime {
    /// True if a recurrence rule ends before this start, so that the start is its only date (RFC
    /// 5545, 3.8.5.3).
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - own: the zone of times without a zone.
    /// - Returns: true if the UNTIL of the rule is before this start.
    public func isBehind(_ rule: RecurrenceRule, else own: Zone) -> Bool {
        guard case .until(let end) = rule.end else { return false }
        let clock = clock(else: own)
        switch end {
        case .day(let day): return day < wall(in: clock).date
        case .wall(let wall): return wall < self.wall(in: clock)
        case .utc(let moment):
            // The end of a series of whole days is its last day, even if it is a moment.
            guard case .day(let day) = stamp else { return moment < self.moment(in: own) }
            return WallTime(secondsSince1970: moment.seconds).date < day
        }
    }
}
