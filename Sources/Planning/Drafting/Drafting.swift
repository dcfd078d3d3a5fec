package import Agenda
import Settings
import Sinks
package import Timekeeping

/// Decides what a change of a meeting means: the meeting and its people after the change, and the
/// changes of the ledger.
///
/// It is a pure value. It waits for nothing and reads nothing but the rules of time zones, so the
/// same change gives the same result inside a transaction, in a preview and in a test. A use case
/// looks up names and loads the meeting, and hands both over.
package struct Drafting: Sendable {
    /// The person who acts.
    package let actor: Person
    /// The time zone in which the actor reads and writes times.
    package let zone: Zone
    /// The current time.
    package let now: Moment
    /// True if the actor owns the installation, and so may change every meeting.
    let actsAsOwner: Bool
    /// True if the request names the zone in which it reads and prints times.
    let isZoneGiven: Bool
    /// The enabled sinks.
    let sinks: [SinkKind]
    /// True to re-route waiting deliveries of disabled sinks to the enabled ones.
    let replacesDisabledSinks: Bool
    let zones: ZoneDirectory
    let chance: Chance

    /// Reads a zone by its name.
    ///
    /// - Throws: ``Refusal`` with `unknown_zone`.
    package func zone(named id: String) throws(Refusal) -> Zone {
        do throws(ZoneError) {
            return try zones.zone(id)
        } catch {
            throw Refusal(error)
        }
    }

    /// A new id for a meeting.
    func newID() -> MeetingID { chance.id() }

    /// Checks that the actor may change a meeting: they organize it, or own the installation.
    ///
    /// - Throws: ``Refusal`` with `not_organizer`.
    package func checkMayChange(_ meeting: Meeting) throws(Refusal) {
        guard actor.id == meeting.organizer || actsAsOwner else {
            throw Refusal.notOrganizer(of: meeting.title)
        }
    }
}

extension Refusal {
    static func notOrganizer(of title: String) -> Refusal {
        Refusal(.refused, code: "not_organizer", "Only the organizer can change \(title).")
    }
}

extension Planner {
    /// The decisions of the actor's changes, as of now.
    package var drafting: Drafting {
        Drafting(
            actor: actor, zone: zone, now: now, actsAsOwner: actsAsOwner,
            isZoneGiven: surroundings.zoneOption != nil, sinks: sinks,
            replacesDisabledSinks: replacesDisabledSinks, zones: surroundings.zones,
            chance: surroundings.chance)
    }
}
