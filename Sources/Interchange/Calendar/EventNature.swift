import Timekeeping

/// The display properties of an event besides title and time, as the original calendar stated them.
public struct EventNature: OptionSet, Hashable, Sendable {
    /// The bits as stored; their meaning never changes.
    public let rawValue: Int

    /// Creates a set from its stored bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// An all-day event.
    public static let wholeDays = EventNature(rawValue: 1)
    /// The event does not make its people busy (RFC 5545, 3.8.2.7).
    public static let transparent = EventNature(rawValue: 2)
    /// The event may not take place (RFC 5545, 3.8.1.11).
    public static let tentative = EventNature(rawValue: 4)
    /// Only the owner should see the event (RFC 5545, 3.8.1.3).
    public static let isPrivate = EventNature(rawValue: 8)
    /// The event's subject is confidential.
    public static let isConfidential = EventNature(rawValue: 16)
}

extension EventNature {
    /// The display properties of a component.
    init(_ event: CalendarComponent) {
        func says(_ name: String) -> String { event.line(name)?.plainText.uppercased() ?? "" }
        self = []
        if case .day? = CalendarStamp(event.line("DTSTART")?.plainText ?? "") {
            insert(.wholeDays)
        }
        if says("TRANSP") == "TRANSPARENT" { insert(.transparent) }
        if says("STATUS") == "TENTATIVE" { insert(.tentative) }
        switch says("CLASS") {
        case "", "PUBLIC": break
        case "CONFIDENTIAL": insert(.isConfidential)
        // An unknown class counts as private, as RFC 5545, 3.8.1.3 requires.
        default: insert(.isPrivate)
        }
    }

    /// The properties for these settings, except STATUS.
    var lines: [CalendarLine] {
        var lines: [CalendarLine] = []
        if contains(.transparent) { lines.append(CalendarLine("TRANSP", raw: "TRANSPARENT")) }
        if contains(.isConfidential) {
            lines.append(CalendarLine("CLASS", raw: "CONFIDENTIAL"))
        } else if contains(.isPrivate) {
            lines.append(CalendarLine("CLASS", raw: "PRIVATE"))
        }
        return lines
    }
}

extension CalendarObject {
    /// The display properties of the event.
    public var nature: EventNature {
        components.first { $0.line("RECURRENCE-ID") == nil }.map(EventNature.init) ?? []
    }
}
