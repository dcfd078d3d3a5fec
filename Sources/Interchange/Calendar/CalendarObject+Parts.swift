public import Timekeeping

extension CalendarObject {
    /// The separator between the UID of a series and the date from which a continuation begins.
    private static let continuationMark = "+from="

    /// The UID of the original series, if a UID belongs to a continuation; `nil` otherwise.
    ///
    /// - Parameter uid: a UID that ``parts(by:)`` may have created.
    /// - Returns: the UID of the original series.
    public static func wholeUID(of uid: String) -> String? {
        uid.lastRange(of: continuationMark).map { String(uid[..<$0.lowerBound]) }
    }

    /// The original date with which a continuation begins.
    static func continuationStart(of uid: String) -> CalendarStamp? {
        uid.lastRange(of: continuationMark).flatMap { CalendarStamp(uid[$0.upperBound...]) }
    }

    /// The series split at each change that applies to all later occurrences (RFC 5545, 3.2.13): a
    /// series that ends before the change, and a continuation with its own UID.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the parts in the order of their dates; the object itself if there is no such
    ///   change, if it does not have exactly one recurrence rule, or if a part cannot be described
    ///   by a rule.
    public func parts(by directory: ZoneDirectory) -> [CalendarObject] {
        var left = Self.comparedDatesMax
        return parts(by: directory, datesLeft: &left)
    }

    /// The most dates that are compared to split all series of a calendar. Ten series that took
    /// place every day for ten years, and were changed ten times each, need 200,000.
    public static let comparedDatesMax = 1_000_000

    /// The series split at each change that applies to all later occurrences: see ``parts(by:)``.
    ///
    /// - Parameters:
    ///   - directory: the zone rules of the system.
    ///   - left: the number of dates that may still be compared. A series that needs more is not
    ///     split.
    /// - Returns: the parts.
    public func parts(by directory: ZoneDirectory, datesLeft left: inout Int) -> [CalendarObject] {
        // Most objects have no such change, and reading zones is slow.
        let isMeant = components.contains {
            $0.line("RECURRENCE-ID")?.parameter("RANGE") != nil
        }
        guard isMeant, left > 0, let parting = CalendarParting(self, directory) else {
            return [self]
        }
        return parting.parts(datesLeft: &left) ?? [self]
    }

    fileprivate func continuationUID(from original: CalendarStamp) -> String {
        uid + Self.continuationMark + original.description
    }
}

/// Splits a series at the changes that apply to all later occurrences.
private struct CalendarParting {
    private let object: CalendarObject
    private let directory: ZoneDirectory
    private let zones: CalendarZones
    private let whole: CalendarEntry
    private let start: StatedTime
    private let rule: RecurrenceRule?
    /// The zone in which occurrences are identified.
    private let clock: Zone
    /// The changes at which the series is split, in order.
    private let cuts: [CalendarEntry]
    /// The changes to single occurrences.
    private let dates: [CalendarEntry]

    init?(_ object: CalendarObject, _ directory: ZoneDirectory) {
        let zones = object.zoneRules
        let entries = object.entries(by: zones, directory)
        let isCut = { (entry: CalendarEntry) in entry.isOfFollowing && entry.recurrenceID != nil }
        guard entries.contains(where: isCut),
            let whole = entries.filter({ $0.recurrenceID == nil }).newest,
            let start = whole.start, whole.component.lines("RRULE").count == 1
        else { return nil }
        self.object = object
        self.directory = directory
        self.zones = zones
        self.whole = whole
        self.start = start
        rule = whole.component.line("RRULE").flatMap { try? RecurrenceRule($0.plainText) }
        let clock = start.zone ?? .utc
        self.clock = clock
        func original(_ entry: CalendarEntry) -> WallTime? {
            entry.recurrenceID.map { $0.wall(in: clock) }
        }
        let named = Dictionary(grouping: entries.filter(isCut), by: original)
        cuts = named.values.compactMap(\.newest).sorted { left, right in
            guard let left = original(left), let right = original(right) else { return false }
            return left < right
        }
        dates = entries.filter { !isCut($0) && $0.recurrenceID != nil }
    }

