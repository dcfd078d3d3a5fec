import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// Another time that somebody proposed, and that is decided on: what is shown is what is taken,
/// whatever they propose meanwhile.
public struct ChosenProposal: Sendable {
    let meeting: MeetingID
    /// The date of a series for which it is; `nil` for all of it.
    let date: String?
    let name: String
}

/// What becomes of other times that people proposed.
extension Planner {
    /// Whether the actor may decide on what is proposed for a meeting, and there is time.
    public func mayDecide(on meeting: MeetingView) -> Bool {
        (actor.id.text == meeting.organizer.id || actsAsOwner) && meeting.status == "confirmed"
            && meeting.end.moment > now
    }

    /// The proposal that is meant.
    ///
    /// - Parameters:
    ///   - name: the meeting.
    ///   - who: whose, or its id; may be left out where there is one.
    /// - Returns: the proposal, to be decided on.
    /// - Throws: ``Refusal``, with `no_proposal` where there is none, and `ambiguous_person` where
    ///   several are.
    public func proposal(for name: String, by who: String?) async throws -> ChosenProposal {
        let id = try await meetingID(name)
        guard let bundle = try await store.meetingBundle(id) else {
            throw Self.unknownMeeting(name)
        }
        try checkMayChange(bundle.meeting)
        var open = bundle.proposals
        let named = open.filter { $0.proposal.name == who }
        if let who, named.isEmpty {
            let people = Set(try await participants([who], of: id).map(\.id))
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
            throw try await searching { try $0.ambiguous(who ?? "Whose proposal it is", people) }
        }
        return ChosenProposal(meeting: id, date: only.date, name: only.proposal.name)
    }

    private static func severalProposals(_ names: [String]) -> Refusal {
        Refusal(
            .refused, code: "ambiguous_proposal",
            "They propose other times for several dates. Name one in the place of WHO: "
                + names.joined(separator: ", ") + ".")
    }

    private static func noProposal(for meeting: Meeting, by who: String?) -> Refusal {
        let what = who.map { "\($0) proposes no other time" } ?? "Nobody proposes another time"
        return Refusal(
            .refused, code: "no_proposal",
            "\(what) for \(meeting.title). How it stands: letsmeet meeting show \(meeting.id)")
    }

    /// Gives a meeting the time that somebody proposed, and tells its people. Who could not come
    /// before has not answered to it yet.
    ///
    /// - Parameters:
    ///   - choice: the proposal.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the meeting, and what changes in the ledger.
    /// - Throws: ``Refusal``, with `no_proposal` where it is proposed no more.
    public func accept(_ choice: ChosenProposal, saving: Bool) async throws -> MeetingOutcome {
        let now = self.now
        return try await revise(
            choice.meeting, on: choice.date, .moved, reason: "the meeting changed", saving: saving
        ) { draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "moved")
            let (place, proposal) = try draft.proposal(choice)
            guard proposal.startsAt > now else {
                throw Refusal(
                    .refused, code: "start_in_past",
                    "The time that was proposed has passed. To move the meeting to another one: "
                        + "letsmeet meeting move \(choice.meeting) TIME")
            }
            let zone = try zone(named: draft.meeting.time.zone)
            draft.meeting.time = MeetingTime(
                start: try wallTime(meaning: proposal.startsAt, in: zone), zone: zone,
                duration: draft.meeting.time.duration(of: proposal, in: zone))
            if draft.participants[place].answer == .declined {
                draft.participants[place].answer = .invited
                draft.participants[place].answeredBy = nil
                draft.participants[place].isUnsigned = false
            }
        }
    }

    /// Keeps a meeting at its time, and tells who proposed another one.
    ///
    /// - Parameters:
    ///   - choice: the proposal.
    ///   - note: what to say with it; may be empty.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the meeting, and what changes in the ledger.
    /// - Throws: ``Refusal``, with `no_proposal` where it is proposed no more.
    public func refuse(
        _ choice: ChosenProposal, note: String, saving: Bool
    ) async throws -> MeetingOutcome {
        let now = self.now
        try MeetingRules.checkText(
            note, named: "note", charactersMax: MeetingRules.messageCharactersMax)
        return try await revise(
            choice.meeting, on: choice.date, nil, reason: "the proposal was refused", saving: saving
        ) { draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "changed")
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
    /// Who proposes which time, and for which date of a series; for all of it without one.
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
    /// Where among the participants the author of a proposal stands, and what they propose.
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
                .refused, code: "no_proposal",
                "That is proposed no more. How it stands: letsmeet meeting show \(meeting.id)")
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
                mark: RefusalMark(proposal, keeping: meeting.time.startsAt).text),
            due: now, deadline: meeting.endsAt, isNew: true)
    }
}

extension MeetingTime {
    /// How long a meeting takes as it is proposed: in the words in which its length was given,
    /// where that is the same.
    fileprivate func duration(of proposal: Proposal, in zone: Zone) -> TimeSpan {
        guard duration.after(proposal.startsAt, in: zone) != proposal.endsAt else {
            return duration
        }
        let milliseconds = proposal.endsAt.milliseconds(since: proposal.startsAt)
        return TimeSpan(days: 0, seconds: Int(clamping: milliseconds / 1000))
    }
}
