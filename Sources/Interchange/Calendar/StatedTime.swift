public import Timekeeping

/// A time as a calendar object states it (RFC 5545, 3.3.4 and 3.3.5): a day, a moment in UTC, or a
/// wall-clock time in a zone or in the reader's own zone.
public struct StatedTime: Equatable, Sendable {
    /// The value as written.
    public let stamp: CalendarStamp
    /// The zone of a wall-clock time; `nil` for the reader's own zone.
    public let zone: Zone?
    /// The name of the zone, if it is unknown. The wall-clock time is kept, and ``zone`` is the
    /// default zone of the calendar, if it has one.
    public let unknownZone: String?

    /// The time in a property; `nil` if its value is not a time.
    ///
    /// - Parameters:
    ///   - line: the property.
    ///   - zones: the zones of its calendar object.
    ///   - directory: the zone rules of the system.
    public init?(_ line: CalendarLine, by zones: CalendarZones, _ directory: ZoneDirectory) {
        self.init(line.plainText, zone: line.parameter("TZID"), by: zones, directory)
    }

    /// The time in one of several values of a property.
    init?(
        _ text: some StringProtocol, zone name: String?, by zones: CalendarZones,
        _ directory: ZoneDirectory
    ) {
        guard let stamp = CalendarStamp(text) else { return nil }
        guard case .wall = stamp, let name, !name.isEmpty || zones.describes(name) else {
            self.init(stamp, zone: nil, unknownZone: nil)
            return
        }
        let isUnknown = zones.isUnknown(name, by: directory)
        self.init(
            stamp, zone: zones.zone(name, by: directory),
            unknownZone: isUnknown ? KeptText.shown(name) : nil)
    }

    /// The times in one of several values of a property, whose zone is looked up once.
    ///
    /// - Parameters:
    ///   - line: the property.
    ///   - zones: the zones of its calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: a function from a value to its time; `nil` if the value is not a time.
    static func reader(
        of line: CalendarLine, by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> (Substring) -> StatedTime? {
        let name = line.parameter("TZID").flatMap {
            $0.isEmpty && !zones.describes($0) ? nil : $0
        }
        let zone = name.flatMap { zones.zone($0, by: directory) }
        let unknown = name.flatMap {
            zones.isUnknown($0, by: directory) ? KeptText.shown($0) : nil
        }
        return { text in
            CalendarStamp(text).map { stamp in
                guard case .wall = stamp else {
                    return StatedTime(stamp, zone: nil, unknownZone: nil)
                }
                return StatedTime(stamp, zone: zone, unknownZone: unknown)
            }
        }
    }

    private init(_ stamp: CalendarStamp, zone: Zone?, unknownZone: String?) {
        self.stamp = stamp
        self.zone = zone
        self.unknownZone = unknownZone
    }

    /// The moment, if it does not depend on the reader's zone.
    public var moment: Moment? {
        switch stamp {
        case .utc(let moment): moment
        case .wall(let wall): zone?.moment(of: wall)
        case .day: nil
        }
    }

    /// The moment; a time that names no zone is read in the zone `own`.
    public func moment(in own: Zone) -> Moment {
        switch stamp {
        case .utc(let moment): moment
        case .wall(let wall): (zone ?? own).moment(of: wall)
        case .day(let day): own.moment(of: WallTime(date: day, time: .midnight))
        }
    }

    /// The wall-clock time in a zone; for a whole day its midnight.
    func wall(in clock: Zone) -> WallTime {
        switch stamp {
        case .day(let day): WallTime(date: day, time: .midnight)
        case .wall(let wall) where zone == nil || zone == clock: wall
        case .wall, .utc: clock.wallTime(at: moment(in: clock))
        }
    }

    /// A whole day as the time of a series on that day; `nil` if this is a time, or the series is
    /// of whole days.
    func atTime(of series: StatedTime) -> StatedTime? {
        guard case .day(let day) = stamp else { return nil }
        switch series.stamp {
        case .day: return nil
        case .utc(let moment):
            let time = WallTime(secondsSince1970: moment.seconds).time
            return StatedTime(
                .utc(Zone.utc.moment(of: WallTime(date: day, time: time))), zone: nil,
                unknownZone: nil)
        case .wall(let wall):
            return StatedTime(
                .wall(WallTime(date: day, time: wall.time)), zone: series.zone,
                unknownZone: series.unknownZone)
        }
    }

    /// The zone whose clock counts the dates of a series with this start.
    ///
    /// - Parameter own: the zone of a time without a zone.
    /// - Returns: the zone.
    public func clock(else own: Zone) -> Zone {
        if case .utc = stamp { .utc } else { zone ?? own }
    }

    /// True if this is a whole day.
    public var isDay: Bool { if case .day = stamp { true } else { false } }

    /// The time as text: "20161231" for a day, "20161231T180000Z" if the moment is known, otherwise
    /// the wall-clock time "20161231T190000".
    public var words: String { moment.map { CalendarStamp.utc($0).description } ?? "\(stamp)" }

    /// The time after a span; days are added in wall-clock time (RFC 5545, 3.3.6).
    func after(_ span: TimeSpan) -> StatedTime {
        switch stamp {
        case .day(let day):
            let days = span.days + span.seconds / CivilTime.secondsOfDay
            return StatedTime(.day(day.adding(days: days)), zone: nil, unknownZone: nil)
        case .utc(let moment):
            let wall = WallTime(secondsSince1970: moment.seconds)
            return StatedTime(.utc(span.after(wall, in: .utc)), zone: nil, unknownZone: nil)
        case .wall(let wall):
            guard let zone else {
                let end = WallTime(secondsSince1970: span.after(wall, in: .utc).seconds)
                return StatedTime(.wall(end), zone: nil, unknownZone: unknownZone)
            }
            return StatedTime(.utc(span.after(wall, in: zone)), zone: nil, unknownZone: nil)
        }
    }
}
