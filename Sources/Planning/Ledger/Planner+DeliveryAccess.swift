import Agenda
import Ledger
import Storage

/// A requested list of deliveries.
enum DeliveryList {
    /// The deliveries of a meeting.
    case meeting(MeetingID)
    /// The unsent deliveries of all meetings.
    case outbox
    /// The unsent reminders of all meetings.
    case reminders
    /// The deliveries of all meetings.
    case ledger

    /// The lists that a refused actor may see.
    ///
    /// - Parameter mine: a name that means the actor.
    /// - Returns: the advice to give with the refusal.
    func advice(asking mine: String) -> [Advice] {
        switch self {
        case .meeting(let id):
            [.deliveries(.explain(meeting: id.text, person: mine, actor: mine))]
        case .outbox:
            [
                .deliveries(.outbox(person: mine, actor: mine)),
                .deliveries(.explain(meeting: nil, person: mine, actor: mine)),
            ]
        case .reminders:
            [.deliveries(.reminders(person: mine, actor: mine))]
        case .ledger:
            [
                .deliveries(.listOfMeeting(actor: mine)),
                .deliveries(.explain(meeting: nil, person: mine, actor: mine)),
            ]
        }
    }
}

extension Planner {
    /// Checks that the actor may see deliveries. The owner may see all, an organizer those of their
    /// meeting, and everybody their own.
    ///
    /// - Parameters:
    ///   - list: the requested list.
    ///   - person: the receiver; `nil` for all receivers.
    /// - Throws: ``Refusal`` with `not_allowed`, which names the people who may see the list, and
    ///   the lists that the actor may see.
    func checkMaySeeDeliveries(_ list: DeliveryList, to person: PersonID?) async throws {
        guard !actsAsOwner, person != actor.id else { return }
        var who = "\(owner.name), the owner of this installation,"
        var what = "see deliveries of all meetings"
        if case .meeting(let id) = list, let bundle = try await store.meetingBundle(id) {
            let organizer = bundle.meeting.organizer
            guard organizer != actor.id else { return }
            what = "see deliveries to other people"
            if organizer != owner.id, let name = bundle.people[organizer]?.name {
                who += " and \(name), the organizer of \(bundle.meeting.title),"
            }
        }
        throw Refusal(
            .refused, code: "not_allowed", "Only \(who) may \(what).",
            advice: list.advice(asking: try await ownWho()))
    }

    /// A name that means the actor and nobody else: the one that the user typed if it is unique,
    /// else the id.
    private func ownWho() async throws -> String {
        guard let name = surroundings.actingAs, let found = try? await person(named: name),
            found.id == actor.id
        else { return actor.id.text }
        return name
    }
}