    /// A part of the series: its range of original dates and their properties.
    fileprivate struct Part {
        /// The component that describes its occurrences.
        var entry: CalendarEntry
        /// The original date of its first occurrence.
        var first: WallTime
        /// The original date of the first occurrence after the part; `nil` for the last part.
        var end: WallTime?
        /// The shift of its occurrences against the original rule, in seconds of wall-clock time.
        var shift: Int64
        /// The number of occurrences before the part.
        var datesBefore: Int
    }

    func parts(datesLeft left: inout Int) -> [CalendarObject]? {
        guard let rule, let parts = stretches(of: rule, &left) else { return nil }
        // The dates of each part are compared with those of the original rule.
        // So are all changed, added and removed dates with each part.
        left -= parts.map { $0.datesBefore + Self.comparedMax + listedCount }.reduce(0, +)
        guard left >= 0 else { return nil }
        let objects = parts.compactMap { part in
            self.rule(rule, of: part).map { object(of: part, by: $0) }
        }
        return objects.count == parts.count ? objects : nil
    }

    /// The number of changed, added and removed dates.
    private var listedCount: Int {
        let lines = ["RDATE", "EXDATE"].flatMap { whole.component.lines($0) }
        return lines.reduce(dates.count) { $0 + 1 + $1.value.utf8.count { $0 == .comma } }
    }

    /// The recurrence rule of a part; `nil` if no rule can express it.
    private func rule(_ all: RecurrenceRule, of part: Part) -> RecurrenceRule? {
        var rule = all
        // The end of a rule is shifted like its dates: in wall-clock time.
        switch (part.end, all.end) {
        case (let end?, _):
            rule.end = .until(.wall(WallTime(secondsSince1970: end.secondsSince1970 - 1)))
        case (nil, .count(let count)): rule.end = .count(count - part.datesBefore)
        case (nil, .until(.utc(let moment))): rule.end = .until(.wall(clock.wallTime(at: moment)))
        case (nil, .until), (nil, .never): break
        }
        let first = WallTime(secondsSince1970: part.first.secondsSince1970 + part.shift)
        guard var moved = part.shift == 0 ? rule : rule.moved(from: part.first, to: first) else {
            return nil
        }
        if case .until(.wall(let last)) = moved.end {
            moved.end = .until(start.end(at: last, clock))
        }
        return part.shift == 0 || hasSameDates(moved, part, as: all) ? moved : nil
    }

    /// True if the dates of a moved rule are the moved dates of the original one. They are not if
    /// the 31st of each month becomes the 1st, because not every month has a 31st.
    private func hasSameDates(
        _ moved: RecurrenceRule, _ part: Part, as all: RecurrenceRule
    ) -> Bool {
        let first = WallTime(secondsSince1970: part.first.secondsSince1970 + part.shift)
        let zone = start.isDay ? nil : clock
        guard let old = try? Recurrence(start: start.stamp, in: zone, rule: all),
            let new = try? Recurrence(start: start.stamp(of: first), in: zone, rule: moved)
        else { return false }
        return zip(new.prefix(Self.comparedMax), old.dropFirst(part.datesBefore)).allSatisfy {
            $0.original.secondsSince1970 == $1.original.secondsSince1970 + part.shift
        }
    }

    /// The most dates of a moved rule that are compared.
    private static let comparedMax = 60

    private func stretches(of rule: RecurrenceRule, _ datesLeft: inout Int) -> [Part]? {
        var parts = [
            Part(entry: whole, first: start.wall(in: clock), shift: 0, datesBefore: 0)
        ]
        let zone = start.isDay ? nil : clock
        guard let recurrence = try? Recurrence(start: start.stamp, in: zone, rule: rule) else {
            return nil
        }
        var left = cuts[...]
        for (number, date) in recurrence.prefix(min(Self.datesMax, datesLeft)).enumerated() {
            datesLeft -= 1
            // The changes are in order, so one that was passed is at no date of the series.
            guard let cut = left.first, let named = cut.recurrenceID,
                named.wall(in: clock) >= date.original
            else { break }
            guard date.original == named.wall(in: clock) else { continue }
            left.removeFirst()
            let shown = (cut.start ?? named).wall(in: clock)
            let shift = shown.secondsSince1970 - date.original.secondsSince1970
            let part = Part(entry: cut, first: date.original, shift: shift, datesBefore: number)
            // A change at the first occurrence leaves nothing before it.
            if number == 0 { parts.removeLast() }
            parts.indices.last.map { parts[$0].end = date.original }
            parts.append(part)
        }
        return left.isEmpty ? parts : nil
    }

