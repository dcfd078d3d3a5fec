public import Timekeeping

/// A calendar that programs fetch repeatedly (RFC 5545, with the calendar properties of RFC 7986).
/// It names no people, and the same meetings always give the same octets.
public struct CalendarFeed: Sendable {
    /// A meeting in a feed.
    public struct Entry: Sendable {
        fileprivate let octets: [UInt8]
        fileprivate let zone: Zone?
        fileprivate let span: ClosedRange<Moment>?

        /// A meeting, or those occurrences of a series that concern the reader; each is written
        /// with the time of its last change.
        ///
        /// - Parameters:
        ///   - events: the events of the entry, all in one zone.
        ///   - changedAt: the time of the last change.
        public init(_ events: [CalendarEvent], changedAt: Moment) {
            let stamp = CalendarLine("LAST-MODIFIED", raw: CalendarTime.utc(changedAt))
            var octets: [UInt8] = []
            for event in events.flatMap(\.all) {
                let state = CalendarLine(
                    "STATUS", raw: event.isTentative ? "TENTATIVE" : "CONFIRMED")
                CalendarComponent(
                    "VEVENT", event.lines(at: changedAt) + [stamp, state] + event.nature.lines,
                    event.alarmComponents
                ).append(to: &octets)
            }
            self.octets = octets
            let spans = events.compactMap(\.span)
            zone = spans.isEmpty ? nil : events.first?.zone
            span = spans.reduce(spans.first) { known, span in
                known.map {
                    min($0.lowerBound, span.lowerBound)...max($0.upperBound, span.upperBound)
                }
            }
        }
    }

    private let name: String
    private let entries: [Entry]

    /// A feed with a display name.
    public init(name: String, _ entries: [Entry]) {
        self.name = name
        self.entries = entries
    }

    /// The suggested interval between two fetches; some programs follow it.
    static let refreshLines = [
        CalendarLine("REFRESH-INTERVAL", [("VALUE", "DURATION")], raw: refresh),
        CalendarLine("X-PUBLISHED-TTL", raw: refresh),
    ]
    private static let refresh = "PT1H"

    /// The calendar object.
    public var octets: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(entries.reduce(16_384) { $0 + $1.octets.count })
        CalendarLine("BEGIN", raw: "VCALENDAR").append(to: &output)
        for line in head { line.append(to: &output) }
        for zone in zones { zone.append(to: &output) }
        for entry in entries { output += entry.octets }
        CalendarLine("END", raw: "VCALENDAR").append(to: &output)
        return output
    }

    private var head: [CalendarLine] {
        [
            CalendarLine("VERSION", raw: "2.0"),
            CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
            CalendarLine("CALSCALE", raw: "GREGORIAN"),
            CalendarLine("NAME", text: name), CalendarLine("X-WR-CALNAME", text: name),
        ] + Self.refreshLines
    }

    /// The zones named in the feed, each once, covering the time of all meetings in that zone.
    private var zones: [CalendarComponent] {
        var named: [String: (zone: Zone, span: ClosedRange<Moment>)] = [:]
        for entry in entries {
            guard let zone = entry.zone, let span = entry.span else { continue }
            let known = named[zone.id]?.span ?? span
            named[zone.id] = (
                zone,
                min(known.lowerBound, span.lowerBound)...max(known.upperBound, span.upperBound)
            )
        }
        return named.sorted { $0.key < $1.key }.map { _, named in
            named.zone.component(from: named.span.lowerBound, through: named.span.upperBound)
        }
    }
}
