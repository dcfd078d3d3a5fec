public import Timekeeping

/// All components of a calendar with the same UID: an event with its changed occurrences, a task,
/// or a component of another kind (RFC 4791, 4.1).
public struct CalendarObject: Equatable, Sendable {
    /// The component name in capitals: `VEVENT`.
    public let kind: String
    /// The permanent UID; empty if there is none.
    public let uid: String
    /// The components, in the order of the file.
    public internal(set) var components: [CalendarComponent]
    /// The zones that the components name, as the file describes them.
    public private(set) var zones: [CalendarComponent] {
        didSet { sharedRules = nil }
    }
    /// The properties of the whole calendar, which apply to all its contents.
    public let head: [CalendarLine]
    /// The octets of the properties and zones of the calendar, which are stored with each object.
    public private(set) var copiedOctets = 0
    /// The rules of the zones, if they were read once for all objects of the calendar.
    private var sharedRules: CalendarZones?

    /// The objects in a calendar, in the order of their first appearance.
    ///
    /// A component without a UID is an object by itself.
    public static func all(in calendar: CalendarComponent) -> [CalendarObject] {
        let zones = Dictionary(
            grouping: calendar.components.filter { $0.name == "VTIMEZONE" }, by: \.zoneName)
        let rules = CalendarZones(calendar)
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
        let head = calendar.keptHead
        let headOctets = head.reduce(0) { $0 + $1.octetCount }
        let zoneOctets = zones.compactMapValues { $0.first?.unfolded.utf8.count }
        return objects.map { uid, components in
            let named = Set(components.flatMap(\.zoneNames))
            var object = CalendarObject(
                kind: components[0].name, uid: uid, components: components,
                // Of several descriptions of a zone, the first one counts.
                zones: named.compactMap { zones[$0]?.first }.sorted { $0.number < $1.number },
                head: head)
            object.sharedRules = rules
            object.copiedOctets = named.reduce(headOctets) { $0 + (zoneOctets[$1] ?? 0) }
            return object
        }
    }

    /// The first object of a calendar in the form of ``text``; `nil` if there is none.
    public init?(text: String) {
        guard let calendar = CalendarReader.read(Array(text.utf8)).calendars.first,
            let only = Self.all(in: calendar).first
        else { return nil }
        self = only
    }

    init(
        kind: String, uid: String, components: [CalendarComponent], zones: [CalendarComponent],
        head: [CalendarLine], copiedOctets: Int = 0
    ) {
        self.copiedOctets = copiedOctets
        self.kind = kind
        self.uid = uid
        self.components = components
        self.zones = zones
        self.head = head
    }

    /// A calendar that holds only this object. Its lines are not folded, so that text can be
    /// searched.
    public var text: String { calendar.unfolded }

    /// The text without the properties that only distinguish versions.
    public var content: String {
        var object = self
        object.components = components.map {
            $0.replacing(["DTSTAMP", "SEQUENCE", "CREATED", "LAST-MODIFIED"], by: [])
        }
        return object.text
    }

    /// True if the object describes more than single occurrences of a series.
    public var isWhole: Bool { components.contains { $0.line("RECURRENCE-ID") == nil } }

    /// True if the object describes nothing but changes of all later dates of a series.
    public var isOfFollowing: Bool {
        components.allSatisfy {
            $0.line("RECURRENCE-ID")?.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
        }
    }

    /// True if nobody can tell which dates of a series the object changes, because they are named
    /// in an unknown zone, and the series is in another.
    ///
    /// - Parameters:
    ///   - series: an object with the series.
    ///   - directory: the zone rules of the system.
    /// - Returns: true if this is so for every component.
    public func isUnclear(besides series: CalendarObject, by directory: ZoneDirectory) -> Bool {
        let zones = zoneRules
        return components.allSatisfy { $0.isUnclear(besides: series, by: zones, directory) }
    }

    /// The revision: the highest SEQUENCE of the components.
    public var sequence: Int { components.map(\.sequence).max() ?? 0 }

    /// The zones in which the object states its times.
    public var zoneRules: CalendarZones { sharedRules ?? CalendarZones(calendar) }

    /// True if both objects have the same contents.
    public static func == (one: CalendarObject, other: CalendarObject) -> Bool {
        one.kind == other.kind && one.uid == other.uid && one.components == other.components
            && one.zones == other.zones && one.head == other.head
    }

