public import Agenda
public import Ledger
import Storage
import Timekeeping

extension Planner {
    /// Lets the actor join an open meeting, or one date of a series. For invited people, it means
    /// to answer yes.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - plus: the number of guests whom they bring, from 0 to ``Participant/plusMax``.
    ///   - note: the note to the organizer; `nil` for none.
    ///   - saving: true to save it; false for a preview.
    /// - Returns: the meeting, and the standing of the actor.
    /// - Throws: ``Refusal`` with `own_meeting`, `already_joined`, `waiting`, `not_admitted`,
    ///   `meeting_full`, `meeting_over`, `meeting_cancelled`, `party_too_large`, or
    ///   `unknown_meeting` for a meeting that the actor may not see.
    public func join(
        _ id: MeetingID, on date: String? = nil, plus: Int = 0, note: String? = nil, saving: Bool
    ) async throws -> SeatOutcome {
        guard (0...Participant.plusMax).contains(plus) else { throw Self.tooManyGuests }
        let text = note ?? ""
        try MeetingRules.checkText(
            text, named: "note", charactersMax: MeetingRules.noteCharactersMax)
        let isOpen = try await store.mayJoin(actor.id, id)
        let number: Identifier<Answer> = surroundings.chance.id()
        return try await changeSeat(id, on: date, ifOpen: isOpen, saving: saving) { draft in
            let place = draft.participants.firstIndex { $0.person == actor.id && !$0.isRemoved }
            let isInvited = place.map { !draft.participants[$0].isJoined } ?? false
            guard isInvited || place != nil || isOpen else {
                throw Refusal.unknownMeeting(id.text)
            }
            let zone = try zone(named: draft.meeting.time.zone)
            let wish = SeatRequest.join(actor.id, plus: plus, isInvited: isInvited)
            guard isInvited else {
                draft.introduced = actor.id
                try draft.seat(wish, note: text, by: actor.id, in: zone, now: now)
                return
            }
            if let refused = try draft.answer(to: wish, by: actor.id, in: zone, now: now) {
                throw Refusal(refused, in: draft.meeting, isOwn: true)
            }
            try draft.answer(.going, of: actor, by: actor, plus: plus, note: note)
            draft.introduced = actor.id
            try tell(of: actor, in: &draft, by: actor, number: number.text)
        }
    }

    /// Lets the actor leave a meeting that they joined, the waiting list, or a request to join. Who
    /// was invited declines.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - saving: true to save it; false for a preview.
    /// - Returns: the meeting.
    /// - Throws: ``Refusal`` with `own_meeting`, `not_joined`, `meeting_over`, `meeting_cancelled`,
    ///   or `unknown_meeting`.
    public func leave(
        _ id: MeetingID, on date: String? = nil, saving: Bool
    ) async throws -> SeatOutcome {
        let isOpen = try await store.mayJoin(actor.id, id)
        let number: Identifier<Answer> = surroundings.chance.id()
        var outcome = try await changeSeat(id, on: date, ifOpen: isOpen, saving: saving) { draft in
            let place = draft.participants.firstIndex { $0.person == actor.id && !$0.isRemoved }
            let isInvited = place.map { !draft.participants[$0].isJoined } ?? false
            let zone = try zone(named: draft.meeting.time.zone)
            if let refused = try draft.answer(
                to: .leave(actor.id), by: actor.id, in: zone, now: now)
            {
                throw Refusal(refused, in: draft.meeting, isOwn: true)
            }
            guard isInvited else {
                if date == nil { draft.forgetDates(of: actor.id) }
                try draft.seat(.leave(actor.id), by: actor.id, in: zone, now: now)
                return
            }
            try draft.answer(.declined, of: actor, by: actor, plus: 0, note: nil)
            try tell(of: actor, in: &draft, by: actor, number: number.text)
        }
        outcome = outcome.leaving
        return outcome
    }

    /// Changes the actor's seat in one transaction.
    private func changeSeat(
        _ id: MeetingID, on date: String?, ifOpen isOpen: Bool, saving: Bool,
        change: @escaping @Sendable (inout MeetingDraft) throws -> Void
    ) async throws -> SeatOutcome {
        try await checkSees(id, ifOpen: isOpen)
        let outcome = try await revise(
            id, on: date, nil, joining: [actor.id], reason: "somebody joined or left",
            saving: saving
        ) { draft in
            guard isOpen || mayShow(draft.before) || draft.before.hasAsked(actor.id) else {
                throw Refusal.unknownMeeting(id.text)
            }
            guard draft.meeting.organizer != actor.id else {
                throw Refusal(.ownMeeting, in: draft.meeting, isOwn: true)
            }
            try change(&draft)
        }
        guard let revision = outcome.plan else { throw Refusal.unknownMeeting(id.text) }
        let standing = revision.standing(of: actor.id)
        return SeatOutcome(
            meeting: outcome.meeting, result: standing.map(Self.result) ?? "left",
            position: outcome.meeting.seating?.position, notifications: outcome.notifications,
            daemon: outcome.daemon, remarks: outcome.remarks)
    }

