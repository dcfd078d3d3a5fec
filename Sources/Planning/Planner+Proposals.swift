import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// What becomes of other times that people proposed.
extension Planner {
    /// Gives a meeting the time that somebody proposed, and tells its people.
    ///
    /// - Parameters:
    ///   - name: the meeting.
    ///   - who: whose proposal; may be left out where there is one.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the meeting, and what changes in the ledger.
    /// - Throws: ``Refusal``, with `no_proposal` where there is none.
    public func acceptProposal(
        _ name: String, who: String?, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(name)
        let named = try await proposer(who, of: id)
        let now = self.now
        return try await revise(id, .moved, reason: "the meeting changed", saving: saving) {
            draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "moved")
            let (guest, proposal) = try draft.proposal(of: named)
            guard proposal.startsAt > now else {
                throw Refusal(
                    .refused, code: "start_in_past",
                    "The time that \(guest.name) proposed has passed.")
            }
            let zone = try zone(named: draft.meeting.time.zone)
            draft.meeting.time = draft.meeting.time.moved(to: proposal, in: zone)
        }
    }

    /// Keeps a meeting at its time, and tells who proposed another one.
    ///
    /// - Parameters:
    ///   - name: the meeting.
    ///   - who: whose proposal; may be left out where there is one.
    ///   - note: what to say with it; may be empty.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the meeting, and what changes in the ledger.
    /// - Throws: ``Refusal``, with `no_proposal` where there is none.
    public func refuseProposal(
        _ name: String, who: String?, note: String, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(name)
        let named = try await proposer(who, of: id)
        let now = self.now
        try MeetingRules.checkText(
            note, named: "note", charactersMax: MeetingRules.messageCharactersMax)
        return try await revise(id, nil, reason: "the proposal was refused", saving: saving) {
            draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "kept")
            let (guest, proposal) = try draft.proposal(of: named)
            draft.drop(proposal, of: guest, now: now)
            let said = surroundings.language(of: guest)
                .proposed(try words(of: proposal, for: guest, in: draft))
            draft.body = (actor.id, note.isEmpty ? said : "\(said)\n\n\(note)")
        }
    }

    private func proposer(_ who: String?, of id: MeetingID) async throws -> Person? {
        guard let who else { return nil }
        let found = try await participants([who], of: id)
        guard let only = found.first, found.count == 1 else {
            throw Refusal(.refused, code: "ambiguous_person", "\(who) is more than one person.")
        }
        return only
    }
}

extension MeetingDraft {
    /// What somebody proposes, or the only one who does.
    ///
    /// - Throws: ``Refusal`` with `no_proposal` or `ambiguous_person`.
    fileprivate func proposal(
        of named: Person?
    ) throws(Refusal) -> (guest: Person, proposal: Proposal) {
        let found = participants.filter { participant in
            participant.proposal != nil && !participant.isRemoved
                && named.map { $0.id == participant.person } ?? true
        }.compactMap { participant in
            people[participant.person].flatMap { person in
                participant.proposal.map { (guest: person, proposal: $0) }
            }
        }
        guard let only = found.first else {
            throw Refusal(
                .refused, code: "no_proposal",
                "\(named?.name ?? "Nobody") has proposed \(named == nil ? "another" : "no other") "
                    + "time for \(meeting.title).")
        }
        guard found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_person",
                "Several propose another time: name one of "
                    + found.map(\.guest.name).joined(separator: ", ") + ".")
        }
        return only
    }

    /// Drops a proposal, and has its author told.
    fileprivate mutating func drop(_ proposal: Proposal, of guest: Person, now: Moment) {
        for place in participants.indices where participants[place].person == guest.id {
            participants[place].proposal = nil
        }
        notices = [
            PlannedNotification(
                key: NotificationKey(
                    meeting: meeting.id.text, occurrence: "", receiver: .person(guest.id.text),
                    kind: .refusal, mark: proposal.name),
                due: now, deadline: meeting.time.endsAt, isNew: true)
        ]
    }
}

extension MeetingTime {
    /// The time that somebody proposes, as the clocks of the meeting's zone show it; the length in
    /// the words in which it was given, where it is the same.
    fileprivate func moved(to proposal: Proposal, in zone: Zone) -> MeetingTime {
        let start = zone.wallTime(at: proposal.startsAt)
        let isAsLong = duration.after(proposal.startsAt, in: zone) == proposal.endsAt
        let seconds = Int(clamping: proposal.endsAt.milliseconds(since: proposal.startsAt) / 1000)
        return MeetingTime(
            start: start, zone: zone,
            duration: isAsLong ? duration : TimeSpan(days: 0, seconds: seconds))
    }
}
