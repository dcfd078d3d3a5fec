public import Agenda
public import Ledger
import Storage
import Timekeeping
import Wording

/// A proposal of another time that the organizer accepts or refuses. A proposal that the person
/// makes meanwhile does not replace it.
public struct ChosenProposal: Sendable {
    let meeting: MeetingID
    /// The date of a recurring meeting; `nil` for all dates.
    let date: String?
    let name: String
}

/// Decisions on proposals of other times.
extension Planner {
    /// True if the actor may change a meeting.
    package func mayChange(_ meeting: MeetingView) -> Bool {
        actor.id.text == meeting.organizer.id || actsAsOwner
    }

    /// Checks that the actor may change a meeting.
    ///
    /// - Throws: ``Refusal`` with `not_organizer`.
    package func checkMayChange(_ meeting: MeetingView) throws(Refusal) {
        guard mayChange(meeting) else { throw .notOrganizer(of: meeting.title) }
    }

    /// True if the actor may decide on proposals for a meeting, and it is not over or cancelled.
    public func mayDecide(on meeting: MeetingView) -> Bool {
        (actor.id.text == meeting.organizer.id || actsAsOwner) && meeting.status == .confirmed
            && meeting.end.moment > now
    }

    /// Finds a proposal.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - who: the person who made it, or its id; may be `nil` if there is only one.
    /// - Returns: the proposal.
    /// - Throws: ``Refusal`` with `no_proposal` if there is none, with `ambiguous_person` or
    ///   `ambiguous_proposal` if there are several.
    public func proposal(for id: MeetingID, by who: String?) async throws -> ChosenProposal {
        let bundle = try await bundle(id)
        try drafting.checkMayChange(bundle.meeting)
        var open = bundle.proposals
        let named = open.filter { $0.proposal.name == who }
        if let who, named.isEmpty {
            let people = Set(try await participants(named: [who], of: id).map(\.id))
            open = open.filter { people.contains($0.person) }
        } else if !named.isEmpty {
            open = named
        }
        guard let only = open.first else {
            throw Self.noProposal(for: bundle.meeting, by: who)
        }
        guard open.count == 1 else {
            let people = open.compactMap { bundle.people[$0.person] }.uniqued()
            guard people.count > 1 else { throw Self.severalProposals(open.map(\.proposal.name)) }
            guard let who else { throw Self.severalGuests(people.map(\.name)) }
            throw try await searching { try $0.ambiguous(who, people) }
        }
        return ChosenProposal(meeting: id, date: only.date, name: only.proposal.name)
    }

    private static func severalGuests(_ names: [String]) -> Refusal {
        Refusal(
            .refused, code: "ambiguous_proposal",
            "Several guests have proposed other times. Name one of them: "
                + names.joined(separator: ", ") + ".")
    }

    private static func severalProposals(_ names: [String]) -> Refusal {
        Refusal(
            .refused, code: "ambiguous_proposal",
            "They proposed other times for several dates. Name one proposal instead of the "
                + "person: " + names.joined(separator: ", ") + ".")
    }

    private static func noProposal(for meeting: Meeting, by who: String?) -> Refusal {
        let what =
            who.map { "\"\($0)\" has not proposed another time" }
            ?? "Nobody has proposed another time"
        return Refusal(
            .refused, code: "no_proposal", "\(what) for \(meeting.title).",
            advice: [.meetings(.show(meeting.id.text))])
    }

