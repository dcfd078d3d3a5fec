/// A component of a calendar object (RFC 5545, 3.6) with all its contents, in their original order.
public struct CalendarComponent: Equatable, Sendable {
    /// One part of the contents of a component.
    public enum Item: Equatable, Sendable {
        /// A property.
        case line(CalendarLine)
        /// A nested component.
        case component(CalendarComponent)
    }

    /// The name in capitals: `VEVENT`.
    public let name: String
    /// The line of the file on which the component begins, counted from 1; 0 if it was not read
    /// from a file.
    public let number: Int
    /// The contents.
    public internal(set) var items: [Item]

    init(
        _ name: String, at number: Int = 0, _ lines: [CalendarLine] = [],
        _ components: [CalendarComponent] = []
    ) {
        self.name = name
        self.number = number
        items = lines.map(Item.line) + components.map(Item.component)
    }

    /// The properties.
    public var lines: [CalendarLine] {
        items.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }

    /// The nested components.
    public var components: [CalendarComponent] {
        items.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// The properties of a name, which must be in capitals.
    public func lines(_ name: String) -> [CalendarLine] { lines.filter { $0.name == name } }

    /// The first property of a name, which must be in capitals.
    public func line(_ name: String) -> CalendarLine? {
        for case .line(let line) in items where line.name == name { return line }
        return nil
    }

    /// The component as it is written to a file: lines end with CRLF and have at most 75 octets.
    public var octets: [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    /// Appends the component with its BEGIN and END lines, in the strict form of RFC 5545.
    func append(to output: inout [UInt8]) {
        CalendarLine("BEGIN", raw: name).append(to: &output)
        for item in items {
            switch item {
            case .line(let line): line.append(to: &output)
            case .component(let component): component.append(to: &output)
            }
        }
        CalendarLine("END", raw: name).append(to: &output)
    }
}

extension CalendarComponent {
    /// The most properties of a calendar that are kept with each of its objects.
    static let headLinesMax = 200
    /// The largest size of all these properties together, in bytes of UTF-8.
    static let headOctetsMax = 16 << 10

    /// The properties of a calendar that are kept with each of its objects: the first ones that fit
    /// into the limits. Without limits, a file of 48 MiB could become one of terabytes.
    var keptHead: [CalendarLine] { dividedHead.kept }

    /// The first property of a calendar that is not kept with its objects; `nil` if all are.
    var firstUnkept: CalendarLine? { dividedHead.unkept }

    private var dividedHead: (kept: [CalendarLine], unkept: CalendarLine?) {
        var (kept, unkept): ([CalendarLine], CalendarLine?) = ([], nil)
        var octets = 0
        for line in lines {
            let size = line.octetCount
            if kept.count < Self.headLinesMax, octets + size <= Self.headOctetsMax {
                octets += size
                kept.append(line)
            } else {
                unkept = unkept ?? line
            }
        }
        return (kept, unkept)
    }
}
