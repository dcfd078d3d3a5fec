public import Timekeeping

extension CalendarObject {
    /// The object as it is stored. Single dates without their series, and a cancellation, are
    /// marked, so that they stand beside every description of the series.
    ///
    /// - Parameter isOff: true if the object is the cancellation of another.
    /// - Returns: the object with the marks.
    public func marked(isOff: Bool = false) -> CalendarObject {
        marking(!isWhole || isOff)
    }

    /// The object without marks, as it is written to a file.
    public var unmarked: CalendarObject { marking(false) }

    private func marking(_ alone: Bool) -> CalendarObject {
        var object = self
        object.components = components.map { $0.marked(alone: alone) }
        return object
    }

    /// This object combined with what was known before. The result does not depend on the order in
    /// which versions arrive, unless two of them state the same version.
    ///
    /// - Of several versions of the series, or of one of its dates, the newest is kept (RFC 5546,
    ///   2.1.5); of equal ones, the one that came last.
    /// - A file that describes the series describes all its changed dates. So those in files with
    ///   an older version of the series are not kept.
    /// - Files about single dates, and cancellations, are kept beside the description: see
    ///   ``inEffect(in:by:)``.
    /// - A cancelled version that states no start cancels the known description, which stays.
    ///
    /// - Parameters:
    ///   - known: what was known before.
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: the combination; `known` if this object is older.
    public func following(
        _ known: CalendarObject, in own: Zone, by directory: ZoneDirectory
    ) -> CalendarObject {
        guard isBareCancellation, known.start(by: directory) != nil else {
            return CalendarMerge(of: self, known, in: own, by: directory).result
        }
        return isOlder(than: known, in: own, by: directory) ? known : known.ended(by: self)
    }

    /// True if the object is cancelled and does not say when it was to take place.
    private var isBareCancellation: Bool {
        let descriptions = components.filter(\.isDescription)
        return kind == "VEVENT" && !descriptions.isEmpty
            && descriptions.allSatisfy { $0.line("DTSTART") == nil && $0.isCancelled }
    }

    /// The object, of which the description is cancelled. Its changed dates stay.
    private func ended(by message: CalendarObject) -> CalendarObject {
        var object = self
        object.components = zip(components, cancelled(by: message).components).map {
            $0.isDescription ? $1 : $0
        }
        return object
    }

    /// True if a component of this object is an older version of one in another object, and says
    /// something else.
    ///
    /// - Parameters:
    ///   - other: the other object.
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if something of this object is outdated.
    public func isOlder(
        than other: CalendarObject, in own: Zone, by directory: ZoneDirectory
    ) -> Bool {
        CalendarMerge(of: unmarked, other.unmarked, in: own, by: directory).isOlder
    }
}

/// All versions of a series, or of one of its dates, in one object.
struct CalendarVersions {
    /// The name of the date; empty for the whole series.
    let date: String
    /// True if their files did not describe the series.
    let isAlone: Bool
    /// The versions, in the order of the file.
    var components: [CalendarComponent]

    var isWhole: Bool { date.isEmpty }

    /// The newest version; among equals the last.
    var newest: CalendarComponent {
        components.dropFirst().reduce(components[0]) { $1.isOlder(than: $0) ? $0 : $1 }
    }

    func isOlder(than other: CalendarVersions) -> Bool { newest.isOlder(than: other.newest) }
}

extension CalendarObject {
    /// The versions of the series and of each date, in the order of the file.
    ///
    /// - Parameters:
    ///   - start: the start of the series, if known.
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: the versions.
    func versions(
        from start: StatedTime?, in own: Zone, by directory: ZoneDirectory
    ) -> [CalendarVersions] {
        let zones = zoneRules
        var places: [[String]: Int] = [:]
        var versions: [CalendarVersions] = []
        for component in components {
            let date = component.dateName(from: start, in: own, by: zones, directory)
            let name = [date, component.isAlone ? "alone" : ""]
            if let place = places[name] {
                versions[place].components.append(component)
            } else {
                places[name] = versions.count
                versions.append(
                    CalendarVersions(
                        date: date, isAlone: component.isAlone, components: [component]))
            }
        }
        return versions
    }

