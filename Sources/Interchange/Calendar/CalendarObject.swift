public import Timekeeping

/// All that a calendar says of one thing: an event with the dates of it that are otherwise, a task,
/// or what no program here reads (RFC 4791, 4.1).
public struct CalendarObject: Equatable, Sendable {
    /// In capitals: `VEVENT`.
    public let kind: String
    /// Its name for ever; empty where it has none.
    public let uid: String
    /// It and its dates, in their order.
    public internal(set) var components: [CalendarComponent]
    /// The zones that it names, as its file describes them.
    public private(set) var zones: [CalendarComponent]
    /// What else its file says of all that is in it.
    public let head: [CalendarLine]

    /// The things in a calendar, in the order in which they first come.
    ///
    /// What has no name of its own is a thing by itself, whatever it is.
    public static func all(in calendar: CalendarComponent) -> [CalendarObject] {
        let zones = calendar.components.filter { $0.name == "VTIMEZONE" }
        var places: [[String]: Int] = [:]
        var objects: [(uid: String, components: [CalendarComponent])] = []
        for component in calendar.components where component.name != "VTIMEZONE" {
            let uid = component.line("UID")?.text ?? ""
            if let place = places[[component.name, uid]], !uid.isEmpty {
                objects[place].components.append(component)
            } else {
                places[[component.name, uid]] = objects.count
                objects.append((uid, [component]))
            }
        }
        let head = calendar.lines
        return objects.map { uid, components in
            let named = Set(components.flatMap(\.zoneNames))
            return CalendarObject(
                kind: components[0].name, uid: uid, components: components,
                zones: zones.filter { named.contains($0.zoneName) },
                head: head)
        }
    }

    /// The thing that a calendar holds alone, as ``text`` has it; `nil` where there is none.
    public init?(text: String) {
        guard let calendar = CalendarReader.read(Array(text.utf8)).calendars.first,
            let only = Self.all(in: calendar).first
        else { return nil }
        self = only
    }

    init(
        kind: String, uid: String, components: [CalendarComponent], zones: [CalendarComponent],
        head: [CalendarLine]
    ) {
        self.kind = kind
        self.uid = uid
        self.components = components
        self.zones = zones
        self.head = head
    }

    /// A calendar with it alone, whose lines are not folded: what is looked for in it is found.
    public var text: String { calendar.unfolded }

    /// The same without what only tells versions of it apart.
    public var content: String {
        var object = self
        object.components = components.map {
            $0.replacing(["DTSTAMP", "SEQUENCE", "CREATED", "LAST-MODIFIED"], by: [])
        }
        return object.text
    }

    /// Whether it says more than what is so on single dates.
    public var isWhole: Bool { components.contains { $0.line("RECURRENCE-ID") == nil } }

    /// How often it was changed: the most that is said of any of it.
    public var sequence: Int { components.map(\.sequence).max() ?? 0 }

    /// A calendar with it alone.
    public var calendar: CalendarComponent {
        CalendarComponent("VCALENDAR", head, zones + components)
    }

    /// The same with a name, where it has none.
    public func named(_ uid: String) -> CalendarObject {
        guard self.uid.isEmpty else { return self }
        let line = CalendarComponent.Item.line(CalendarLine("UID", text: uid))
        return CalendarObject(
            kind: kind, uid: uid,
            components: components.map { component in
                var component = component
                component.items.removeAll {
                    if case .line(let line) = $0 { line.name == "UID" } else { false }
                }
                component.items.insert(line, at: 0)
                return component
            }, zones: zones, head: head)
    }

    /// The same, where it is off.
    ///
    /// - Parameter message: what says so; it tells no more than that (RFC 5546, 3.2.5).
    /// - Returns: all that was known, as of the version of the message.
    public func cancelled(by message: CalendarObject) -> CalendarObject {
        let said = message.components.first
        let stamps = ["DTSTAMP", "SEQUENCE"].compactMap { said?.line($0) }
        var object = self
        object.components = components.map { component in
            stamps.reduce(
                component.replacing(["STATUS"], by: [CalendarLine("STATUS", raw: "CANCELLED")])
            ) { $0.replacing([$1.name], by: [$1]) }
        }
        return object
    }

    /// What an object says now that was known before: single dates of a series are told without the
    /// rest of it (RFC 5546, 3.2.2).
    ///
    /// - Parameters:
    ///   - known: what was known.
    ///   - directory: the zone rules of the system.
    /// - Returns: what was known, but for the dates that this one names, where it names nothing
    ///   else; else this one, with what was told of single dates since it was written.
    public func following(
        _ known: CalendarObject, by directory: ZoneDirectory
    ) -> CalendarObject {
        // A date may be named in UTC, or by the clocks of a zone.
        let named = [self, known].map { CalendarZones($0.calendar) }
        func date(_ component: CalendarComponent) -> String? {
            let zones = named[components.contains(component) ? 0 : 1]
            return component.line("RECURRENCE-ID").map { line in
                StatedTime(line, by: zones, directory)?.words ?? line.plainText
            }
        }
        let dates = Set(components.map(date))
        if let whole = components.last(where: { date($0) == nil }) {
            let news = known.components.filter {
                !dates.contains(date($0)) && $0.isNews(besides: whole)
            }
            return news.isEmpty ? self : adding(news, from: known)
        }
        guard known.isWhole else { return self }
        var object = known
        object.components.removeAll { dates.contains(date($0)) }
        return object.adding(components, from: self)
    }

