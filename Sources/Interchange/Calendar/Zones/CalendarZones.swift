import Synchronization
public import Timekeeping

/// The zones in which a calendar object states its times, including those that it describes itself
/// (RFC 5545, 3.6.5).
public struct CalendarZones: Equatable, Sendable {
    /// The described zones by name; `nil` for a zone whose description cannot be read.
    private var described: [String: Zone?] = [:]
    /// The names in the tz database that a description states beside its rules, by the zone.
    private var located: [String: String] = [:]
    /// The zone named by X-WR-TIMEZONE.
    private let usual: String?
    /// The zones that were found already.
    private let found = FoundZones()

    /// The zones of a calendar object.
    public init(_ calendar: CalendarComponent) {
        usual = calendar.line("X-WR-TIMEZONE")?.text
        var left = Zone.describedChangesMax
        for component in calendar.components where component.name == "VTIMEZONE" {
            guard let name = component.line("TZID")?.text, described[name] == nil else { continue }
            described[name] = .some(Zone(named: name, described: component, changesLeft: &left))
            located[name] = component.line("X-LIC-LOCATION")?.text
        }
    }

    /// The zone of a name. The sources are, in this order: the tz database, also if a program added
    /// a prefix of its own ("/example.org/Europe/Paris"), unless the object describes a zone with
    /// other rules under a short name such as "EST"; the description in the object, or the zone of
    /// the tz database that it names (`X-LIC-LOCATION`); the names of Windows, also with a number
    /// that Outlook added; an offset ("GMT+0200"), also with a city ("(UTC+01:00) Amsterdam"); a
    /// POSIX text of a known zone ("CET-1CEST"); other common names ("CEST", "Berlin"); the default
    /// zone of the object, which is a guess: see ``isUnknown(_:by:)``.
    ///
    /// - Parameters:
    ///   - name: the value of TZID.
    ///   - directory: the zone rules of the system.
    /// - Returns: the zone; `nil` if it is unknown, because no offset is guessed.
    public func zone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        named(name, by: directory) ?? usualZone(by: directory)
    }

    /// True if nothing tells the zone of a name, also if times in it are read in the default zone
    /// of the object.
    ///
    /// - Parameters:
    ///   - name: the value of TZID.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if so.
    public func isUnknown(_ name: String, by directory: ZoneDirectory) -> Bool {
        named(name, by: directory) == nil
    }

    private func named(_ name: String, by directory: ZoneDirectory) -> Zone? {
        found.zone(name) { searched(name, by: directory) }
    }

    private func searched(_ name: String, by directory: ZoneDirectory) -> Zone? {
        if let known = trusted(name, by: directory) { return known }
        if let own = described[name] {
            let zone = own ?? located[name].flatMap { Self.known($0, by: directory) }
            // If the description cannot be read, the name counts.
            if let zone { return zone }
        }
        return Self.commonZone(name, by: directory)
            ?? Self.numberedZone(name, by: directory)
    }

    /// The zone of the tz database to whose name a program appended a remark: "Europe/Berlin
    /// (CET)".
    private static func zoneWithRemark(_ name: String, by directory: ZoneDirectory) -> Zone? {
        guard name.contains("/"), let remark = name.firstIndex(of: "("), remark > name.startIndex,
            name[name.index(before: remark)] == " "
        else { return nil }
        return known(String(name[..<name.index(before: remark)]), by: directory)
    }

    /// The zone of a name that is not in the tz database.
    private static func commonZone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        windowsZone(name, by: directory) ?? windowsZone(withoutNumber(name), by: directory)
            ?? Zone(offsetNamed: name, by: directory) ?? directory.zoneOfRule(name)
            ?? CommonZoneNames.zone(name, by: directory) ?? zoneWithRemark(name, by: directory)
    }

    /// A name without the number that Outlook appends to tell zones of the same name apart:
    /// "Central Standard Time 1".
    private static func withoutNumber(_ name: String) -> String {
        let parts = name.split(separator: " ")
        guard parts.count > 1, parts.last?.allSatisfy(\.isNumber) == true else { return name }
        return parts.dropLast().joined(separator: " ")
    }

    /// The zone of the tz database to whose name a program appended a number ("Europe/Berlin-1").
    private static func numberedZone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        guard name.contains("/") else { return nil }
        let plain = name.reversed().drop(while: \.isNumber)
        guard plain.count < name.count, plain.first.map({ " -_".contains($0) }) == true else {
            return nil
        }
        return known(String(plain.dropFirst().reversed()), by: directory)
    }

    /// The zone of the tz database with a name; `nil` if there is none, or if the object describes
    /// something else under a short name such as "GMT", because these are used for many things.
    private func trusted(_ name: String, by directory: ZoneDirectory) -> Zone? {
        found.trusted(name) { checked(name, by: directory) }
    }

    private func checked(_ name: String, by directory: ZoneDirectory) -> Zone? {
        guard let known = Self.known(name, by: directory) else { return nil }
        guard !name.contains("/"), let own = described[name] ?? nil else { return known }
        return Self.isSame(own, as: known) ? known : nil
    }

    /// The years in which a description is compared with a zone of the same short name: from 2020
    /// to 2030.
    private static let comparedYears =
        Moment(seconds: 1_577_836_800)...Moment(seconds: 1_893_456_000)

    /// The zone of a Windows name, independent of any description; `nil` for other names.
    public static func windowsZone(_ name: String, by directory: ZoneDirectory) -> Zone? {
        WindowsZones.identifier(name).flatMap { directory.zoneIfKnown($0) }
    }

    /// The default zone of the object (X-WR-TIMEZONE), if it names a known zone, in any of the ways
    /// of TZID.
    public func usualZone(by directory: ZoneDirectory) -> Zone? {
        guard let name = usual?.filter({ $0 != "\"" }), !name.isEmpty else { return nil }
        return found.usual(name) {
            if let known = Self.known(name, by: directory) { return known }
            let common = Self.commonZone(name, by: directory)
            guard common.map({ Zone.isOffsetAlone($0, named: name) }) ?? true else { return common }
            // The name says at most the offset, so the description with the same name counts.
            return (described[name] ?? nil).flatMap { own in
                same(
                    as: own, from: Self.comparedYears.lowerBound,
                    through: Self.comparedYears.upperBound, besides: own, by: directory)
            } ?? common
        }
    }

    /// True if the object gives nothing but the offset of its default zone, which is used all year.
    func isUsualZoneOffsetAlone(by directory: ZoneDirectory) -> Bool {
        guard let name = usual?.filter({ $0 != "\"" }) else { return false }
        return usualZone(by: directory).map { Zone.isOffsetAlone($0, named: name) } ?? false
    }

    /// The zone with the same offsets as a described zone in all years that count.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the object describes it.
    ///   - moment: the start of the event.
    ///   - repeats: true if the event repeats, so that the next twenty years count; otherwise only
    ///     one year counts.
    ///   - own: the zone to try first.
    ///   - directory: the zone rules of the system.
    /// - Returns: the best-known zone of the tz database with the same offsets; `nil` if there is
    ///   none.
    public func equivalent(
        of zone: Zone, from moment: Moment, repeats: Bool, besides own: Zone,
        by directory: ZoneDirectory
    ) -> Zone? {
        if let known = trusted(zone.id, by: directory) { return known }
        let end = moment.advanced(
            bySeconds: repeats ? CalendarEvent.endlessSeconds : Self.yearSeconds)
        return same(as: zone, from: moment, through: end, besides: own, by: directory)
    }

    /// The zone with the same offsets as a described zone whose description lists single clock
    /// changes and no rule for later years.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the object describes it.
    ///   - moment: the start of the event. The description must have a change after it.
    ///   - own: the zone to try first.
    ///   - directory: the zone rules of the system.
    /// - Returns: the best-known zone of the tz database with the same offsets up to the last
    ///   described change, and this change; `nil` if there is none.
    public func equivalentWhileDescribed(
        of zone: Zone, from moment: Moment, besides own: Zone, by directory: ZoneDirectory
    ) -> (zone: Zone, end: Moment)? {
        let horizon = moment.advanced(bySeconds: CalendarEvent.endlessSeconds)
        guard let last = zone.previousTransition(before: horizon)?.moment, last > moment,
            zone.nextTransition(after: last) == nil
        else { return nil }
        return same(as: zone, from: moment, through: last, besides: own, by: directory)
            .map { ($0, last) }
    }

    /// The zone with the same offsets as a described zone whose last clock change is less than a
    /// year before an event, and which has no rule for later years.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the object describes it.
    ///   - moment: the start of the event.
    ///   - own: the zone to try first.
    ///   - directory: the zone rules of the system.
    /// - Returns: the best-known zone of the tz database with the same offsets from the last two
    ///   described changes on, until the start if there is such a zone, and the last change; `nil`
    ///   if there is none.
    public func equivalentSoFar(
        of zone: Zone, until moment: Moment, besides own: Zone, by directory: ZoneDirectory
    ) -> (zone: Zone, end: Moment)? {
        guard zone.nextTransition(after: moment) == nil,
            let last = zone.previousTransition(before: moment)?.moment,
            moment < last.advanced(bySeconds: Self.yearSeconds)
        else { return nil }
        let first = (zone.previousTransition(before: last)?.moment ?? last)
            .advanced(bySeconds: -Self.daySeconds)
        // Many programs describe one year alone, and the clocks change again before the start.
        let ends = [moment, min(moment, last.advanced(bySeconds: Self.daySeconds))]
        return ends.lazy.compactMap { end in
            same(as: zone, from: first, through: end, besides: own, by: directory)
        }.first.map { ($0, last) }
    }

    private static let daySeconds: Int64 = 86_400

    private func same(
        as zone: Zone, from moment: Moment, through end: Moment, besides own: Zone,
        by directory: ZoneDirectory
    ) -> Zone? {
        // "custom_America/New_York" must not become Grand Turk, which has the same offsets.
        let named =
            [located[zone.id], WindowsZones.identifier(zone.id), usual].compactMap(\.self)
            + (zone.id.contains("/") ? WindowsZones.identifiers.filter(zone.id.contains) : [])
        let wanted = zone.clocks(from: moment, through: end)
        // Most zones differ at once, and comparing all clocks takes long.
        let probes = (0..<4).map { moment.advanced(bySeconds: Int64($0) * Self.quarterSeconds) }
            .filter { $0 <= end }
        let offsets = probes.map { zone.offsetSeconds(at: $0) }
        return ([own.id] + named + WindowsZones.bestKnownFirst).lazy
            .compactMap { directory.zoneIfKnown($0) }
            .first { known in
                zip(probes, offsets).allSatisfy { known.offsetSeconds(at: $0) == $1 }
                    && known.clocks(from: moment, through: end) == wanted
            }
    }

    private static let quarterSeconds: Int64 = 91 * 86_400

    /// A zone with the lasting rules of a described zone.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the object describes it.
    ///   - moment: the start of the event. The next twenty years count.
    ///   - directory: the zone rules of the system.
    /// - Returns: the zone, named by its rules; `nil` if the description has no lasting rules.
    public static func ownRules(
        of zone: Zone, from moment: Moment, by directory: ZoneDirectory
    ) -> Zone? {
        let end = moment.advanced(bySeconds: CalendarEvent.endlessSeconds)
        let wanted = zone.clocks(from: moment, through: end)
        return zone.ruleTexts(from: moment).lazy.compactMap { directory.zoneIfKnown($0) }
            .first { $0.clocks(from: moment, through: end) == wanted }
    }

    private static let yearSeconds: Int64 = 366 * 86_400

    /// True if the object describes a zone of this name but the description cannot be read.
    public func isUnclear(_ name: String) -> Bool { described[name] == .some(nil) }

    /// True if the times in a zone follow the description in the object.
    ///
    /// - Parameters:
    ///   - name: the value of TZID.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if so.
    public func usesDescription(of name: String, by directory: ZoneDirectory) -> Bool {
        (described[name] ?? nil) != nil && trusted(name, by: directory) == nil
    }

    /// True if the object describes a zone of this name.
    public func describes(_ name: String) -> Bool { described[name] != nil }

    /// True if a name is that of a zone in the tz database. A description of such a zone is
    /// ignored.
    static func isKnown(_ name: String, by directory: ZoneDirectory) -> Bool {
        known(name, by: directory) != nil
    }

    /// True if the object describes a zone differently than the tz database does. The rules of the
    /// tz database are used then.
    ///
    /// - Parameters:
    ///   - name: the value of TZID.
    ///   - times: the range of time to compare.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if the offset from UTC differs at any time in this range.
    func isOverruled(
        _ name: String, within times: ClosedRange<Moment>, by directory: ZoneDirectory
    ) -> Bool {
        guard let known = trusted(name, by: directory), let own = described[name] ?? nil else {
            return false
        }
        return own.clocks(from: times.lowerBound, through: times.upperBound)
            != known.clocks(from: times.lowerBound, through: times.upperBound)
    }

    /// True if the object describes a zone differently than its name means: a short name such as
    /// "EST", or one of Windows. The description is used then.
    ///
    /// - Parameters:
    ///   - name: the value of TZID.
    ///   - times: the range of time to compare.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if the offset from UTC differs at any time in this range.
    func differsFromName(
        _ name: String, within times: ClosedRange<Moment>, by directory: ZoneDirectory
    ) -> Bool {
        guard trusted(name, by: directory) == nil, let own = described[name] ?? nil,
            let meant = Self.known(name, by: directory)
                ?? Self.windowsZone(Self.withoutNumber(name), by: directory)
        else { return false }
        return own.clocks(from: times.lowerBound, through: times.upperBound)
            != meant.clocks(from: times.lowerBound, through: times.upperBound)
    }

    private static func isSame(_ own: Zone, as known: Zone) -> Bool {
        let years = comparedYears
        return own.clocks(from: years.lowerBound, through: years.upperBound)
            == known.clocks(from: years.lowerBound, through: years.upperBound)
    }

    private static func known(_ name: String, by directory: ZoneDirectory) -> Zone? {
        // Exchange names UTC so.
        guard name.lowercased() != "tzone://microsoft/utc" else { return .utc }
        // Some programs escape the slash.
        let name = name.replacing("\\/", with: "/")
        let parts = name.split(separator: "/")
        let names =
            [name]
            + [3, 2].filter { $0 < parts.count || name.hasPrefix("/") && $0 == parts.count }
            .map { parts.suffix($0).joined(separator: "/") }
        return names.lazy.compactMap { directory.zoneIfKnown($0) }.first
    }
}

