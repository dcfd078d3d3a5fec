import Timekeeping

/// A time in the form of calendar objects (RFC 5545, 3.3.5): in a zone or in UTC.
struct CalendarTime {
    private let moment: Moment
    private let zone: Zone
    private let namesZone: Bool

    /// - Parameters:
    ///   - moment: the time.
    ///   - zone: the zone.
    ///   - namesZone: true to write the time in the zone where possible, false to write it in UTC.
    init(_ moment: Moment, in zone: Zone, namesZone: Bool) {
        self.moment = moment
        self.zone = zone
        self.namesZone = namesZone
    }

    /// A property with this time.
    func line(_ name: String) -> CalendarLine {
        let wall = zone.wallTime(at: moment)
        // A wall-clock time that occurs twice is read as the first of the two, so the second is
        // written in UTC.
        guard namesZone, zone.moment(of: wall).seconds == moment.seconds else {
            return CalendarLine(name, raw: Self.utc(moment))
        }
        return CalendarLine(name, [("TZID", zone.id)], raw: Self.text(wall))
    }

    /// The time in UTC: "20261205T100000Z".
    static func utc(_ moment: Moment) -> String {
        CalendarStamp.utc(moment).description
    }

    /// A wall-clock time: "20261205T120000".
    static func text(_ wall: WallTime) -> String {
        CalendarStamp.wall(wall).description
    }
}

extension Zone {
    /// True if the zone is a geographical one, whose rules may change, and not a mere offset or
    /// rule.
    var hasRules: Bool {
        let name = id.utf8
        return name.contains(UInt8(ascii: "/")) && !name.contains(UInt8(ascii: ","))
            && !id.hasPrefix("Etc/")
    }

    /// The description of the zone for calendar objects that name it, correct between two moments.
    func component(from first: Moment, through last: Moment) -> CalendarComponent {
        CalendarComponent(
            "VTIMEZONE", [CalendarLine("TZID", raw: id)],
            observances(from: first, through: last).map(\.component))
    }
}

extension ZoneObservance {
    fileprivate var component: CalendarComponent {
        var lines = [
            CalendarLine("DTSTART", raw: CalendarTime.text(onset)),
            CalendarLine("TZOFFSETFROM", raw: Self.offset(before)),
            CalendarLine("TZOFFSETTO", raw: Self.offset(after)),
            CalendarLine("TZNAME", text: abbreviation),
        ]
        if let anniversary { lines.append(CalendarLine("RRULE", raw: anniversary.rule)) }
        return CalendarComponent(isDaylight ? "DAYLIGHT" : "STANDARD", lines)
    }

    /// An offset in the form of RFC 5545, 3.3.14: "+0200", with seconds if there are any.
    static func offset(_ seconds: Int) -> String {
        let size = abs(seconds)
        let parts = [size / 3600, size / 60 % 60, size % 60]
        let digits = (parts[2] == 0 ? parts.dropLast() : parts[...]).map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        return (seconds < 0 ? "-" : "+") + digits.joined()
    }
}

extension ZoneObservance.Anniversary {
    fileprivate var rule: String {
        let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        return "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(week)\(days[weekday.rawValue - 1])"
    }
}
