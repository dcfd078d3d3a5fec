/// What a wall time means in a zone.
public enum WallReading: Hashable, Sendable {
    /// The clocks show it at one moment.
    case once(Moment)
    /// The clocks show it, are set back, and show it again.
    case twice(first: Moment, second: Moment)
    /// The clocks are set on past it and never show it.
    ///
    /// `before` and `after` are the wall times to offer instead: as far before and after as the
    /// clocks are set on, 01:30 and 03:30 for a 02:30 that is skipped. `moment` is that of
    /// `after`: the wall time read with the offset from before the gap (RFC 5545 section 3.3.5).
    case skipped(before: WallTime, after: WallTime, moment: Moment)

    /// The moment by the policy for rules and files: the first of two, and in a gap the one with
    /// the offset from before it.
    public var moment: Moment {
        switch self {
        case .once(let moment): moment
        case .twice(let first, _): first
        case .skipped(_, _, let moment): moment
        }
    }
}

extension Zone {
    /// The moment that a rule or a file means by a wall time: the first of two, and in a gap the
    /// one with the offset from before it (RFC 5545 section 3.3.5).
    public func moment(of wall: WallTime) -> Moment {
        reading(of: wall).moment
    }

    /// Says when the clocks show a wall time: once, twice or never.
    public func reading(of wall: WallTime) -> WallReading {
        let shown = wall.secondsSince1970
        let earliest = shown - Int64(LocalTimeType.offsetSecondsRange.upperBound)
        let latest = shown - Int64(LocalTimeType.offsetSecondsRange.lowerBound)
        var stretch = stretch(at: earliest)
        /// The last stretch that ends before the clocks show the wall time.
        var passed = stretch
        var first: Moment?
        while true {
            let seconds = shown - Int64(stretch.type.offsetSeconds)
            if seconds >= stretch.end {
                passed = stretch
            } else if seconds >= stretch.start {
                let moment = Moment(seconds: seconds)
                if let first { return .twice(first: first, second: moment) }
                first = moment
            }
            guard stretch.end <= latest else { break }
            stretch = self.stretch(at: stretch.end)
        }
        guard let first else { return skipped(wall, after: passed) }
        return .once(first)
    }

    /// The reading of a wall time in the gap at the end of a stretch.
    private func skipped(_ wall: WallTime, after stretch: Stretch) -> WallReading {
        let before = stretch.type.offsetSeconds
        let gap = self.stretch(at: stretch.end).type.offsetSeconds - before
        return .skipped(
            before: wall.adding(seconds: -gap), after: wall.adding(seconds: gap),
            moment: Moment(seconds: wall.secondsSince1970 - Int64(before)))
    }
}