    /// The same with more components, and what other zones these name.
    private func adding(
        _ more: [CalendarComponent], from other: CalendarObject
    ) -> CalendarObject {
        var object = self
        object.components += more
        for zone in other.zones where !zones.contains(where: { $0.isOfSameName(as: zone) }) {
            object.add(zone)
        }
        return object
    }

    /// Whether it says what another says, whichever program wrote it, and as of which version.
    ///
    /// - Parameters:
    ///   - other: the other.
    ///   - directory: the zone rules of the system; what describes their zones tells nothing.
    /// - Returns: whether nothing else is other.
    public func saysSame(as other: CalendarObject, by directory: ZoneDirectory) -> Bool {
        let described = Set(zones.map(\.zoneName)).intersection(other.zones.map(\.zoneName))
            .filter { !CalendarZones.isKnown($0, by: directory) }
        func plain(_ object: CalendarObject) -> String {
            let left: Set = ["VERSION", "PRODID", "METHOD"]
            return CalendarObject(
                kind: object.kind, uid: object.uid,
                components: object.components.map { $0.replacing(["UID"], by: []) },
                zones: object.zones.filter { described.contains($0.zoneName) },
                head: object.head.filter { !left.contains($0.name) }
                    .sorted { $0.unfolded < $1.unfolded }
            ).content
        }
        return plain(self) == plain(other)
    }

    /// Whether it says what was so before another said what is. The whole goes by its own version,
    /// single dates that come alone by theirs (RFC 5546, 2.1.5).
    public func isOlder(than other: CalendarObject) -> Bool {
        let names = Set(versions.keys).intersection(other.versions.keys)
        let compared = names.contains("") ? [""] : names
        return compared.contains { name in
            guard let own = versions[name], let known = other.versions[name] else { return false }
            guard own.sequence == known.sequence else { return own.sequence < known.sequence }
            guard let stamp = own.stampedAt, let knownStamp = known.stampedAt else { return false }
            return stamp < knownStamp
        }
    }

    /// The newest of what it says of the whole, and of each date, by their names.
    private var versions: [String: CalendarComponent] {
        Dictionary(components.map { ($0.line("RECURRENCE-ID")?.plainText ?? "", $0) }) {
            $0.sequence > $1.sequence ? $0 : $1
        }
    }

    /// What it is about, or what kind of thing it is.
    public var title: String {
        let summary = components.lazy.compactMap { $0.line("SUMMARY")?.text }.first { !$0.isEmpty }
        return summary.map { "“\($0)”" } ?? kind
    }

    /// Calls one of its zones by another name.
    mutating func rename(zone name: String, to other: String) {
        zones = zones.map { zone in
            guard zone.line("TZID")?.text == name else { return zone }
            return zone.replacing(["TZID"], by: [CalendarLine("TZID", text: other)])
        }
        components = components.map { $0.naming(zone: name, otherwise: other) }
    }

    mutating func add(_ zone: CalendarComponent) { zones.append(zone) }

    /// On which line of its file it begins, counted from 1.
    public var number: Int { components.first?.number ?? 1 }
}

extension CalendarComponent {
    /// Whether both describe a zone of the same name.
    func isOfSameName(as other: CalendarComponent) -> Bool { zoneName == other.zoneName }

    /// The name of the zone that it describes; empty where it describes none.
    var zoneName: String { line("TZID")?.text ?? "" }

    /// The zones that it names, in itself and in what stands in it.
    var zoneNames: [String] {
        lines.compactMap { $0.parameter("TZID") } + components.flatMap(\.zoneNames)
    }

    /// The same, where a zone has another name.
    fileprivate func naming(zone name: String, otherwise other: String) -> CalendarComponent {
        var component = self
        component.items = items.map { item in
            switch item {
            case .line(let line): .line(line.naming(zone: name, otherwise: other))
            case .component(let inner): .component(inner.naming(zone: name, otherwise: other))
            }
        }
        return component
    }

    /// The component with each of its lines whole.
    var unfolded: String {
        let within = items.map { item in
            switch item {
            case .line(let line): line.unfolded + "\r\n"
            case .component(let component): component.unfolded
            }
        }
        return "BEGIN:\(name)\r\n\(within.joined())END:\(name)\r\n"
    }

    /// The same, where the properties of some names are others.
    ///
    /// - Parameters:
    ///   - names: which of its properties are left out, in capitals.
    ///   - lines: what stands in their place, where the first of them stood.
    /// - Returns: the component; all else of it is as it was, and where it was.
    func replacing(_ names: Set<String>, by lines: [CalendarLine]) -> CalendarComponent {
        func isReplaced(_ item: Item) -> Bool {
            if case .line(let line) = item { names.contains(line.name) } else { false }
        }
        let place =
            items.firstIndex(where: isReplaced)
            ?? items.firstIndex { if case .component = $0 { true } else { false } } ?? items.count
        var component = self
        component.items.insert(contentsOf: lines.map(Item.line), at: place)
        let added = place..<place + lines.count
        component.items = component.items.enumerated()
            .filter { added.contains($0.offset) || !isReplaced($0.element) }.map(\.element)
        return component
    }
}
