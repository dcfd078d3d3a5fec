package import Agenda
package import Timekeeping

extension MeetingDraft {
    /// The place of a person among the participants.
    ///
    /// - Throws: ``Refusal`` with `not_a_participant`.
    func place(of person: Person) throws -> Int {
        let place = participants.firstIndex { $0.person == person.id && !$0.isRemoved }
        guard let place else {
            throw before.isInDates(person.id)
                ? Drafting.isInDatesOnly(person, of: meeting)
                : Refusal(
                    .refused, code: "not_a_participant",
                    "\(person.name) is not invited to \(meeting.title).")
        }
        return place
    }

    /// Records an answer of a participant.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - person: the participant.
    ///   - actor: the person who enters it.
    ///   - plus: the number of people that they bring; `nil` to keep it.
    ///   - note: the note to the organizer; `nil` to keep it.
    ///   - seen: for an answer by mail, the SEQUENCE of the notification that it answers, and its
    ///     start if the meeting has moved since; otherwise `nil`.
    ///   - first: the name of the date from which the answer holds; `nil` for all dates.
    /// - Throws: ``Refusal`` with `not_a_participant`, or ``RuleViolation``.
    package mutating func answer(
        _ answer: Answer, of person: Person, by actor: Person, plus: Int?, note: String?,
        seeing seen: (sequence: Int, start: Moment?)? = nil, from first: String? = nil
    ) throws {
        let place = try place(of: person)
        let note = note ?? participants[place].note
        try MeetingRules.checkText(
            note, named: "note", charactersMax: MeetingRules.noteCharactersMax)
        participants[place].answer = answer
        // A person who declines brings nobody.
        participants[place].plus = answer == .declined ? 0 : plus ?? participants[place].plus
        participants[place].note = note
        participants[place].answeredBy = person.id == actor.id ? nil : actor.id
        (participants[place].isUnsigned, participants[place].isCopied) = (false, false)
        participants[place].isKept = false
        participants[place].proposal = nil
        (participants[place].answeredFor, participants[place].isOutdated) = (seen?.start, false)
        if occurrence.isEmpty {
            forgetCopies(of: person.id, knowing: seen?.sequence, from: first)
        }
        // The last answer did not come by mail, unless the caller notes one.
        participants[place].reply = participants[place].reply.map {
            ReplyStamp(sequence: $0.sequence, at: $0.at)
        }
    }
}
