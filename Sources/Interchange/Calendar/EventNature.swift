import Timekeeping

/// What calendars show of an event besides what it is and when, as the one says it from which it
/// was read.
public struct EventNature: OptionSet, Hashable, Sendable {
    /// Bits, as they are stored: what one means never changes.
    public let rawValue: Int

    /// What the bits mean.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// It takes whole days, and no hours of them.
    public static let wholeDays = EventNature(rawValue: 1)
    /// Its people are free at its time (RFC 5545, 3.8.2.7).
    public static let transparent = EventNature(rawValue: 2)
    /// It may not take place (RFC 5545, 3.8.1.11).
    public static let tentative = EventNature(rawValue: 4)
    /// It is for its owner's eyes (RFC 5545, 3.8.1.3).
    public static let isPrivate = EventNature(rawValue: 8)
    /// What it is about is nobody else's business.
    public static let isConfidential = EventNature(rawValue: 16)
}

extension EventNature {
    /// What a component says of itself.
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
        // What is not known is private.
        default: insert(.isPrivate)
        }
    }

    /// The properties that say so, without STATUS.
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
    /// What calendars show of it besides what it is and when.
    public var nature: EventNature {
        components.first { $0.line("RECURRENCE-ID") == nil }.map(EventNature.init) ?? []
    }
}