    /// The most occurrences examined to find the changes.
    private static let datesMax = 40_000

    private func object(of part: Part, by rule: RecurrenceRule) -> CalendarObject {
        let isFirst = part.datesBefore == 0
        let uid =
            isFirst ? object.uid : object.continuationUID(from: start.stamp(of: part.first))
        let name = [CalendarLine("UID", text: uid)]
        var main = part.entry.component
            .replacing(["RRULE"], by: [CalendarLine("RRULE", raw: rule.description)])
        if part.entry.recurrenceID != nil {
            let from = main.line("DTSTART") ?? main.line("RECURRENCE-ID")?.named("DTSTART")
            main = main.replacing(["DTSTART"], by: [from].compactMap(\.self))
                .replacing(["RECURRENCE-ID"], by: [])
        }
        for list in ["RDATE", "EXDATE"] {
            let lines = whole.component.lines(list).compactMap { kept($0, in: part) }
            main = main.replacing([list], by: lines)
        }
        let single = dates.filter { entry in
            entry.recurrenceID.map { part.contains($0.wall(in: clock)) } ?? false
        }.map { entry in
            let line = entry.component.line("RECURRENCE-ID").flatMap { kept($0, in: part) }
            return entry.component.replacing(["RECURRENCE-ID"], by: [line].compactMap(\.self))
        }
        let components = [main] + single
        return CalendarObject(
            kind: object.kind, uid: uid,
            components: isFirst ? components : components.map { $0.replacing(["UID"], by: name) },
            zones: object.zones, head: object.head, copiedOctets: object.copiedOctets)
    }

    /// A property reduced to its times within a part, shifted like the part; `nil` if none of its
    /// times are in the part.
    private func kept(_ line: CalendarLine, in part: Part) -> CalendarLine? {
        let texts = line.plainText.split(separator: ",")
        let zone = line.parameter("TZID")
        let values = texts.compactMap { text -> String? in
            let first = text.prefix { $0 != "/" }
            guard let time = StatedTime(first, zone: zone, by: zones, directory),
                part.contains(time.wall(in: clock))
            else { return nil }
            let moved = time.moved(bySeconds: part.shift, in: clock)
            return moved.description + text.dropFirst(first.count)
        }
        guard !values.isEmpty else { return nil }
        let value = values.joined(separator: ",")
        return value == line.plainText ? line : line.saying(value)
    }
}

extension CalendarParting.Part {
    /// True if an original date of the series falls into this part.
    func contains(_ original: WallTime) -> Bool {
        original >= first && end.map { original < $0 } ?? true
    }
}

extension StatedTime {
    /// A wall-clock time as a stamp of the same kind as this one, to identify an occurrence.
    fileprivate func stamp(of wall: WallTime) -> CalendarStamp {
        isDay ? .day(wall.date) : .wall(wall)
    }

    /// The end of a rule at a wall-clock time, in the form that RFC 5545, 3.3.10 requires for a
    /// rule with this start.
    fileprivate func end(at wall: WallTime, _ clock: Zone) -> CalendarStamp {
        switch stamp {
        case .day: .day(wall.date)
        case .wall where zone == nil: .wall(wall)
        case .wall, .utc: .utc(clock.moment(of: wall))
        }
    }

    /// The time shifted by a number of wall-clock seconds in a zone, in its original form.
    func moved(bySeconds seconds: Int64, in clock: Zone) -> CalendarStamp {
        guard seconds != 0 else { return stamp }
        let later = WallTime(secondsSince1970: wall(in: clock).secondsSince1970 + seconds)
        switch stamp {
        case .day: return .day(later.date)
        case .utc: return .utc(clock.moment(of: later))
        case .wall where zone == nil || zone == clock: return .wall(later)
        case .wall: return .wall(zone?.wallTime(at: clock.moment(of: later)) ?? later)
        }
    }
}

extension String {
    /// The range of the last appearance of another text.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        indices.reversed().lazy.compactMap { start -> Range<Index>? in
            guard self[start...].hasPrefix(text) else { return nil }
            return start..<self.index(start, offsetBy: text.count)
        }.first
    }
}
