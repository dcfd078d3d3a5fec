public import Timekeeping

extension CalendarObject {
    /// What parts the name of what goes on from the date on which it does.
    private static let continuationMark = "+from="

    /// Of what it is what goes on; `nil` where it is no such thing.
    ///
    /// - Parameter uid: a name that ``parts(by:)`` may have given.
    /// - Returns: the name of the whole.
    public static func wholeUID(of uid: String) -> String? {
        uid.lastRange(of: continuationMark).map { String(uid[..<$0.lowerBound]) }
    }

    /// The things that it is where all dates from one of it on are otherwise (RFC 5545, 3.2.13):
    /// what ends before that date, and what goes on in its place, with a name of its own.
    ///
    /// - Parameter directory: the zone rules of the system.
    /// - Returns: the parts, in the order of their dates; it alone where nothing parts it, where it
    ///   does not say by which rule it repeats, or where what goes on has no rule.
    public func parts(by directory: ZoneDirectory) -> [CalendarObject] {
        // Most have none; to read zones takes long.
        let isMeant = components.contains {
            $0.line("RECURRENCE-ID")?.parameter("RANGE") != nil
        }
        return isMeant ? CalendarParting(self, directory)?.parts() ?? [self] : [self]
    }

    fileprivate func continuationUID(from original: CalendarStamp) -> String {
        uid + Self.continuationMark + original.description
    }
}

/// Parts a series where all that follows a date is otherwise.
private struct CalendarParting {
    private let object: CalendarObject
    private let directory: ZoneDirectory
    private let zones: CalendarZones
    private let whole: CalendarEntry
    private let start: StatedTime
    private let rule: RecurrenceRule?
    /// By whose clocks its dates are named.
    private let clock: Zone
    /// The dates from which on all is otherwise, in their order.
    private let cuts: [CalendarEntry]
    /// What is otherwise on one date alone.
    private let dates: [CalendarEntry]

    init?(_ object: CalendarObject, _ directory: ZoneDirectory) {
        let zones = CalendarZones(object.calendar)
        let entries = object.components.map { CalendarEntry($0, by: zones, directory) }
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

    /// A part: which dates by the rule are in it, and how they are.
    fileprivate struct Part {
        /// What its dates are like.
        var entry: CalendarEntry
        /// Its first date by the rule of the whole.
        var first: WallTime
        /// The first one behind it.
        var end: WallTime?
        /// By how many seconds its dates are later on the wall than by the rule.
        var shift: Int64
        /// How many dates come before it.
        var datesBefore: Int
    }

    func parts() -> [CalendarObject]? {
        guard let rule, let parts = stretches(of: rule) else { return nil }
        let objects = parts.compactMap { part in
            self.rule(rule, of: part).map { object(of: part, by: $0) }
        }
        return objects.count == parts.count ? objects : nil
    }

    /// The rule of a part; `nil` where no rule says that.
    private func rule(_ all: RecurrenceRule, of part: Part) -> RecurrenceRule? {
        var rule = all
        // Ends are moved as dates are: on the wall.
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
        return moved
    }

    private func stretches(of rule: RecurrenceRule) -> [Part]? {
        var parts = [
            Part(entry: whole, first: start.wall(in: clock), shift: 0, datesBefore: 0)
        ]
        let zone = start.isDay ? nil : clock
        guard let recurrence = try? Recurrence(start: start.stamp, in: zone, rule: rule) else {
            return nil
        }
        var left = cuts[...]
        for (number, date) in recurrence.lazy.prefix(Self.datesMax).enumerated() {
            guard let cut = left.first, let named = cut.recurrenceID else { break }
            guard date.original == named.wall(in: clock) else { continue }
            left.removeFirst()
            let shown = (cut.start ?? named).wall(in: clock)
            let shift = shown.secondsSince1970 - date.original.secondsSince1970
            let part = Part(entry: cut, first: date.original, shift: shift, datesBefore: number)
            // From the first date on there is nothing before it.
            if number == 0 { parts.removeLast() }
            parts.indices.last.map { parts[$0].end = date.original }
            parts.append(part)
        }
        return left.isEmpty ? parts : nil
    }

    /// So many dates are looked at to find those from which on all is otherwise.
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
            zones: object.zones, head: object.head)
    }

    /// Of the times that a property names those of a part, as they are named in it; `nil` where it
    /// names none of them.
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
    /// Whether a date by the rule of the whole is one of its.
    func contains(_ original: WallTime) -> Bool {
        original >= first && end.map { original < $0 } ?? true
    }
}

extension StatedTime {
    /// What a clock shows at it; of a day its midnight.
    fileprivate func wall(in clock: Zone) -> WallTime {
        switch stamp {
        case .day(let day): WallTime(date: day, time: .midnight)
        case .wall(let wall) where zone == nil || zone == clock: wall
        case .wall, .utc: clock.wallTime(at: moment(in: clock))
        }
    }

    /// The name of a time on the wall among times of its kind.
    fileprivate func stamp(of wall: WallTime) -> CalendarStamp {
        isDay ? .day(wall.date) : .wall(wall)
    }

    /// The end of a rule at a time on the wall, in the form that what begins so wants (RFC 5545,
    /// 3.3.10).
    fileprivate func end(at wall: WallTime, _ clock: Zone) -> CalendarStamp {
        switch stamp {
        case .day: .day(wall.date)
        case .wall where zone == nil: .wall(wall)
        case .wall, .utc: .utc(clock.moment(of: wall))
        }
    }

    /// The same so much later on the wall of a clock, in the form in which it was.
    fileprivate func moved(bySeconds seconds: Int64, in clock: Zone) -> CalendarStamp {
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
    /// Where another text stands in it for the last time.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        indices.reversed().lazy.compactMap { start -> Range<Index>? in
            guard self[start...].hasPrefix(text) else { return nil }
            return start..<self.index(start, offsetBy: text.count)
        }.first
    }
}
