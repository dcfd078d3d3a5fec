import Timekeeping

/// The time zone of a vCalendar 1.0 object, as TZ and DAYLIGHT state it (vCalendar 1.0, 2.1.8 and
/// 2.1.9): `TZ:-05:00` and `DAYLIGHT:TRUE;-04;20260308T020000;20261101T020000;EST;EDT`. All times
/// without a Z are in it.
struct VCalendarZone {
    /// The line with TZ, counted from 1.
    let number: Int
    /// The description of the zone; `nil` if TZ or DAYLIGHT cannot be read.
    let component: CalendarComponent?
    /// The offset from UTC in seconds if it is the same all year.
    let fixedOffset: Int?

    /// The name of the zone in the object.
    private static let name = "TZ of the file"

    /// The zone of an object; `nil` if it states none, or describes zones as iCalendar does.
    init?(_ calendar: CalendarComponent) {
        guard let zone = calendar.line("TZ"),
            !calendar.components.contains(where: { $0.name == "VTIMEZONE" })
        else { return nil }
        number = zone.number
        let usual = Self.offset(zone.plainText)
        let changes = calendar.lines("DAYLIGHT").map(\.plainText)
            .filter { !$0.uppercased().hasPrefix("FALSE") }
        let seasons = usual.map { usual in changes.compactMap { Season($0, usual: usual) } } ?? []
        fixedOffset = changes.isEmpty ? usual : nil
        guard let usual, seasons.count == changes.count else {
            component = nil
            return
        }
        let always = Self.part("STANDARD", "19700101T000000", from: usual, to: usual)
        component = CalendarComponent(
            "VTIMEZONE", [CalendarLine("TZID", text: Self.name)],
            [always] + seasons.flatMap { Self.parts(of: $0, usual: usual) })
    }

    /// A component with its wall-clock times in this zone. An event that does not repeat, of a zone
    /// without summer time, has them in UTC. One that repeats, of a zone with summer time, has no
    /// times in UTC: phones write these, but mean the same time of day all year.
    func placing(_ part: CalendarComponent) -> CalendarComponent {
        guard let component else { return part }
        if fixedOffset == nil, part.line("RRULE") != nil, !part.isMarkedAsDays,
            let zone = Zone(named: Self.name, described: component)
        {
            return part.onClock(of: zone).inZone(named: Self.name)
        }
        guard let fixedOffset, !["RRULE", "RDATE"].contains(where: { part.line($0) != nil }) else {
            return part.inZone(named: Self.name)
        }
        var placed = part
        placed.items = part.items.map { item in
            guard case .line(let line) = item, Self.times.contains(line.name),
                let wall = line.soleWall
            else { return item }
            let moment = Moment(seconds: wall.secondsSince1970 - Int64(fixedOffset))
            return .line(line.saying(CalendarTime.utc(moment)))
        }
        return placed
    }

    private static let times: Set = ["DTSTART", "DTEND", "DUE", "RECURRENCE-ID"]

    private static func parts(of season: Season, usual: Int) -> [CalendarComponent] {
        [
            part("DAYLIGHT", season.begin.description, from: usual, to: season.offset),
            part("STANDARD", season.end.description, from: season.offset, to: usual),
        ]
    }

    private static func part(
        _ name: String, _ onset: String, from before: Int, to after: Int
    ) -> CalendarComponent {
        CalendarComponent(
            name,
            [
                CalendarLine("DTSTART", raw: onset),
                CalendarLine("TZOFFSETFROM", raw: ZoneObservance.offset(before)),
                CalendarLine("TZOFFSETTO", raw: ZoneObservance.offset(after)),
            ])
    }

    /// An offset such as "-05:00", "+0530", "-5" or "2", in seconds.
    fileprivate static func offset(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count <= offsetOctetsMax,
            let parts = String(text).wholeMatch(of: /([+-]?)([0-9]{1,2})(?::?([0-9]{2}))?/),
            let hours = Int(parts.2), let minutes = Int(parts.3 ?? "0"), hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (parts.1 == "-" ? -1 : 1)
    }

    private static let offsetOctetsMax = 10
}

/// The summer time of one year.
private struct Season {
    let offset: Int
    /// The beginning, at the usual offset.
    let begin: CalendarStamp
    /// The end, at the offset of summer time.
    let end: CalendarStamp

    init?(_ text: String, usual: Int) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].uppercased() == "TRUE",
            let offset = VCalendarZone.offset(parts[1]),
            let begin = CalendarStamp(parts[2])?.wall(at: usual),
            let end = CalendarStamp(parts[3])?.wall(at: offset)
        else { return nil }
        (self.offset, self.begin, self.end) = (offset, begin, end)
    }
}

extension CalendarStamp {
    /// The wall-clock time at an offset; `nil` for a day.
    fileprivate func wall(at offset: Int) -> CalendarStamp? {
        switch self {
        case .day: nil
        case .wall: self
        case .utc(let moment):
            .wall(WallTime(secondsSince1970: moment.seconds + Int64(offset)))
        }
    }
}

extension CalendarComponent {
    private static let timesOfSeries: Set = [
        "DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID",
    ]

    /// The component with wall-clock times of a zone in place of times in UTC.
    fileprivate func onClock(of zone: Zone) -> CalendarComponent {
        var part = self
        part.items = items.map { item in
            guard case .line(let line) = item, Self.timesOfSeries.contains(line.name),
                line.parameter("TZID") == nil
            else { return item }
            let values = line.plainText.split(separator: ",").map { text in
                guard case .utc(let moment)? = CalendarStamp(text) else { return String(text) }
                return CalendarStamp.wall(zone.wallTime(at: moment)).description
            }
            return .line(line.saying(values.joined(separator: ",")))
        }
        return part
    }
}

extension CalendarLine {
    /// The wall-clock time of a property without a zone; `nil` if it has a zone, is in UTC, or is a
    /// day.
    fileprivate var soleWall: WallTime? {
        guard parameter("TZID") == nil, case .wall(let wall)? = CalendarStamp(plainText)
        else { return nil }
        return wall
    }
}
