import Agenda
import Ledger

extension MeetingDraft {
    /// Invites people to the meeting. People who were removed from it take part again.
    ///
    /// - Parameters:
    ///   - people: the people.
    ///   - members: those of them who come only with a circle, and were not named themselves.
    /// - Throws: ``Refusal`` with `already_invited` if somebody already takes part.
    mutating func invite(_ people: [Person], with members: Set<PersonID>) throws(Refusal) {
        for person in people {
            var guest = Participant(person: person.id)
            guest.isByCircle = members.contains(person.id)
            knownAddresses[person.id] = person.address
            guard let place = participants.firstIndex(where: { $0.person == person.id }) else {
                participants.append(guest)
                if person.hasTypedName || person.destination != nil { typed[person.id] = person }
                continue
            }
            guard participants[place].isRemoved else {
                throw Refusal(
                    .refused, code: "already_invited",
                    "\(person.name) is already invited to \(meeting.title).")
            }
            // People who were never notified of the removal keep their answers.
            // Who joined without an invitation, and left, gets one now.
            let isNew =
                participants[place].isJoined || before.rows.haveToldOff(person.id, on: occurrence)
            guard isNew else {
                participants[place].isRemoved = false
                participants[place].isByCircle = guest.isByCircle
                continue
            }
            participants[place] = guest
        }
    }
}