    /// A calendar that holds only this object.
    public var calendar: CalendarComponent {
        CalendarComponent("VCALENDAR", head, zones + components)
    }

    /// The object with the given UID.
    public func named(_ uid: String) -> CalendarObject {
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
            }, zones: zones, head: head, copiedOctets: copiedOctets)
    }

    /// The object marked as cancelled.
    ///
    /// - Parameter message: the cancellation, which may hold nothing but the identification (RFC
    ///   5546, 3.2.5).
    /// - Returns: the known object with the status cancelled and the version of the message.
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

    /// True if both objects have the same content, apart from their versions and the programs that
    /// wrote them.
    ///
    /// - Parameters:
    ///   - other: the other object.
    ///   - directory: the zone rules of the system; descriptions of zones in it are ignored.
    /// - Returns: true if nothing else differs.
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

    /// The title in quotation marks, or the component name if there is no title.
    public var title: String {
        let summary = components.lazy.compactMap { $0.line("SUMMARY")?.text }.first { !$0.isEmpty }
        return summary.map { "\"\($0)\"" } ?? kind
    }

    /// Renames one of the zones.
    mutating func rename(zone name: String, to other: String) {
        zones = zones.map { zone in
            guard zone.line("TZID")?.text == name else { return zone }
            return zone.replacing(["TZID"], by: [CalendarLine("TZID", text: other)])
        }
        components = components.map { $0.naming(zones: [name: other]) }
    }

    mutating func add(_ zone: CalendarComponent) { zones.append(zone) }

    /// The line of the file on which the object begins, counted from 1.
    public var number: Int { components.first?.number ?? 1 }
}

extension CalendarComponent {
    /// True if both describe a zone of the same name.
    func isOfSameName(as other: CalendarComponent) -> Bool { zoneName == other.zoneName }

    /// The name of the zone that the component describes; empty if it describes none.
    var zoneName: String { line("TZID")?.text ?? "" }

    /// The names of the zones used in the component and in its nested components.
    var zoneNames: [String] {
        lines.compactMap { $0.parameter("TZID") } + components.flatMap(\.zoneNames)
    }

    /// A calendar object whose properties name zones exactly as they are described. The case of
    /// parameters does not count (RFC 5545, 2), and blanks after commas are lost without quotes.
    /// Some programs quote the described name, or another parameter together with the name.
    var namingDescribedZones: CalendarComponent {
        let names = components.filter { $0.name == "VTIMEZONE" }.map(\.zoneName)
        guard !names.isEmpty else { return self }
        func folded(_ name: String) -> String {
            let plain = name.lowercased().replacing(", ", with: ",").filter { $0 != "\"" }
            return plain.replacing(/;value=.*/, with: "")
        }
        let described = Dictionary(names.map { (folded($0), $0) }) { first, _ in first }
        let others = Set(zoneNames).subtracting(names).compactMap { name in
            described[folded(name)].map { (name, $0) }
        }
        return others.isEmpty ? self : naming(zones: Dictionary(others) { $1 })
    }

    /// The component with some of its zones renamed.
    ///
    /// - Parameter names: the new names by the old ones.
    /// - Returns: the component with the new names.
    fileprivate func naming(zones names: [String: String]) -> CalendarComponent {
        var component = self
        component.items = items.map { item in
            switch item {
            case .line(let line): .line(line.naming(zones: names))
            case .component(let inner): .component(inner.naming(zones: names))
            }
        }
        return component
    }

    /// The component as text, with unfolded lines.
    var unfolded: String {
        var text = ""
        append(unfoldedTo: &text)
        return text
    }

    private func append(unfoldedTo text: inout String) {
        text += "BEGIN:\(name)\r\n"
        for item in items {
            switch item {
            case .line(let line):
                text += line.unfolded
                text += "\r\n"
            case .component(let component): component.append(unfoldedTo: &text)
            }
        }
        text += "END:\(name)\r\n"
    }

    /// The component with the properties of some names replaced.
    ///
    /// - Parameters:
    ///   - names: the names of the properties to remove, in capitals.
    ///   - lines: the properties to insert at the place of the first removed one.
    /// - Returns: the component; all other contents keep their form and place.
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
