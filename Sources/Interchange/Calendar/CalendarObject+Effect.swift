public import Timekeeping

extension CalendarObject {
    /// The object as it is at present: a cancellation counts unless a newer version of the series
    /// or of a date came, and of each date the newest version counts.
    ///
    /// Dates of files of their own do not count if a newer version of the series has no such date
    /// any more, or if they name the date in an unknown zone other than that of the series.
    ///
    /// - Parameters:
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: the object without marks and without what does not count.
    public func inEffect(in own: Zone, by directory: ZoneDirectory) -> CalendarObject {
        guard components.contains(where: \.isAlone) else { return self }
        let versions = versions(
            from: Self.start(of: [self], in: own, by: directory), in: own, by: directory)
        let series = versions.first { $0.isWhole && !$0.isAlone }
        let kept = keptParts(of: versions, in: own, by: directory)
        if let off = versions.first(where: { $0.isWhole && $0.isAlone }),
            series.map({ !off.isOlder(than: $0) }) ?? true
        {
            return ended(by: off, kept)
        }
        return having(kept.flatMap(\.counting)).unmarked
    }

    /// The description of the series and the dates that count beside it.
    private func keptParts(
        of versions: [CalendarVersions], in own: Zone, by directory: ZoneDirectory
    ) -> [CalendarVersions] {
        let series = versions.first { $0.isWhole && !$0.isAlone }
        let dates = series.map { CalendarDates(of: $0.newest, self, in: own, by: directory) }
        let newest = Dictionary(versions.filter { !$0.isWhole }.map { ($0.date, $0) }) {
            $1.isOlder(than: $0) ? $0 : $1
        }
        return versions.filter { part in
            guard !part.isWhole else { return !part.isAlone }
            guard newest[part.date]?.isAlone == part.isAlone else { return false }
            let counts = dates.flatMap { dates in
                series.map { dates.keeps(part, besides: $0.newest) }
            }
            return counts ?? true
        }
    }

    /// The object as a cancellation of the series leaves it. Newer versions of single dates take
    /// place: each date is a component of its own (RFC 5546, 2.1.5).
    private func ended(by off: CalendarVersions, _ kept: [CalendarVersions]) -> CalendarObject {
        let newer = kept.filter { part in
            !part.isWhole && off.isOlder(than: part) && !part.newest.isCancelled
                && part.newest.line("RECURRENCE-ID")?.parameter("RANGE") == nil
        }
        let names = Set(newer.map(\.date))
        let old = kept.filter { !$0.isAlone && !names.contains($0.date) }.flatMap(\.components)
        let ended =
            old.isEmpty
            ? [off.newest] : having(old).cancelled(by: having([off.newest])).components
        return having(ended + newer.flatMap(\.counting)).unmarked
    }

    private func having(_ components: [CalendarComponent]) -> CalendarObject {
        var object = self
        object.components = components
        return object
    }

    /// The newest version of each changed date, in the order of their original starts.
    ///
    /// - Parameters:
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: the dates with their times.
    public func newestDates(in own: Zone, by directory: ZoneDirectory) -> [CalendarEntry] {
        guard components.contains(where: { $0.line("RECURRENCE-ID") != nil }) else { return [] }
        let start = Self.start(of: [self], in: own, by: directory)
        let zones = zoneRules
        let named = zip(components, entries(by: zones, directory)).filter {
            $1.recurrenceID != nil
        }.map { ($0.dateName(from: start, in: own, by: zones, directory), $1) }
        return Dictionary(grouping: named) { $0.0 }.sorted { $0.key < $1.key }
            .compactMap { $0.value.map(\.1).newest }
    }
}

extension CalendarVersions {
    /// The components that count. Before their series came, versions of one date may have had
    /// several names.
    fileprivate var counting: [CalendarComponent] { isAlone ? [newest] : components }
}

/// The regular dates of a series.
private struct CalendarDates {
    /// The most dates that are examined.
    private static let datesMax = 40_000

    private let zones: CalendarZones
    private let directory: ZoneDirectory
    private let zone: Zone
    private let isOfDays: Bool
    private let walls: Set<WallTime>
    private let days: Set<CivilDate>
    private let endedDays: Set<CivilDate>
    private let zoneName: String?
    /// The last date that was examined, if there are more; later ones are not known.
    private let end: WallTime?

    init(
        of whole: CalendarComponent, _ object: CalendarObject, in own: Zone,
        by directory: ZoneDirectory
    ) {
        let zones = object.zoneRules
        let inDays = whole.isOfDays
        let entry = CalendarEntry(
            whole.asMeant(inDays: inDays).withOneEnd(by: zones, directory), by: zones, directory)
        let clock = entry.start?.clock(else: own) ?? own
        let rule = entry.component.line("RRULE").flatMap {
            try? RecurrenceRule.lenient($0.plainText).rule
        }
        let recurrence = entry.start.flatMap { start in
            rule.flatMap { try? Recurrence(start: start.stamp, in: start.zone, rule: $0) }
        }
        let regular = (recurrence?.lazy.prefix(Self.datesMax)).map(Array.init) ?? []
        let ended = entry.times("EXDATE", by: zones, directory)
        self.zones = zones
        self.directory = directory
        zone = clock
        let walls = Set(regular.map(\.original)).union(
            entry.start.map { [$0.wall(in: clock)] } ?? []
        )
        .union(entry.times("RDATE", by: zones, directory).map { $0.wall(in: clock) })
        .subtracting(ended.filter { inDays || !$0.isDay }.map { $0.wall(in: clock) })
        self.walls = walls
        days = Set(walls.map(\.date))
        isOfDays = inDays
        endedDays = inDays ? [] : Set(ended.filter(\.isDay).map { $0.wall(in: clock).date })
        zoneName = whole.line("DTSTART")?.parameter("TZID")
        end = regular.count == Self.datesMax ? regular.last?.original : nil
    }

    /// True if a changed date counts beside the series.
    func keeps(_ date: CalendarVersions, besides whole: CalendarComponent) -> Bool {
        guard date.isAlone else { return true }
        let component = date.newest
        guard let line = component.asMeant(inDays: isOfDays).line("RECURRENCE-ID"),
            let original = StatedTime(line, by: zones, directory)
        else { return true }
        // A change of all later dates is read only together with its series.
        guard line.parameter("RANGE") == nil,
            original.unknownZone.map({ $0 == zoneName }) ?? true
        else { return false }
        return !component.isOlder(than: whole) || contains(original)
    }

    private func contains(_ original: StatedTime) -> Bool {
        let wall = original.wall(in: zone)
        if let end, wall > end { return true }
        guard !endedDays.contains(wall.date) else { return false }
        return original.isDay ? days.contains(wall.date) : walls.contains(wall)
    }
}
