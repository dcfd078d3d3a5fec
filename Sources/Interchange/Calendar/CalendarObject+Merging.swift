public import Timekeeping

extension CalendarObject {
    /// The object as it is stored: single dates without their series are marked, so that a later
    /// description of the series does not end them.
    public var marked: CalendarObject {
        var object = self
        if !isWhole { object.components = components.map { $0.marked(alone: true) } }
        return object
    }

    /// The object without marks, as it is written to a file.
    public var unmarked: CalendarObject {
        var object = self
        object.components = components.map { $0.marked(alone: false) }
        return object
    }

    /// This object combined with its earlier state. The result does not depend on the order in
    /// which versions arrive.
    ///
    /// - Of several versions of the series, or of one of its dates, the newest counts (RFC 5546,
    ///   2.1.5).
    /// - A file that describes the series describes all its changed dates, so a newer one ends the
    ///   changes that an older one made.
    /// - A file about single dates says nothing about the rest of the series (RFC 5546, 3.2.2), and
    ///   stays valid whatever version of the series comes.
    ///
    /// - Parameters:
    ///   - known: the earlier state.
    ///   - directory: the zone rules of the system.
    /// - Returns: the new state; the earlier state if this object is older.
    public func following(
        _ known: CalendarObject, by directory: ZoneDirectory
    ) -> CalendarObject {
        CalendarMerge(of: self, known, by: directory).result
    }

    /// True if a component of this object is an older version of one in another object, and says
    /// something else.
    ///
    /// - Parameters:
    ///   - other: the other object.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if something of this object is outdated.
    public func isOlder(than other: CalendarObject, by directory: ZoneDirectory) -> Bool {
        CalendarMerge(of: unmarked, other.unmarked, by: directory).isOlder
    }

    /// The object without single dates that a newer version of their series does not have any more.
    public func withoutEndedDates(by directory: ZoneDirectory) -> CalendarObject {
        guard let whole, components.contains(where: { $0.isAlone && whole.isNews(besides: $0) })
        else { return self }
        let zones = zoneRules
        let entry = CalendarEntry(whole.asMeant(inDays: whole.isOfDays), by: zones, directory)
        let dates = CalendarDates(of: entry, by: zones, directory)
        var object = self
        object.components.removeAll { component in
            guard component.isAlone, whole.isNews(besides: component),
                let line = component.asMeant(inDays: whole.isOfDays).line("RECURRENCE-ID"),
                let original = StatedTime(line, by: zones, directory)
            else { return false }
            return !dates.contains(original)
        }
        return object
    }
}

/// The regular dates of a series.
private struct CalendarDates {
    /// The most dates that are examined.
    private static let datesMax = 40_000

    private let zone: Zone
    private let walls: Set<WallTime>
    /// The last date that was examined, if there are more; later ones are not known.
    private let end: WallTime?

    init(of entry: CalendarEntry, by zones: CalendarZones, _ directory: ZoneDirectory) {
        let clock = entry.start?.zone ?? .utc
        zone = clock
        let rule = entry.component.line("RRULE").flatMap {
            try? RecurrenceRule.lenient($0.plainText).rule
        }
        let recurrence = entry.start.flatMap { start in
            rule.flatMap { try? Recurrence(start: start.stamp, in: start.zone, rule: $0) }
        }
        let regular = (recurrence?.lazy.prefix(Self.datesMax)).map(Array.init) ?? []
        let ended = entry.times("EXDATE", by: zones, directory).map { $0.wall(in: clock) }
        walls = Set(regular.map(\.original)).union(entry.start.map { [$0.wall(in: clock)] } ?? [])
            .union(entry.times("RDATE", by: zones, directory).map { $0.wall(in: clock) })
            .subtracting(ended)
        end = regular.count == Self.datesMax ? regular.last?.original : nil
    }

    func contains(_ original: StatedTime) -> Bool {
        let wall = original.wall(in: zone)
        if let end, wall > end { return true }
        return original.isDay
            ? walls.contains { $0.date == wall.date } : walls.contains(wall)
    }
}

/// Two states of an object, component by component.
private struct CalendarMerge {
    /// All versions of the whole series, or of one of its dates, in one object.
    fileprivate struct Group {
        let name: String
        var components: [CalendarComponent]

        /// The newest version; among equals the last.
        var newest: CalendarComponent {
            components.dropFirst().reduce(components[0]) { $1.isOlder(than: $0) ? $0 : $1 }
        }
    }

    private let news: CalendarObject
    private let known: CalendarObject
    private let mine: [Group]
    private let theirs: [Group]

    init(of news: CalendarObject, _ known: CalendarObject, by directory: ZoneDirectory) {
        let wholes = [news, known].compactMap { object in object.whole.map { (object, $0) } }
        let start = wholes.first.flatMap { object, whole in
            whole.line("DTSTART").flatMap {
                StatedTime($0, by: object.zoneRules, directory)
            }
        }
        self.news = news
        self.known = known
        mine = Self.groups(of: news, start: start, by: directory)
        theirs = Self.groups(of: known, start: start, by: directory)
    }

    private static func groups(
        of object: CalendarObject, start: StatedTime?, by directory: ZoneDirectory
    ) -> [Group] {
        let zones = object.zoneRules
        var places: [String: Int] = [:]
        var groups: [Group] = []
        for component in object.components {
            let name = component.dateName(from: start, by: zones, directory)
            if let place = places[name] {
                groups[place].components.append(component)
            } else {
                places[name] = groups.count
                groups.append(Group(name: name, components: [component]))
            }
        }
        return groups
    }