    /// Moves a meeting to the proposed time, and notifies its participants. If the person who
    /// proposed it had declined, their answer is open again.
    ///
    /// - Parameters:
    ///   - choice: the proposal.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the meeting, and the changes in the ledger.
    /// - Throws: ``Refusal``, with `no_proposal` if the proposal no longer exists.
    public func accept(_ choice: ChosenProposal, saving: Bool) async throws -> MeetingOutcome {
        let now = self.now
        let outcome = try await revise(
            choice.meeting, on: choice.date, .moved, reason: Self.edited, saving: saving
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: "moved")
            let (place, proposal) = try draft.proposal(choice)
            guard proposal.startsAt > now else {
                throw Refusal(
                    .refused, code: "start_in_past",
                    "The proposed time has passed.",
                    advice: [.meetings(.move(choice.meeting.text))])
            }
            let zone = try zone(named: draft.meeting.time.zone)
            draft.meeting.time = MeetingTime(
                start: try drafting.wallTime(meaning: proposal.startsAt, in: zone), zone: zone,
                duration: draft.meeting.time.duration(of: proposal, in: zone))
            draft.agreed = [draft.participants[place].person]
            if draft.participants[place].answer == .declined {
                draft.participants[place].answer = .invited
                draft.participants[place].answeredBy = nil
                draft.participants[place].isUnsigned = false
                draft.participants[place].isCopied = false
            }
            (draft.participants[place].answeredFor, draft.participants[place].isOutdated) = (
                nil, false
            )
        }
        return try await notingConflicts(in: outcome)
    }

    /// Keeps a meeting at its time, and notifies the person who proposed another one.
    ///
    /// - Parameters:
    ///   - choice: the proposal.
    ///   - note: a note to the person; may be empty.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the meeting, and the changes in the ledger.
    /// - Throws: ``Refusal``, with `no_proposal` if the proposal no longer exists.
    public func refuse(
        _ choice: ChosenProposal, note: String, saving: Bool
    ) async throws -> MeetingOutcome {
        let now = self.now
        try MeetingRules.checkText(
            note, named: "note", charactersMax: MeetingRules.messageCharactersMax)
        return try await revise(
            choice.meeting, on: choice.date, nil, reason: "the proposal was refused", saving: saving
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: "changed")
            let (place, proposal) = try draft.proposal(choice)
            let person = draft.participants[place].person
            guard let guest = draft.people[person] else { return }
            draft.participants[place].proposal = nil
            draft.announcements = [draft.refusal(of: proposal, by: person, now: now)]
            let said = surroundings.language(of: guest).refused(
                try words(of: proposal, for: guest, in: draft),
                by: (draft.people[draft.meeting.organizer] ?? owner).name)
            draft.body = (actor.id, note.isEmpty ? said : "\(said)\n\n\(note)")
        }
    }
}

extension MeetingBundle {
    /// The open proposals, each with its person, and its date or `nil` for the whole meeting.
    fileprivate var proposals: [(date: String?, person: PersonID, proposal: Proposal)] {
        let dates = dateParticipants.sorted { $0.key < $1.key }
        let all = [(nil, participants)] + dates.map { (Optional($0.key), $0.value) }
        return all.flatMap { date, people in
            people.filter { !$0.isRemoved }.compactMap { participant in
                participant.proposal.map { (date, participant.person, $0) }
            }
        }
    }
}

extension MeetingDraft {
    /// The proposal, with its person's index among the participants.
    ///
    /// - Throws: ``Refusal`` with `no_proposal`.
    fileprivate func proposal(
        _ choice: ChosenProposal
    ) throws(Refusal) -> (place: Int, proposal: Proposal) {
        let place = participants.firstIndex {
            $0.proposal?.name == choice.name && !$0.isRemoved
        }
        guard let place, let proposal = participants[place].proposal else {
            throw Refusal(
                .refused, code: "no_proposal", "This proposal no longer exists.",
                advice: [.meetings(.show(meeting.id.text))])
        }
        return (place, proposal)
    }

    fileprivate func refusal(
        of proposal: Proposal, by guest: PersonID, now: Moment
    ) -> PlannedNotification {
        PlannedNotification(
            key: NotificationKey(
                meeting: meeting.id.text, occurrence: occurrence, receiver: .person(guest.text),
                kind: .refusal,
                mark: NotificationMark(RefusalMark(proposal, keeping: meeting.time.startsAt))),
            due: now, deadline: meeting.endsAt, isNew: true)
    }
}

extension MeetingTime {
    /// The duration of the proposal. If it has the same length as the meeting, the meeting's own
    /// duration is kept, as in "1 day" instead of 24 hours.
    fileprivate func duration(of proposal: Proposal, in zone: Zone) -> TimeSpan {
        guard duration.after(proposal.startsAt, in: zone) != proposal.endsAt else {
            return duration
        }
        let milliseconds = proposal.endsAt.milliseconds(since: proposal.startsAt)
        return TimeSpan(days: 0, seconds: Int(clamping: milliseconds / 1000))
    }
}
