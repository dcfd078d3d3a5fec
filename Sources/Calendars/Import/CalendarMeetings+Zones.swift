import Interchange
import Planning
import Timekeeping

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

    /// True if the clock times of the event are in this zone, also where the description, read
    /// literally, has another offset.
    var takesClockTimes: Bool {
        switch self {
        case .same, .ownRules: false
        case .standIn, .described: true
        }
    }
}

/// A zone that a calendar object describes, and the zone that its meeting has instead.
struct ZoneChoice {
    /// The name of the zone in the calendar object.
    let name: String
    /// The zone of the meeting; `nil` for a series in a zone of which later dates cannot be known.
    let match: ZoneMatch?
    /// True if the start is another moment than by the description.
    var movesStart = false
}

extension CalendarMeetings {
    /// The event that an object describes, with its clock times in the zone of its meeting.
    func event(of object: CalendarObject) throws(Unplanned) -> Event {
        var event = try Event(object, in: own, directory, of: address)
        guard let start = event.main.start, case .wall = start.stamp, let zone = start.zone else {
            return event
        }
        let stated = start.moment(in: zone)
        var choice = ZoneChoice(name: zone.id, match: match(of: zone, from: stated, of: event))
        if let match = choice.match, match.takesClockTimes {
            let moved = object.inZone(named: match.zone.id, insteadOf: zone.id)
            event = try Event(moved, in: own, directory, of: address)
            choice.movesStart = event.main.start?.moment(in: own) != stated
        }
        event.zoneChoice = choice
        return event
    }

    /// The zone of a meeting whose event states its start in a zone.
    ///
    /// - Parameters:
    ///   - zone: the zone, as the calendar object describes it.
    ///   - moment: the start of the event.
    ///   - event: the event.
    /// - Returns: the zone; `nil` for a series in a zone of which later dates cannot be known.
    private func match(of zone: Zone, from moment: Moment, of event: Event) -> ZoneMatch? {
        if event.zones.usesDescription(of: zone.id, by: directory),
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
        // All times of the file follow its own description.
        if let rules = CalendarZones.ownRules(of: zone, from: moment, by: directory) {
            return .ownRules(rules)
        }
        guard event.repeats else { return .same(.utc) }
        if let standIn = CalendarZones.windowsZone(zone.id, by: directory) {
            return .standIn(standIn)
        }
        return event.zones.equivalentWhileDescribed(
            of: zone, from: moment, besides: own, by: directory
        ).map { .described($0.zone, until: $0.end) }
    }

    /// The difference between the zone of a meeting and the one in its file, as a phrase that
    /// follows the title; `nil` if there is none that matters.
    func zoneDoubt(of event: Event) -> String? {
        guard let choice = event.zoneChoice, let match = choice.match,
            event.zones.usesDescription(of: choice.name, by: directory),
            event.repeats || choice.movesStart
        else { return nil }
        let words: String
        switch match {
        case .same: return nil
        case .ownRules:
            words = "matches no known zone: its dates use the rules of the description"
        case .standIn(let known): words = "matches no known zone: its dates use \(known.id)"
        case .described(let known, let end):
            let times = event.repeats ? "its dates use" : "its time is in"
            words =
                "lists clock changes only until \(known.wallTime(at: end).date): \(times) "
                + known.id
        }
        let verb = event.repeats ? "repeats" : "is"
        return "\(verb) in the time zone \"\(choice.name)\", whose description in the file \(words)"
    }
}
