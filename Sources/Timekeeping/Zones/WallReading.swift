/// The meaning of a wall-clock time in a time zone.
public enum WallReading: Hashable, Sendable {
    /// The clocks show it once.
    case once(Moment)
    /// The clocks show it, are set back, and show it again.
    case twice(first: Moment, second: Moment)
    /// The clocks are set forward past it and never show it.
    ///
    /// `before` and `after` are the wall-clock times to offer instead. They differ from the skipped
    /// time by the length of the gap: 01:30 and 03:30 for a skipped 02:30. `moment` is the moment
    /// of `after`: the skipped time read with the offset from before the gap (RFC 5545 section
    /// 3.3.5).
    case skipped(before: WallTime, after: WallTime, moment: Moment)

    /// The moment that rules and files mean: the first of two, and in a gap the one with the offset
    /// from before the gap.
    public var moment: Moment {
        switch self {
        case .once(let moment): moment
        case .twice(let first, _): first
        case .skipped(_, _, let moment): moment
        }
    }
}

extension Zone {
    /// The moment of a wall-clock time in a rule or a file: the first of two, and in a gap the one
    /// with the offset from before the gap (RFC 5545 section 3.3.5).
    public func moment(of wall: WallTime) -> Moment {
        reading(of: wall).moment
    }

    /// The moments at which the clocks show a wall-clock time: one, two or none.
    public func reading(of wall: WallTime) -> WallReading {
        let shown = wall.secondsSince1970
        let earliest = shown - Int64(LocalTimeType.offsetSecondsRange.upperBound)
        let latest = shown - Int64(LocalTimeType.offsetSecondsRange.lowerBound)
        var stretch = stretch(at: earliest)
        /// The last period that ends before the clocks show the wall-clock time.
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

    /// The reading of a wall-clock time in the gap at the end of a period.
    private func skipped(_ wall: WallTime, after stretch: Stretch) -> WallReading {
        let before = stretch.type.offsetSeconds
        let gap = self.stretch(at: stretch.end).type.offsetSeconds - before
        return .skipped(
            before: wall.adding(seconds: -gap), after: wall.adding(seconds: gap),
            moment: Moment(seconds: wall.secondsSince1970 - Int64(before)))
    }
}
