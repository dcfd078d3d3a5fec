import Interchange
import Planning
import Timekeeping

extension CalendarMeetings {
    /// The zone that a meeting has instead of one that a calendar object describes.
    enum ZoneMatch {
        /// The offsets are the same at all times that count.
        case same(Zone)
        /// The lasting rules of the description.
        case ownRules(Zone)
        /// The zone that the Windows name means; the description is of no use.
        case standIn(Zone)
        /// The offsets are the same up to the last clock change in the description.
        case described(Zone, until: Moment)

        var zone: Zone {
            switch self {
            case .same(let zone), .ownRules(let zone), .standIn(let zone), .described(let zone, _):
                zone
            }
        }
    }

    /// The zone of a meeting whose event states its start in a zone.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the calendar object describes it.
    ///   - moment: the start of the event.
    ///   - event: the event.
    /// - Returns: the zone; `nil` for a series in a zone of which later dates cannot be known.
    func match(of zone: Zone, from moment: Moment, of event: Event) -> ZoneMatch? {
        if event.repeats, directory.zoneIfKnown(zone.id) == nil,
            let found = event.zones.equivalentSoFar(
                of: zone, until: moment, besides: own, by: directory)
        {
            return .described(found.zone, until: found.end)
        }
        if let known = event.zones.equivalent(
            of: zone, from: moment, repeats: event.repeats, besides: own, by: directory)
        {
            return .same(known)
        }
        guard event.repeats else { return .same(.utc) }
        // All times of the file follow its own description.
        if let rules = CalendarZones.ownRules(of: zone, from: moment, by: directory) {
            return .ownRules(rules)
        }
        if let standIn = CalendarZones.windowsZone(zone.id, by: directory) {
            return .standIn(standIn)
        }
        return event.zones.equivalentWhileDescribed(
            of: zone, from: moment, besides: own, by: directory
        ).map { .described($0.zone, until: $0.end) }
    }

    /// The difference between the zone of a series and the one in its file, as a phrase that
    /// follows the title; `nil` if there is none.
    func zoneDoubt(of event: Event) -> String? {
        guard event.repeats, let start = event.main.start, let zone = start.zone,
            directory.zoneIfKnown(zone.id) == nil
        else { return nil }
        let words: String
        switch match(of: zone, from: start.moment(in: zone), of: event) {
        case .same, nil: return nil
        case .ownRules:
            words = "matches no known zone: its dates use the rules of the description"
        case .standIn(let known): words = "matches no known zone: its dates use \(known.id)"
        case .described(let known, let end):
            let day = known.wallTime(at: end).date
            words = "lists clock changes only until \(day): its dates use \(known.id)"
        }
        return "repeats in the time zone \"\(zone.id)\", whose description in the file \(words)"
    }
}