    /// Checks that the actor sees a meeting, before anything else is said about it or its dates.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    private func checkSees(_ id: MeetingID, ifOpen isOpen: Bool = false) async throws {
        guard let bundle = try await store.meetingFacts(id),
            isOpen || mayShow(bundle) || bundle.hasAsked(actor.id)
        else { throw Refusal.unknownMeeting(id.text) }
    }

    private static func result(_ standing: SeatStanding) -> String {
        switch standing {
        case .going: "joined"
        case .waiting: "waiting"
        case .requested, .refused: "requested"
        }
    }

    /// The requests to join a meeting, for its organizer, in the order in which they came.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting` or `not_organizer`.
    public func seatRequests(of id: MeetingID) async throws -> [SeatRequestLine] {
        guard let bundle = try await store.meetingFacts(id) else {
            throw Refusal.unknownMeeting(id.text)
        }
        guard mayShow(bundle) else { throw Refusal.unknownMeeting(id.text) }
        try drafting.checkMayChange(bundle.meeting)
        let own = try zone(named: bundle.meeting.time.zone)
        return bundle.joinRequests.flatMap { date, requests in
            requests.compactMap { request in
                bundle.people[request.person].map { person in
                    (
                        request.asked,
                        SeatRequestLine(
                            request, of: person, on: date,
                            at: Timestamp(request.at, in: own, reader: zone))
                    )
                }
            }
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Approves or refuses requests to join a meeting.
    ///
    /// - Parameters:
    ///   - isAdmitted: true to approve them.
    ///   - people: the people who asked.
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - saving: true to save it; false for a preview.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal`` with `unknown_meeting`, `not_organizer`, `not_joined`,
    ///   `already_joined`, `meeting_full` and others.
    public func decide(
        admitting isAdmitted: Bool, _ people: [Person], in id: MeetingID, on date: String? = nil,
        saving: Bool
    ) async throws -> MeetingOutcome {
        try await checkSees(id)
        return try await revise(
            id, on: date, nil, joining: people.map(\.id), reason: "the organizer decided",
            saving: saving
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            let zone = try zone(named: draft.meeting.time.zone)
            for person in people {
                try draft.seat(
                    isAdmitted ? .admit(person.id) : .refuse(person.id), by: actor.id, in: zone,
                    now: now)
            }
        }
    }

    /// Confirms that a meeting takes place before the deadline of its minimum, because enough
    /// people have joined.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`, `not_organizer` or `too_few_joined`.
    public func confirmMeeting(_ id: MeetingID, saving: Bool) async throws -> MeetingOutcome {
        try await checkSees(id)
        return try await revise(
            id, nil, reason: "the organizer confirmed it", saving: saving
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: "confirmed")
            let zone = try zone(named: draft.meeting.time.zone)
            guard let joined = draft.seats(in: zone, now: now)?.takenByOthers,
                let confirmed = draft.meeting.seating?.quorum?.confirmed(joined: joined, now: now)
            else {
                throw Refusal(
                    .refused, code: "too_few_joined",
                    "\(draft.meeting.title) cannot be confirmed: too few people have joined, or it "
                        + "is decided already.")
            }
            draft.meeting.seating?.quorum = confirmed
        }
    }

    /// Removes a person from the coming meetings of the actor, with their requests to join, because
    /// the actor blocks them. Seats that become free are given to those who wait.
    ///
    /// - Parameter person: the person.
    /// - Throws: ``StoreError``.
    public func dismiss(_ person: Person) async throws {
        let ids = try await store.meetings(
            with: person.id, of: actor.id, endingAfter: now, limit: Self.dismissedMax)
        for id in ids where person.id != actor.id {
            _ = try await revise(
                id, .uninvited, reason: "no longer invited", saving: true
            ) { draft in draft.remove(person.id) }
        }
    }

    /// The most meetings from which a blocked person is removed at once.
    private static let dismissedMax = 10_000
}

extension MeetingDraft {
    /// The answer to a request if it is refused, without carrying it out; `nil` if it is not.
    func answer(
        to request: SeatRequest, by actor: PersonID, in zone: Zone, now: Moment
    ) throws(Refusal) -> SeatAnswer? {
        let roster = SeatRoster(participants: participants)
        let plan =
            seats(in: zone, now: now)
            ?? roster.plan(
                by: Seating(), organizer: meeting.organizer,
                phase: SeatPhase(of: meeting.status, endsAt: meeting.endsAt, now: now))
        let answer = plan.apply(request, by: actor).answer
        return answer.refusalCode == nil ? nil : answer
    }
}

extension MeetingBundle {
    /// True if a person asked to join the meeting or one of its dates.
    func hasAsked(_ person: PersonID) -> Bool {
        joinRequests.values.joined().contains { $0.person == person }
    }
}

extension MeetingRevision {
    /// The standing of a person after a change of the meeting or of one date.
    fileprivate func standing(of person: PersonID) -> SeatStanding? {
        let name = date?.name ?? ""
        let own = name.isEmpty ? [] : dateParticipants?[name] ?? []
        let said = participants.on(own).first { $0.person == person && !$0.isRemoved }
        switch said?.answer {
        case .going: return .going
        case .waiting: return .waiting
        default:
            let request = joinRequests?[name]?.first { $0.person == person }
            return request.map { $0.isRefused ? .refused : .requested }
        }
    }
}

extension SeatOutcome {
    /// The outcome of leaving, whatever the standing is now.
    fileprivate var leaving: SeatOutcome {
        SeatOutcome(
            meeting: meeting, result: "left", position: nil, notifications: notifications,
            daemon: daemon, remarks: remarks)
    }
}

extension SeatRequestLine {
    fileprivate init(_ request: JoinRequest, of person: Person, on date: String, at: Timestamp) {
        self.init(
            id: person.id.text, name: person.name,
            address: person.address.isEmpty ? nil : person.address, plus: request.plus,
            note: request.note, occurrence: date.isEmpty ? nil : date, refused: request.isRefused,
            at: at)
    }
}
