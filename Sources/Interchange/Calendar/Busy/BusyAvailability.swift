import Timekeeping

/// A VAVAILABILITY component as ``AvailabilityReading`` stores it (RFC 7953): a range of time in
/// which a person is busy except when available.
struct BusyAvailability {
    /// The values of BUSYTYPE.
    static let types: Set = ["BUSY", "BUSY-UNAVAILABLE", "BUSY-TENTATIVE"]
    /// The place after all priorities, for a component without one (RFC 7953, 3.1).
    private static let lastPriority = 10

    /// The start and the end of the range; `nil` without a limit.
    fileprivate let start: Moment?
    fileprivate let end: Moment?
    fileprivate let isTentative: Bool
    /// The place among other components: lower numbers count more.
    fileprivate let priority: Int
    /// The available times.
    fileprivate let events: [BusyEvent]

    init(
        _ component: CalendarComponent, _ zones: CalendarZones, _ own: Zone,
        _ directory: ZoneDirectory
    ) {
        let entry = CalendarEntry(component, by: zones, directory)
        let first = entry.start?.moment(in: own)
        let last = entry.hasStatedEnd ? entry.end?.moment(in: own) : nil
        start = first
        // An end before the start counts as none.
        end = last.flatMap { last in first.map { $0 < last } ?? true ? last : nil }
        isTentative = component.line("BUSYTYPE")?.plainText.uppercased() == "BUSY-TENTATIVE"
        let said = component.line("PRIORITY").flatMap { Int($0.plainText) } ?? 0
        priority = (1...9).contains(said) ? said : Self.lastPriority
        let parts = component.components.map { CalendarComponent("VEVENT", $0.lines) }
        events = CalendarObject.all(in: CalendarComponent("VCALENDAR", [], parts)).map {
            BusyEvent($0, zones, own, directory)
        }
    }

    fileprivate func range(from: Moment, until: Moment) -> Range<Moment>? {
        let (first, last) = (max(start ?? from, from), min(end ?? until, until))
        return first < last ? first..<last : nil
    }
}

extension BusyPeriods {
    /// Adds the times outside of the available ones. Components of a higher priority replace those
    /// of a lower one within their range. Where two of the same priority overlap, a time is
    /// available if both say so.
    mutating func take(_ availabilities: [BusyAvailability], from: Moment, until: Moment) {
        var (busy, unsure): ([Range<Moment>], [Range<Moment>]) = ([], [])
        let ranks = Dictionary(grouping: availabilities, by: \.priority)
        for (_, equal) in ranks.sorted(by: { $0.key > $1.key }) {
            let ranges = equal.compactMap { $0.range(from: from, until: until) }.merged()
            (busy, unsure) = (busy.without(ranges), unsure.without(ranges))
            for one in equal {
                let away = away(by: one, from: from, until: until)
                if one.isTentative { unsure += away } else { busy += away }
            }
            (busy, unsure) = (busy.merged(), unsure.merged())
        }
        for span in busy { add(span, isTentative: false) }
        for span in unsure { add(span, isTentative: true) }
    }

    /// The times within the range of a component that it does not mark as available.
    private mutating func away(
        by availability: BusyAvailability, from: Moment, until: Moment
    ) -> [Range<Moment>] {
        guard let range = availability.range(from: from, until: until) else { return [] }
        var free = self
        (free.firm, free.tentative) = ([], [])
        for event in availability.events where free.excess == nil {
            event.lay(into: &free, from: range.lowerBound, until: range.upperBound)
        }
        let open = free.firm.merged()
        (free.firm, free.tentative) = (firm, tentative)
        self = free
        return [range].without(open)
    }
}
