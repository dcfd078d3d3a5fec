import Timekeeping

/// Added dates that end before they begin, and removed dates that remove nothing.
extension CalendarCheck {
    /// Reports the first period in an RDATE that does not end after its start.
    mutating func noteEmptyPeriod(in line: CalendarLine) {
        let zone = line.parameter("TZID")
        let period = line.plainText.split(separator: ",").first { text in
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2 else { return false }
            if let length = TimeSpan(calendar: String(parts[1])) { return length == .zero }
            let times = parts.map { StatedTime($0, zone: zone, by: zones, directory) }
            guard let start = times[0] else { return false }
            return times[1].map { $0.moment(in: .utc) <= start.moment(in: .utc) } ?? true
        }
        guard let period else { return }
        note(
            .warning, line.number,
            "A period of RDATE does not end after its start, so the date gets the length of the "
                + "event: \"\(period.prefix(40))\"")
    }

    /// The most dates of one series that are compared with the removed ones.
    private static let comparedMax = 20_000
    /// The least that a comparison is counted as, in dates.
    private static let comparedMin = 100

    /// Reports the first EXDATE between the first and the last date of a series that is none of its
    /// dates, so that it removes nothing. EXDATEs outside are left over from a series that was
    /// split, and do no harm.
    ///
    /// - Parameter component: the whole event.
    mutating func noteUnmetExceptions(in component: CalendarComponent) {
        guard comparedLeft > 0, let written = component.lines("EXDATE").first,
            component.line("RECURRENCE-ID") == nil
        else { return }
        let meant = component.asMeant(inDays: component.isOfDays)
        let entry = CalendarEntry(meant, by: zones, directory)
        guard let start = entry.start, let rule = Self.onlyRule(of: component) else { return }
        let clock = start.clock(else: .utc)
        let removed = entry.times("EXDATE", by: zones, directory)
        guard let dates = dates(from: start, by: rule, until: removed, in: clock),
            let last = dates.max()
        else { return }
        let span = start.wall(in: clock)...last
        var known = dates
        for addition in entry.additions(by: zones, directory) {
            known.insert(addition.start.wall(in: clock))
        }
        let days = Set(known.map(\.date))
        let unmet = removed.first { time in
            let wall = time.wall(in: clock)
            // In a series in UTC, a time without a zone may be in the reader's own.
            if case .wall = time.stamp, case .utc = start.stamp { return false }
            guard span.contains(wall) else { return false }
            return time.isDay ? !days.contains(wall.date) : !known.contains(wall)
        }
        guard let unmet else { return }
        let line = meant.lines("EXDATE").first { line in
            let read = StatedTime.reader(of: line, by: zones, directory)
            return line.plainText.split(separator: ",").contains { read($0) == unmet }
        }
        note(
            .warning, (line ?? written).number,
            "EXDATE removes no date: the series has none at \"\(unmet.stamp)\".")
    }

    /// The rule, if there is only one and it can be read.
    private static func onlyRule(of component: CalendarComponent) -> RecurrenceRule? {
        let texts = Set(component.lines("RRULE").map(\.plainText))
        guard texts.count == 1, let text = texts.first else { return nil }
        return try? RecurrenceRule.lenient(text).rule
    }

    /// The starts of a series up to the last removed time and one later, in wall-clock time; `nil`
    /// if they are too many.
    private mutating func dates(
        from start: StatedTime, by rule: RecurrenceRule, until removed: [StatedTime],
        in clock: Zone
    ) -> Set<WallTime>? {
        guard let end = removed.map({ $0.wall(in: clock) }).max(),
            let series = try? Recurrence(start: start.stamp, in: clock, rule: rule)
        else { return nil }
        var walls: Set = [start.wall(in: clock)]
        for occurrence in series.prefix(Self.comparedMax) {
            walls.formUnion([occurrence.wall, occurrence.original])
            // The whole day of a removed date counts.
            guard occurrence.wall.date <= end.date else { break }
        }
        comparedLeft -= max(walls.count, Self.comparedMin)
        return walls.count > Self.comparedMax ? nil : walls
    }
}
