import Timekeeping

/// A time as calendar objects write it (RFC 5545, 3.3.5): by the clocks of a zone, or in UTC.
struct CalendarTime {
    private let moment: Moment
    private let zone: Zone
    private let namesZone: Bool

    /// - Parameters:
    ///   - moment: the time.
    ///   - zone: by whose clocks it is meant.
    ///   - namesZone: whether it is written by them, where it can be.
    init(_ moment: Moment, in zone: Zone, namesZone: Bool) {
        self.moment = moment
        self.zone = zone
        self.namesZone = namesZone
    }

    /// A property with this time.
    func line(_ name: String) -> CalendarLine {
        let wall = zone.wallTime(at: moment)
        // A time that comes twice on the wall is read as the first of both.
        guard namesZone, zone.moment(of: wall).seconds == moment.seconds else {
            return CalendarLine(name, raw: Self.utc(moment))
        }
        return CalendarLine(name, [("TZID", zone.id)], raw: Self.text(wall))
    }

    /// The time in UTC: "20261205T100000Z".
    static func utc(_ moment: Moment) -> String {
        CalendarStamp.utc(moment).description
    }

    /// A time on the wall: "20261205T120000".
    static func text(_ wall: WallTime) -> String {
        CalendarStamp.wall(wall).description
    }
}

extension Zone {
    /// Whether it is a place whose law decides about its clocks, and no offset or rule by itself.
    var hasRules: Bool {
        let name = id.utf8
        return name.contains(UInt8(ascii: "/")) && !name.contains(UInt8(ascii: ","))
            && !id.hasPrefix("Etc/")
    }

    /// The zone as a calendar object has to describe it that names it, right between two moments.
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

    /// An offset as RFC 5545, 3.3.14 has it: "+0200", with seconds where there are some.
    private static func offset(_ seconds: Int) -> String {
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
