import Agenda
import Ledger
import Storage

/// A list of deliveries, as somebody asks for it.
enum DeliveryList {
    /// Those of a meeting, as it was called.
    case meeting(MeetingID, called: String)
    /// Those of all meetings that wait.
    case outbox
    /// Those of all meetings that wait and are reminders.
    case reminders
    /// Those of all meetings.
    case ledger

    /// The commands that show whoever is refused what they may see; `asking` is how they are named
    /// in a command.
    func advice(asking: String) -> String {
        let mine = asking.shellWord
        switch self {
        case .meeting(_, let name):
            return "What is sent to you: letsmeet why \(name.shellWord) \(mine) --as \(mine)"
        case .outbox:
            return "What waits for you: letsmeet outbox --who \(mine) --as \(mine); what is sent "
                + "about a meeting that you organize: letsmeet why MEETING --as \(mine)"
        case .reminders:
            return "Those that wait for you: letsmeet remind list --who \(mine) --as \(mine)"
        case .ledger:
            return "About a meeting that you organize: letsmeet ledger list --meeting MEETING "
                + "--as \(mine); to you about any: letsmeet why MEETING \(mine) --as \(mine)"
        }
    }
}

extension Planner {
    /// Who may see deliveries: the owner all, an organizer those of their meeting, and everybody
    /// their own.
    ///
    /// - Parameters:
    ///   - list: which deliveries.
    ///   - person: to whom they go; `nil` for those to everybody.
    /// - Throws: ``Refusal`` with `not_allowed`, who may, and the command that works.
    func checkMaySeeDeliveries(_ list: DeliveryList, to person: PersonID?) async throws {
        guard !actsAsOwner, person != actor.id else { return }
        var who = "\(owner.name), whose installation this is,"
        var what = "see what is sent about all meetings"
        if case .meeting(let id, _) = list, let bundle = try await store.meetingBundle(id) {
            let organizer = bundle.meeting.organizer
            guard organizer != actor.id else { return }
            what = "see what is sent to others"
            if organizer != owner.id, let name = bundle.people[organizer]?.name {
                who += " and \(name), who organizes \(bundle.meeting.title),"
            }
        }
        throw Refusal(
            .refused, code: "not_allowed",
            "Only \(who) may \(what). \(list.advice(asking: try await ownWho()))")
    }

    /// A WHO that means the actor and nobody else: as they were named, where that will do.
    private func ownWho() async throws -> String {
        guard let name = surroundings.actingAs, let found = try? await person(name),
            found.id == actor.id
        else { return actor.id.text }
        return name
    }
}