/// The zones that names of one calendar object mean. Finding one may read files and compare years
/// of clock changes, so it is done once for each name.
private final class FoundZones: Sendable, Equatable {
    /// The most names. A calendar with more has been made up, and its other zones are unknown.
    private static let namesMax = 1000

    private let zones = Mutex<[String: Zone?]>([:])
    private let trusted = Mutex<[String: Zone?]>([:])
    private let usual = Mutex<[String: Zone?]>([:])

    func zone(_ name: String, _ search: () -> Zone?) -> Zone? { find(name, in: zones, search) }

    func trusted(_ name: String, _ search: () -> Zone?) -> Zone? {
        find(name, in: trusted, search)
    }

    func usual(_ name: String, _ search: () -> Zone?) -> Zone? { find(name, in: usual, search) }

    private func find(
        _ name: String, in known: borrowing Mutex<[String: Zone?]>, _ search: () -> Zone?
    ) -> Zone? {
        let (zone, count) = known.withLock { ($0[name], $0.count) }
        if let zone { return zone }
        guard count < Self.namesMax else { return nil }
        let new = search()
        known.withLock { $0[name] = .some(new) }
        return new
    }

    /// True: two objects are the same, whatever was found in one of them already.
    static func == (left: FoundZones, right: FoundZones) -> Bool { true }
}

extension Zone {
    /// The offsets from UTC within a range of time: each with its start in milliseconds since 1970
    /// and its size in seconds.
    func clocks(from first: Moment, through last: Moment) -> [[Int64]] {
        var clocks = [[first.milliseconds, Int64(offsetSeconds(at: first))]]
        var moment = first
        while let next = nextTransition(after: moment), next.moment <= last {
            moment = next.moment
            // Some transitions change only the abbreviation.
            guard next.after.offsetSeconds != next.before.offsetSeconds else { continue }
            clocks.append([moment.milliseconds, Int64(next.after.offsetSeconds)])
        }
        return clocks
    }
}
