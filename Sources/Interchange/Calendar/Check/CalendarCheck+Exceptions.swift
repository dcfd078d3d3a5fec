import Timekeeping

/// Added dates that end before they begin, and removed or changed dates that a series
/// does not have.
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
    /// dates, so that it removes nothing, and the first changed date that the series does not have,
    /// so that it is added. EXDATEs outside are left over from a series that was split, and do no
    /// harm.
    ///
    /// - Parameter component: the whole event.
    mutating func noteUnmetDates(in component: CalendarComponent) {
        guard comparedLeft > 0, component.line("RECURRENCE-ID") == nil,
            let rule = Self.onlyRule(of: component)
        else { return }
        // Several events may have the same changed dates.
        comparedLeft -= changedDates[component.line("UID")?.text ?? ""]?.count ?? 0
        let meant = component.asMeant(inDays: component.isOfDays)
        let removed = named("EXDATE", in: [meant])
        let changed = named("RECURRENCE-ID", in: changes(of: component))
        guard !removed.isEmpty || !changed.isEmpty else { return }
        let entry = CalendarEntry(meant, by: zones, directory)
        guard let start = entry.start else { return }
        let clock = start.clock(else: .utc)
        guard
            let dates = dates(from: start, by: rule, until: (removed + changed).map(\.time), clock),
            let last = dates.max()
        else { return }
        let span = start.wall(in: clock)...last
        let added = entry.additions(by: zones, directory).map { $0.start.wall(in: clock) }
        let known = dates.union(added)
        let days = Set(known.map(\.date))
        func isUnmet(_ time: StatedTime) -> Bool {
            let wall = time.wall(in: clock)
            // In a series in UTC, a time without a zone may be in the reader's own.
            if case .wall = time.stamp, case .utc = start.stamp { return false }
            return time.isDay ? !days.contains(wall.date) : !known.contains(wall)
        }
        if let unmet = removed.first(where: {
            span.contains($0.time.wall(in: clock)) && isUnmet($0.time)
        }) {
            note(
                .warning, unmet.line,
                "EXDATE removes no date: the series has none at \"\(unmet.time.stamp)\".")
        }
        if let unmet = changed.first(where: { isUnmet($0.time) }) {
            note(
                .warning, unmet.line,
                "RECURRENCE-ID names no date of the series, which has none at "
                    + "\"\(unmet.time.stamp)\", so this date is added.")
        }
    }

    /// The components that change single dates of an event and are not called off.
    private func changes(of component: CalendarComponent) -> [CalendarComponent] {
        let dates = changedDates[component.line("UID")?.text ?? ""] ?? []
        return dates.filter { date in
            date.line("STATUS")?.plainText.uppercased() != "CANCELLED"
        }.map { $0.asMeant(inDays: component.isOfDays) }
    }

    /// The times in all properties of a name, with their lines.
    private func named(
        _ name: String, in components: [CalendarComponent]
    ) -> [(time: StatedTime, line: Int)] {
        components.flatMap { $0.lines(name) }.flatMap { line in
            let read = StatedTime.reader(of: line, by: zones, directory)
            return line.plainText.split(separator: ",").compactMap(read).map { ($0, line.number) }
        }
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
        _ clock: Zone
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