    /// True if a part of the news is older than what is known, and says something else.
    var isOlder: Bool {
        let others = Dictionary(theirs.map { ($0.name, $0) }) { $1 }
        return mine.contains { group in
            others[group.name].map {
                group.newest.isOlder(than: $0.newest)
                    && group.newest.unfolded != $0.newest.unfolded
            } ?? false
        }
    }

    var result: CalendarObject {
        let (own, whole) = (mine.first(where: \.isWhole), theirs.first(where: \.isWhole))
        let isNewer = own.map { own in whole.map { !own.isOlder(than: $0) } ?? true } ?? false
        let taken = taken(besides: isNewer ? nil : own.flatMap { _ in whole })
        let kept = kept(isNewer ? own : nil, insteadOf: whole)
        let (first, more) = isNewer ? (taken, kept) : (kept, taken)
        let replacing = Dictionary(more.map { ($0.name, $0) }) { $1 }
        let names = Set(first.map(\.name))
        let groups =
            first.map { isNewer ? $0 : replacing[$0.name] ?? $0 }
            + more.filter { !names.contains($0.name) }
        let components = groups.flatMap(\.components)
        return isNewer
            ? object(of: components, like: news, besides: known)
            : object(of: components, like: known, besides: news)
    }

    /// The parts of the news that are not older than what is known.
    ///
    /// - Parameter newer: a newer description of the series, which the news' own one does not
    ///   replace; changed dates of the older description count only if they are newer.
    /// - Returns: the parts, in the order of the news.
    private func taken(besides newer: Group?) -> [Group] {
        let others = Dictionary(theirs.map { ($0.name, $0) }) { $1 }
        return mine.compactMap { group in
            guard let other = others[group.name] else {
                return newer.map { group.newest.isNews(besides: $0.newest) } ?? true
                    ? group : nil
            }
            guard !group.isOlder(than: other) else { return nil }
            let isSame = !other.isOlder(than: group)
            return isSame && other.isAlone ? group.marked : group
        }
    }

    /// The known parts that stay.
    private func kept(_ own: Group?, insteadOf whole: Group?) -> [Group] {
        let news = Dictionary(mine.map { ($0.name, $0) }) { $1 }
        let isOther =
            own.flatMap { own in
                whole.map { own.newest.unfolded != $0.newest.unfolded }
            } ?? false
        return theirs.filter { group in
            if let other = news[group.name] {
                return own == nil || other.isOlder(than: group)
            }
            guard isOther, let own, !group.isAlone else { return true }
            return group.newest.isNews(besides: own.newest)
        }
    }

    private func object(
        of components: [CalendarComponent], like base: CalendarObject,
        besides other: CalendarObject
    ) -> CalendarObject {
        let used = Set(components.flatMap(\.zoneNames))
        let zones =
            base.zones
            + other.zones.filter { zone in
                used.contains(zone.zoneName)
                    && !base.zones.contains { $0.isOfSameName(as: zone) }
            }
        return CalendarObject(
            kind: base.kind, uid: base.uid, components: components, zones: zones, head: base.head)
    }
}

extension CalendarMerge.Group {
    var isWhole: Bool { name.isEmpty }
    var isAlone: Bool { newest.isAlone }

    func isOlder(than other: Self) -> Bool { newest.isOlder(than: other.newest) }

    var marked: Self {
        var group = self
        group.components = components.map { $0.marked(alone: true) }
        return group
    }
}

extension CalendarComponent {
    /// The property that marks a single date whose file did not describe its series. It is never
    /// written to a file.
    private static let aloneName = "X-LETSMEET-ALONE"

    /// True for a single date whose file did not describe its series.
    fileprivate var isAlone: Bool { line(Self.aloneName) != nil }

    fileprivate func marked(alone: Bool) -> CalendarComponent {
        guard alone != isAlone else { return self }
        let lines = alone ? [CalendarLine(Self.aloneName, raw: "TRUE")] : []
        return replacing([Self.aloneName], by: lines)
    }

    /// True if this component is an older version than another: by SEQUENCE, then by the time of
    /// its last change (RFC 5546, 2.1.5).
    func isOlder(than other: CalendarComponent) -> Bool {
        guard sequence == other.sequence else { return sequence < other.sequence }
        guard let stamp = stampedAt, let later = other.stampedAt else { return false }
        return stamp < later
    }

    /// The name of the date of a series that the component describes.
    ///
    /// - Parameters:
    ///   - start: the start of the series, if known.
    ///   - zones: the zones of the calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: the name, the same however the date is written; empty for the whole series.
    func dateName(
        from start: StatedTime?, by zones: CalendarZones, _ directory: ZoneDirectory
    ) -> String {
        guard let written = line("RECURRENCE-ID") else { return "" }
        let range = written.parameter("RANGE").map { " \($0.uppercased())" } ?? ""
        let line = asMeant(inDays: start?.isDay ?? isOfDays).line("RECURRENCE-ID") ?? written
        guard let original = StatedTime(line, by: zones, directory) else {
            return line.plainText + range
        }
        return (start.flatMap(original.atTime) ?? original).words + range
    }
}
