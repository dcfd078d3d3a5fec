public import Timekeeping

/// The busy times found in a calendar, in no particular order and possibly with duplicates.
public struct BusyPeriods: Equatable, Sendable {
    /// Times at which the person is busy.
    public internal(set) var firm: [Range<Moment>] = []
    /// Times at which the person may be busy.
    public internal(set) var tentative: [Range<Moment>] = []

    /// The reason why the calendar is too large, in a sentence; `nil` if it is not. The busy times
    /// are incomplete then.
    public internal(set) var excess: String?

    /// The most busy times.
    public static let spansMax = 100_000
    /// The most occurrences of one event that are examined.
    static let datesOfOneMax = 1_000_000
    /// The most occurrences of all events together. Each recurrence rule counts as at least
    /// ``datesOfRule`` of them.
    private static let datesOfAllMax = 2_000_000
    private static let datesOfRule = 400
    /// The number of occurrences that may still be examined.
    private var datesLeft = 0

    /// Counts occurrences that are examined. Beyond the limit, the calendar is too large.
    mutating func count(_ dates: Int = 1) {
        datesLeft -= dates
        guard datesLeft < 0, excess == nil else { return }
        excess = "Its events repeat more than \(Self.datesOfAllMax) times."
    }

    /// Counts a recurrence rule, which costs something even if it has no dates.
    mutating func countRule() { count(Self.datesOfRule) }

    /// The busy times within a range.
    ///
    /// - Parameters:
    ///   - text: a calendar as stored by ``BusyCalendar``.
    ///   - from: only periods that end after this moment are included.
    ///   - until: only periods that begin before this moment are included.
    ///   - own: the zone for times that name no zone.
    ///   - directory: the zone rules of the system.
    public init(
        of text: String, from: Moment, until: Moment, in own: Zone, by directory: ZoneDirectory
    ) {
        guard from < until else { return }
        datesLeft = Self.datesOfAllMax
        var comparedLeft = CalendarObject.comparedDatesMax
        var availabilities: [BusyAvailability] = []
        for calendar in CalendarReader.read(Array(text.utf8)).calendars {
            let zones = CalendarZones(calendar)
            for object in CalendarObject.all(in: calendar) where object.kind == "VEVENT" {
                let parts = object.parts(by: directory, datesLeft: &comparedLeft)
                for part in parts where excess == nil {
                    let event = BusyEvent(part, zones, own, directory)
                    event.lay(into: &self, from: from, until: until)
                }
            }
            for component in calendar.components where component.name == "VFREEBUSY" {
                take(component, zones, from: from, until: until, in: own, by: directory)
            }
            availabilities += calendar.components.filter { $0.name == "VAVAILABILITY" }.map {
                BusyAvailability($0, zones, own, directory)
            }
        }
        take(availabilities, from: from, until: until)
    }

    private static let minuteMilliseconds: Int64 = 60_000

    /// The hours before and after a time in an unknown zone for which the person may be busy: no
    /// two zones differ by more than 26 hours, and most people's by less than 14.
    static let unsureHours: Int64 = 14

    /// Adds a period, rounded outward to whole minutes. A period that touches the one added last is
    /// merged with it.
    mutating func add(_ period: Range<Moment>, isTentative: Bool) {
        let minute = Self.minuteMilliseconds
        let (start, end) = (period.lowerBound.milliseconds, period.upperBound.milliseconds)
        let period =
            Moment(
                milliseconds: start - (start % minute + minute) % minute)..<Moment(
                milliseconds: end + (minute - (end % minute + minute) % minute) % minute)
        let isNext = { (last: Range<Moment>?) in
            last.map { $0.upperBound >= period.lowerBound && $0.lowerBound <= period.lowerBound }
                ?? false
        }
        let last = isTentative ? tentative.last : firm.last
        if isNext(last), let last {
            let joined = last.lowerBound..<max(last.upperBound, period.upperBound)
            if isTentative {
                tentative[tentative.count - 1] = joined
            } else {
                firm[firm.count - 1] = joined
            }
        } else if firm.count + tentative.count >= Self.spansMax {
            excess = "It has more than \(Self.spansMax) busy times."
        } else if isTentative {
            tentative.append(period)
        } else {
            firm.append(period)
        }
    }

    private mutating func take(
        _ period: Range<Moment>, isTentative: Bool, from: Moment, until: Moment
    ) {
        guard period.upperBound > from, period.lowerBound < until else { return }
        add(period, isTentative: isTentative)
    }

    private mutating func take(
        _ component: CalendarComponent, _ zones: CalendarZones, from: Moment, until: Moment,
        in own: Zone, by directory: ZoneDirectory
    ) {
        for line in component.lines("FREEBUSY") {
            let isTentative = line.parameter("FBTYPE")?.uppercased() == "BUSY-TENTATIVE"
            let time = StatedTime.reader(of: line, by: zones, directory)
            for text in line.plainText.split(separator: ",") {
                guard excess == nil else { return }
                let parts = text.split(separator: "/", maxSplits: 1)
                guard parts.count == 2, let start = time(parts[0]) else { continue }
                let first = start.moment(in: own)
                let end =
                    time(parts[1])?.moment(in: own)
                    ?? TimeSpan(calendar: String(parts[1])).map {
                        start.after($0).moment(in: own)
                    }
                guard let end, end > first else { continue }
                take(first..<end, isTentative: isTentative, from: from, until: until)
                guard start.unknownZone != nil else { continue }
                let slack = Self.unsureHours * 3600
                take(
                    first.advanced(bySeconds: -slack)..<end.advanced(bySeconds: slack),
                    isTentative: true, from: from, until: until)
            }
        }
    }
}
