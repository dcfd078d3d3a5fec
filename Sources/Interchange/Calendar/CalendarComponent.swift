/// A component of a calendar object (RFC 5545, 3.6), with all that stands in it, in its order.
public struct CalendarComponent: Equatable, Sendable {
    /// What stands in a component.
    public enum Item: Equatable, Sendable {
        /// A property.
        case line(CalendarLine)
        /// A component within it.
        case component(CalendarComponent)
    }

    /// In capitals: `VEVENT`.
    public let name: String
    /// On which line of a file it begins, counted from 1; 0 of one that no file holds.
    public let number: Int
    /// What stands in it.
    public internal(set) var items: [Item]

    init(
        _ name: String, at number: Int = 0, _ lines: [CalendarLine] = [],
        _ components: [CalendarComponent] = []
    ) {
        self.name = name
        self.number = number
        items = lines.map(Item.line) + components.map(Item.component)
    }

    /// Its properties.
    public var lines: [CalendarLine] {
        items.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }

    /// The components within it.
    public var components: [CalendarComponent] {
        items.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// Its properties of a name, which is in capitals.
    public func lines(_ name: String) -> [CalendarLine] { lines.filter { $0.name == name } }

    /// The first of them.
    public func line(_ name: String) -> CalendarLine? {
        for case .line(let line) in items where line.name == name { return line }
        return nil
    }

    /// The component as a file holds it: CRLF, and lines of at most 75 octets.
    public var octets: [UInt8] {
        var output: [UInt8] = []
        append(to: &output)
        return output
    }

    /// The component with its ends, as strictly as RFC 5545 wants it.
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