    /// The start of the series by which its dates are named, or what its single dates show of it:
    /// a whole day if one of them is one, otherwise the earliest time that names a date.
    ///
    /// - Parameters:
    ///   - objects: the object, in one or several versions.
    ///   - own: the zone of times without a zone.
    ///   - directory: the zone rules of the system.
    /// - Returns: the start; `nil` if nothing shows it.
    static func start(
        of objects: [CalendarObject], in own: Zone, by directory: ZoneDirectory
    ) -> StatedTime? {
        if let known = objects.lazy.compactMap({ $0.start(by: directory) }).first { return known }
        let shown = objects.flatMap { object in
            let zones = object.zoneRules
            return object.components.flatMap { component in
                ["DTSTART", "RECURRENCE-ID"].compactMap { component.line($0) }.compactMap {
                    StatedTime($0, by: zones, directory)
                }.filter { $0.isDay == component.isOfDays }.suffix(1)
            }
        }
        return shown.first(where: \.isDay)
            ?? shown.min { $0.moment(in: own) < $1.moment(in: own) }
    }

    /// The start of the series, if the object describes it.
    func start(by directory: ZoneDirectory) -> StatedTime? {
        components.last { $0.line("RECURRENCE-ID") == nil && $0.line("DTSTART") != nil }?
            .line("DTSTART").flatMap { StatedTime($0, by: zoneRules, directory) }
    }
}

/// Two states of an object, component by component.
private struct CalendarMerge {
    private let news: CalendarObject
    private let known: CalendarObject
    private let mine: [CalendarVersions]
    private let theirs: [CalendarVersions]

    init(
        of read: CalendarObject, _ known: CalendarObject, in own: Zone,
        by directory: ZoneDirectory
    ) {
        let news = read.withZones(besides: known.zones, by: directory)
        let start = CalendarObject.start(of: [news, known], in: own, by: directory)
        self.news = news
        self.known = known
        mine = news.versions(from: start, in: own, by: directory)
        theirs = known.versions(from: start, in: own, by: directory)
    }

    /// The descriptions of the series.
    private var own: CalendarVersions? { mine.first(where: \.isDescription) }
    private var whole: CalendarVersions? { theirs.first(where: \.isDescription) }

    /// True if the news describe the series, and in no older version.
    private var isNewer: Bool {
        own.map { own in whole.map { !own.isOlder(than: $0) } ?? true } ?? false
    }

    /// True if both describe the series, in different words. Each describes all its changed dates
    /// then.
    private var areBoth: Bool {
        own.map { own in whole.map { own.newest.unfolded != $0.newest.unfolded } ?? false }
            ?? false
    }

    /// True if a part of the news is older than what is known, and says something else.
    var isOlder: Bool {
        let others = Dictionary(theirs.map { ($0.part, $0) }) { $1 }
        let (areBoth, isNewer) = (areBoth, isNewer)
        return mine.contains { part in
            guard part.isAlone || !areBoth || !isNewer else { return false }
            return others[part.part].map {
                part.isOlder(than: $0) && part.newest.unfolded != $0.newest.unfolded
            } ?? false
        }
    }

    var result: CalendarObject {
        let (areBoth, isNewer) = (areBoth, isNewer)
        let new = mine.filter { $0.isAlone || !areBoth || isNewer }
        let old = theirs.filter { $0.isAlone || !areBoth || !isNewer }
        return object(
            of: isNewer ? united(new, old, isNews: true) : united(old, new, isNews: false),
            isNews: isNewer)
    }

