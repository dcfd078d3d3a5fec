public import Timekeeping

extension CalendarComponent {
    /// The calendar with the original times of changed dates in the zones of their series, if these
    /// times are in unknown zones but can mean only one date each; and at the time of the series,
    /// where they state midnight.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the calendar; dates that stay unclear are as they were.
    public func namingDates(by directory: ZoneDirectory) -> CalendarComponent {
        namingMidnights.namingUnknownZones(by: directory)
    }

    private func namingUnknownZones(by directory: ZoneDirectory) -> CalendarComponent {
        let unclear = unclearDates(by: directory).filter { !$0.hasUnclearDate }
        guard !unclear.isEmpty else { return self }
        let zones = CalendarZones(self)
        let wholes = Dictionary(
            components.filter { $0.name == "VEVENT" && $0.line("RECURRENCE-ID") == nil }.map {
                ($0.line("UID")?.text ?? "", $0)
            }
        ) { $1 }
        var left = SeriesStarts.datesMax
        var named: [Int: CalendarLine] = [:]
        for (uid, dates) in Dictionary(grouping: unclear, by: { $0.line("UID")?.text ?? "" }) {
            let lines = dates.compactMap { $0.line("RECURRENCE-ID") }
            guard let whole = wholes[uid],
                let starts = SeriesStarts(of: whole, until: lines, zones, directory, &left)
            else { continue }
            for date in dates {
                named[date.number] = date.line("RECURRENCE-ID").flatMap(starts.meant)
            }
        }
        var calendar = self
        calendar.items = items.map { item in
            guard case .component(let component) = item, let line = named[component.number]
            else { return item }
            return .component(component.replacing([line.name], by: [line]))
        }
        return calendar
    }
}

/// The starts of a series, as wall-clock times in its zone.
private struct SeriesStarts {
    /// The most starts that are examined for a calendar.
    static let datesMax = 100_000
    /// No two zones differ by more, in seconds.
    private static let differenceMax: Int64 = 26 * 3600

    private let days: [CivilDate: [WallTime]]
    /// The name of the zone; `nil` for UTC.
    private let zone: String?

    /// Lays out a series; `nil` if it consists of whole days, has no known zone or too many dates.
    ///
    /// - Parameters:
    ///   - whole: the component of the series.
    ///   - lines: the original times that are looked for.
    ///   - zones: the zones of the calendar.
    ///   - directory: the zone rules of the system.
    ///   - left: the number of dates that may still be examined.
    init?(
        of whole: CalendarComponent, until lines: [CalendarLine], _ zones: CalendarZones,
        _ directory: ZoneDirectory, _ left: inout Int
    ) {
        let entry = CalendarEntry(whole, by: zones, directory)
        guard let start = entry.start, start.unknownZone == nil, start.moment != nil,
            let last = lines.compactMap({ CalendarStamp($0.plainText)?.wall }).max()
        else { return nil }
        let clock = start.clock(else: .utc)
        let rule = whole.line("RRULE").flatMap {
            try? RecurrenceRule.lenient($0.plainText).rule
        }
        var walls = Set(entry.additions(by: zones, directory).map { $0.start.wall(in: clock) })
        walls.insert(start.wall(in: clock))
        if let rule, let dates = try? Recurrence(start: start.stamp, in: clock, rule: rule) {
            let end = last.adding(days: 2)
            for date in dates.prefix(max(left, 0)) {
                guard date.original <= end else { break }
                walls.insert(date.original)
            }
        }
        left -= walls.count
        guard left > 0 else { return nil }
        days = Dictionary(grouping: walls, by: \.date)
        zone = if case .utc = start.stamp { nil } else { whole.line("DTSTART")?.parameter("TZID") }
    }

    /// The original time of a changed date in the zone of the series; `nil` if it may be several
    /// dates.
    func meant(_ line: CalendarLine) -> CalendarLine? {
        guard let wall = CalendarStamp(line.plainText)?.wall, let start = meant(wall) else {
            return nil
        }
        guard let zone else { return line.saying("\(CalendarStamp.wall(start))Z") }
        let former = line.parameter("TZID") ?? ""
        return line.saying("\(CalendarStamp.wall(start))").inZone(named: zone, insteadOf: former)
    }

    /// The start that a wall-clock time in an unknown zone means: the only one that is near enough,
    /// or the one at the same time, if all near ones have that time of day.
    private func meant(_ wall: WallTime) -> WallTime? {
        let near = (-2...2).flatMap { days[wall.date.adding(days: $0)] ?? [] }.filter {
            abs($0.secondsSince1970 - wall.secondsSince1970) <= Self.differenceMax
        }
        if near.count == 1 { return near[0] }
        return near.allSatisfy { $0.time == wall.time } && near.contains(wall) ? wall : nil
    }
}

extension CalendarStamp {
    /// The wall-clock time; `nil` for a day and for a moment.
    fileprivate var wall: WallTime? { if case .wall(let wall) = self { wall } else { nil } }
}
