public import Timekeeping

extension CalendarObject {
    /// This object, which changes single dates of a series, divided among the series and the parts
    /// that continue it: see ``parts(by:)``.
    ///
    /// - Parameters:
    ///   - continuations: the parts that continue the series.
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: an object for each part whose dates are changed, with the UID of the part.
    public func divided(
        among continuations: [CalendarObject], in own: Zone, by directory: ZoneDirectory
    ) -> [CalendarObject] {
        let zones = zoneRules
        let later = continuations.compactMap { Continuation($0, in: own, by: directory) }
            .sorted { $0.first < $1.first }
        func place(_ component: CalendarComponent) -> Int? {
            let original = component.line("RECURRENCE-ID").flatMap {
                StatedTime($0, by: zones, directory)
            }
            return original.flatMap { original in later.lastIndex { $0.contains(original) } }
        }
        let divided = Dictionary(grouping: components, by: place)
        let own = divided[nil].map { with($0, uid: uid) }
        let others = later.indices.compactMap { index in
            divided[index].map { dates in
                let part = later[index]
                return with(dates.map { part.naming($0, by: zones, directory) }, uid: part.uid)
            }
        }
        return [own].compactMap(\.self) + others
    }

    /// The place of an object that continues a series in it: see ``parts(by:)``.
    ///
    /// - Parameters:
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: the original time of its first date on the clock of the series, and the shift of
    ///   its dates against the original ones, in seconds of wall-clock time; `nil` if the object
    ///   does not continue another one.
    public func continuation(
        in own: Zone, by directory: ZoneDirectory
    ) -> (first: WallTime, shift: Int64)? {
        Continuation(self, in: own, by: directory).map { ($0.first, $0.shift) }
    }

    private func with(_ components: [CalendarComponent], uid: String) -> CalendarObject {
        CalendarObject(kind: kind, uid: uid, components: components, zones: zones, head: head)
    }
}

/// The part of a series that begins with a change of all later dates.
private struct Continuation {
    let uid: String
    /// The original time of its first date, on the clock of the series.
    let first: WallTime
    private let clock: Zone
    /// The shift of its dates against the original ones, in seconds of wall-clock time.
    let shift: Int64

    init?(_ object: CalendarObject, in own: Zone, by directory: ZoneDirectory) {
        guard let start = object.start(by: directory),
            let stamp = CalendarObject.continuationStart(of: object.uid)
        else { return nil }
        uid = object.uid
        clock = start.clock(else: own)
        switch stamp {
        case .day(let day): first = WallTime(date: day, time: .midnight)
        case .wall(let wall): first = wall
        case .utc(let moment): first = clock.wallTime(at: moment)
        }
        shift = start.wall(in: clock).secondsSince1970 - first.secondsSince1970
    }

    /// True if a date with this original time is one of this part or of a later one.
    func contains(_ original: StatedTime) -> Bool {
        original.isDay
            ? original.wall(in: clock).date >= first.date : original.wall(in: clock) >= first
    }

    /// A changed date of the series as one of this part.
    func naming(
        _ date: CalendarComponent, by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> CalendarComponent {
        let moved = date.line("RECURRENCE-ID").flatMap { line in
            StatedTime(line, by: zones, directory).map {
                line.saying($0.moved(bySeconds: shift, in: clock).description)
            }
        }
        return date.replacing(["UID"], by: [CalendarLine("UID", text: uid)])
            .replacing(["RECURRENCE-ID"], by: [moved].compactMap(\.self))
    }
}