    /// The newer version of each part, in the order of the first parts.
    private func united(
        _ first: [CalendarVersions], _ more: [CalendarVersions], isNews: Bool
    ) -> [CalendarComponent] {
        let others = Dictionary(more.map { ($0.part, $0) }) { $1 }
        let names = Set(first.map(\.part))
        let parts =
            first.map { part -> CalendarVersions in
                guard let other = others[part.part] else { return part }
                let (new, old) = isNews ? (part, other) : (other, part)
                return new.isOlder(than: old) ? old : new
            } + more.filter { !names.contains($0.part) }
        return parts.flatMap(\.components)
    }

    private func object(of components: [CalendarComponent], isNews: Bool) -> CalendarObject {
        let (base, other) = isNews ? (news, known) : (known, news)
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

extension CalendarVersions {
    /// The name of the part of the object that these versions describe.
    fileprivate var part: [String] { [date, isAlone ? "alone" : ""] }

    /// True if they describe the whole series.
    fileprivate var isDescription: Bool { isWhole && !isAlone }
}

extension CalendarComponent {
    /// The property that marks a component whose file did not describe the series. It is never
    /// written to a file.
    private static let aloneName = "X-LETSMEET-ALONE"

    /// True for a component whose file did not describe the series.
    var isAlone: Bool { line(Self.aloneName) != nil }

    /// True for a component that describes its whole series.
    fileprivate var isDescription: Bool { !isAlone && line("RECURRENCE-ID") == nil }

    /// True for a cancelled component.
    var isCancelled: Bool { line("STATUS")?.plainText.uppercased() == "CANCELLED" }

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
    ///   - own: the zone of times without a zone.
    ///   - zones: the zones of the calendar object.
    ///   - directory: the zone rules of the system.
    /// - Returns: the name, the same however the date is written; empty for the whole series.
    func dateName(
        from start: StatedTime?, in own: Zone, by zones: CalendarZones,
        _ directory: ZoneDirectory
    ) -> String {
        guard let written = line("RECURRENCE-ID") else { return "" }
        let range = written.parameter("RANGE").map { " \($0.uppercased())" } ?? ""
        let line = asMeant(inDays: start?.isDay ?? isOfDays).line("RECURRENCE-ID") ?? written
        guard let stated = StatedTime(line, by: zones, directory) else {
            return line.plainText + range
        }
        let original = start.flatMap(stated.atTime) ?? stated
        let clock = start?.clock(else: own) ?? own
        return original.isDay
            ? "\(original.stamp)\(range)"
            : "\(CalendarStamp.utc(original.moment(in: clock)))\(range)"
    }
}

extension CalendarObject {
    /// Adds the components of another object with the same UID.
    ///
    /// - Parameters:
    ///   - other: the other object, of another calendar.
    ///   - directory: the zone rules of the system.
    mutating func add(_ other: CalendarObject, by directory: ZoneDirectory) {
        let object = other.withZones(besides: zones, by: directory)
        for zone in object.zones where !zones.contains(where: { $0.isOfSameName(as: zone) }) {
            add(zone)
        }
        components += object.components
    }

    /// The object with other names for zones that another object describes differently, so that
    /// both can stand in one.
    fileprivate func withZones(
        besides known: [CalendarComponent], by directory: ZoneDirectory
    ) -> CalendarObject {
        var object = self
        for zone in zones where !CalendarZones.isKnown(zone.zoneName, by: directory) {
            let name = zone.zoneName
            func isFree(_ name: String) -> Bool {
                known.first { $0.zoneName == name }.map { $0.hasRules(of: zone) } ?? true
            }
            let other = (1...).lazy.map { $0 == 1 ? name : "\(name) \($0)" }.first(where: isFree)
            if let other, other != name { object.rename(zone: name, to: other) }
        }
        return object
    }
}

extension CalendarComponent {
    /// True if both describe a zone with the same rules, whatever its name.
    fileprivate func hasRules(of other: CalendarComponent) -> Bool {
        components.map(\.unfolded) == other.components.map(\.unfolded)
    }
}
