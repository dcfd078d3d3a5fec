import Agenda
import Ledger
import Timekeeping

/// News about a seat, on one date of a series or in the whole meeting.
struct SeatNews: Sendable {
    let notice: SeatNotice
    /// The number of guests that the person brings.
    let plus: Int
    /// The name of the date; empty for the whole meeting.
    let date: String
}

/// Giving seats. Every change of answers passes here in the transaction that saves it.
extension MeetingDraft {
    /// The seats by the present rules, as they were given last.
    ///
    /// - Parameters:
    ///   - zone: the rules of the meeting's time zone.
    ///   - now: the current time.
    /// - Returns: the seats; `nil` for a meeting without rules for seats.
    func seats(in zone: Zone, now: Moment) -> SeatPlan? {
        guard let seating = meeting.seating else { return nil }
        // The people of a new meeting, or of the rest of a series, have their seats.
        var known =
            isNew && occurrence.isEmpty
            ? roster
            : SeatRoster(
                participants: before.participants, requests: before.joinRequests[""] ?? [],
                waitingForAll: before.waitingForAll)
        known.takenOnDates = takenOnDates(in: zone, now: now)
        let plan = known.plan(by: seating, organizer: meeting.organizer, phase: phase(now))
        guard let seated else { return plan }
        var given = SeatPlan(
            organizer: plan.organizer, seats: plan.seats, hasWaitingList: plan.hasWaitingList,
            needsApproval: plan.needsApproval, isOpen: plan.isOpen, phase: plan.phase,
            members: seated, lastAsked: plan.lastAsked)
        given.takenOnDates = plan.takenOnDates
        return given
    }

    private func phase(_ now: Moment) -> SeatPhase {
        SeatPhase(of: meeting.status, endsAt: meeting.endsAt, now: now)
    }

    private var roster: SeatRoster {
        SeatRoster(
            participants: participants, requests: joinRequests[""] ?? [],
            waitingForAll: before.waitingForAll)
    }

    private func takenOnDates(in zone: Zone, now: Moment) -> Int {
        guard occurrence.isEmpty, meeting.series != nil else { return 0 }
        return Meeting.seatsTakenOnDates(
            beside: participants,
            ownDates(in: zone, now: now).map { participants.on(dateParticipants[$0.name] ?? []) })
    }

    /// The coming dates that have people or requests of their own.
    private func ownDates(in zone: Zone, now: Moment) -> [SeriesDate] {
        Set(dateParticipants.keys).union(joinRequests.keys).subtracting([""]).sorted()
            .compactMap { meeting.date(named: $0, in: zone) }
            .filter { $0.isOn && $0.time.endsAt > now }
    }

    /// Gives seats after answers were changed, and carries out a request.
    ///
    /// - Parameters:
    ///   - request: the request; `nil` for none.
    ///   - note: the note of a person who joins.
    ///   - actor: the person who acts.
    ///   - zone: the rules of the meeting's time zone.
    ///   - now: the current time.
    /// - Returns: the answer to the request, which was not refused.
    /// - Throws: ``Refusal`` if a person cannot have what they ask for.
    @discardableResult
    mutating func seat(
        _ request: SeatRequest? = nil, note: String = "", by actor: PersonID, in zone: Zone,
        now: Moment
    ) throws(Refusal) -> SeatAnswer {
        guard var plan = seats(in: zone, now: now) else { return .settled }
        let actor = isAutomatic ? nil : actor
        var roster = roster
        let changed = plan.phase == .coming ? roster.requests(since: plan) : []
        var answer = SeatAnswer.settled
        for next in changed + [request ?? .settle] {
            let decision = plan.apply(next, by: actor)
            answer = decision.answer
            let isFinal = next == request
            if answer.refusalCode != nil, isFinal || next.isWish {
                throw Refusal(answer, in: meeting, isOwn: next.person == actor)
            }
            noteNews(of: decision, since: plan)
            plan = decision.plan
        }
        if let person = request?.leaver {
            roster.leave(person, staying: before.membersOfAll.contains(person))
        }
        guard plan.phase == .coming || request != nil else {
            seated =
                SeatRoster(
                    participants: participants, requests: roster.requests,
                    waitingForAll: before.waitingForAll
                ).plan(
                    by: meeting.seating ?? Seating(), organizer: plan.organizer, phase: plan.phase
                )
                .members
            return answer
        }
        roster.take(plan, note: note, revision: meeting.revision, now: now)
        participants = roster.participants
        joinRequests[""] = roster.requests.isEmpty ? nil : roster.requests
        meeting.seating?.lastAsked = plan.lastAsked
        seated = plan.members
        return answer
    }

    private mutating func noteNews(of decision: SeatDecision, since plan: SeatPlan) {
        seatNews += decision.notices.map { notice in
            let member = decision.plan.member(notice.person) ?? plan.member(notice.person)
            return SeatNews(notice: notice, plus: member?.plus ?? 0, date: occurrence)
        }
    }

    /// Promotes people who wait for single dates of a series, on which seats became free.
    mutating func seatOnDates(by actor: PersonID, in zone: Zone, now: Moment) {
        guard occurrence.isEmpty, meeting.series != nil, let seating = meeting.seating else {
            return
        }
        for date in ownDates(in: zone, now: now) {
            let special = dateParticipants[date.name] ?? []
            var roster = SeatRoster(
                all: participants, special: special, requests: joinRequests[date.name] ?? [])
            let plan = roster.plan(
                by: seating, organizer: meeting.organizer,
                phase: SeatPhase(of: meeting.status, endsAt: date.time.endsAt, now: now))
            let decision = plan.apply(.settle, by: isAutomatic ? nil : actor)
            guard decision.plan != plan else { continue }
            let waited = Set(plan.waiting.map(\.person))
            roster.take(decision.plan, revision: meeting.revision, now: now)
            dateParticipants[date.name] = special.on(
                roster.participants.filter { waited.contains($0.person) })
            seatNews += decision.notices.map {
                SeatNews(
                    notice: $0, plus: decision.plan.member($0.person)?.plus ?? 0, date: date.name)
            }
        }
    }

    /// Removes a person from the meeting and from all its dates, with their requests to join, so
    /// that their seats become free.
    mutating func remove(_ person: PersonID) {
        for place in participants.indices where participants[place].person == person {
            participants[place].isRemoved = true
        }
        forgetDates(of: person)
        for date in joinRequests.keys {
            joinRequests[date]?.removeAll { $0.person == person }
            if joinRequests[date]?.isEmpty == true { joinRequests[date] = nil }
        }
    }
}

extension SeatRequest {
    /// The person who asks for a seat or a larger party; `nil` for other requests.
    fileprivate var person: PersonID? {
        switch self {
        case .join(let person, _, _), .leave(let person), .declinePromotion(let person, _),
            .setPlus(let person, _), .remove(let person), .admit(let person),
            .refuse(let person):
            person
        case .setSeats, .setWaitingList, .setApproval, .settle: nil
        }
    }

    /// The person who gives back a seat; `nil` for other requests.
    fileprivate var leaver: PersonID? {
        switch self {
        case .leave(let person), .declinePromotion(let person, _): person
        default: nil
        }
    }

    /// True if it can be refused although the answer was already entered.
    fileprivate var isWish: Bool {
        switch self {
        case .join, .setPlus: true
        default: false
        }
    }
}
