/// Carries out one request for a seat. Each step expects that nobody waits who would fit, and
/// ``settle()`` makes it so.
struct SeatTransaction {
    /// The seats so far.
    private(set) var plan: SeatPlan
    /// The messages so far.
    private(set) var notices: [SeatNotice] = []
    /// The person who makes the request; `nil` if it is the installation.
    private let actor: PersonID?

    init(_ plan: SeatPlan, actor: PersonID?) {
        self.plan = plan
        self.actor = actor
    }

    /// Promotes all who wait and fit, in the order in which they asked.
    mutating func settle() {
        guard plan.phase == .coming else { return }
        var free = plan.free ?? .max
        for index in plan.members.indices where plan.members[index].standing == .waiting {
            let member = plan.members[index]
            guard member.seats <= free else { continue }
            free -= member.seats
            plan.members[index].standing = .going
            note(.promoted, member)
            note(.joined, member)
        }
    }

    /// Carries out a request of any kind.
    mutating func perform(_ request: SeatRequest) -> SeatAnswer {
        if case .join(let person, _, false) = request, isHidden(from: person) { return .notOpen }
        if let refusal = plan.phase.refusal, !request.isRemoval { return refusal }
        switch request {
        case .join(let person, let plus, let isInvited):
            return join(person, plus: bounded(plus), isInvited: isInvited)
        case .leave(let person): return leave(person)
        case .declinePromotion(let person, let asked): return decline(person, asked: asked)
        case .setPlus(let person, let plus): return resize(person, plus: bounded(plus))
        case .remove(let person): return remove(person)
        case .admit(let person): return admit(person)
        case .refuse(let person): return refuse(person)
        case .setSeats(let seats, let isConfirmed):
            return setSeats(seats, isConfirmed: isConfirmed)
        case .setWaitingList(let isOn):
            plan.hasWaitingList = isOn
            return .waitingListSet(waiting: plan.waiting.count)
        case .setApproval(let isOn): return setApproval(isOn)
        case .settle: return .settled
        }
    }

    /// A number of guests as far as it matters: one above the limit stands for all higher ones.
    private func bounded(_ plus: Int) -> Int {
        min(max(plus, 0), Participant.plusMax + 1)
    }

    /// Adds a message, unless the organizer would get it about their own request.
    private mutating func note(_ kind: SeatNotice.Kind, _ member: SeatMember) {
        guard !kind.isForOrganizer || actor != plan.organizer else { return }
        notices.append(SeatNotice(kind, person: member.person, asked: member.asked))
    }
}

// MARK: - Joining

extension SeatTransaction {
    private mutating func join(_ person: PersonID, plus: Int, isInvited: Bool) -> SeatAnswer {
        guard person != plan.organizer else { return .ownMeeting }
        let known = plan.member(person)
        if let known, let answer = standingAnswer(to: known, isInvited: isInvited) {
            return answer
        }
        let isRequest = plan.needsApproval && !isInvited
        if !isRequest, let refusal = entryRefusal(seats: 1 + plus) { return refusal }
        guard plus < plan.largestParty else { return .partyTooLarge(largest: plan.largestParty) }
        let asked = serial(after: known)
        return enter(
            SeatMember(
                person: person, plus: plus, standing: isRequest ? .requested : .waiting,
                asked: asked))
    }

    /// True if a person who is not invited has nothing to do with the meeting. They should not even
    /// learn that it is over or cancelled.
    private func isHidden(from person: PersonID) -> Bool {
        !plan.isOpen && plan.member(person) == nil
    }

    /// The answer to somebody who is known and wants to join; `nil` if their request can be carried
    /// out: it needs no approval any more, or they were invited after a refusal.
    private func standingAnswer(to member: SeatMember, isInvited: Bool) -> SeatAnswer? {
        switch member.standing {
        case .going: .alreadyIn
        case .waiting: .alreadyWaiting(position: plan.position(of: member.person) ?? 1)
        case .requested: plan.needsApproval && !isInvited ? .alreadyRequested : nil
        case .refused: isInvited ? nil : .notAdmitted
        }
    }

    /// The serial number of a new request. An open request keeps its number.
    private mutating func serial(after known: SeatMember?) -> Int {
        if let known, known.standing == .requested { return known.asked }
        plan.lastAsked += 1
        return plan.lastAsked
    }

    /// The answer to a party that finds no seats and cannot wait; `nil` if it finds some or can.
    private func entryRefusal(seats: Int) -> SeatAnswer? {
        guard !plan.hasWaitingList, !plan.fits(seats), let free = plan.free else { return nil }
        return free == 0 ? .full : .partyTooLarge(largest: free)
    }

    /// Adds a member, and gives them seats if they fit.
    private mutating func enter(_ newcomer: SeatMember) -> SeatAnswer {
        var member = newcomer
        if member.standing == .waiting, plan.fits(member.seats) { member.standing = .going }
        plan.members.removeAll { $0.person == member.person }
        let place = plan.members.firstIndex { SeatMember.isBefore(member, $0) }
        plan.members.insert(member, at: place ?? plan.members.endIndex)
        switch member.standing {
        case .going:
            note(.joined, member)
            return .joined
        case .waiting: return .waiting(position: plan.position(of: member.person) ?? 1)
        case .requested, .refused:
            note(.requested, member)
            return .requested
        }
    }
}

// MARK: - Leaving

extension SeatTransaction {
    private mutating func leave(_ person: PersonID) -> SeatAnswer {
        guard person != plan.organizer else { return .ownMeeting }
        guard let index = plan.index(of: person), plan.members[index].standing != .refused else {
            return .notIn
        }
        let member = plan.members.remove(at: index)
        if member.standing == .going { note(.left, member) }
        return .left(member.standing)
    }

    private mutating func decline(_ person: PersonID, asked: Int) -> SeatAnswer {
        guard let member = plan.member(person), member.standing != .refused else { return .notIn }
        guard member.asked == asked, member.standing == .going else { return .promotionPassed }
        return leave(person)
    }

    private mutating func remove(_ person: PersonID) -> SeatAnswer {
        guard person != plan.organizer else { return .ownMeeting }
        guard let index = plan.index(of: person) else { return .notIn }
        plan.members.remove(at: index)
        return .removed
    }

    private mutating func resize(_ person: PersonID, plus: Int) -> SeatAnswer {
        guard let index = plan.index(of: person), plan.members[index].standing != .refused else {
            return .notIn
        }
        let largest = largestSize(of: plan.members[index])
        guard plus < largest || plus <= plan.members[index].plus else {
            return .partyTooLarge(largest: largest)
        }
        plan.members[index].plus = plus
        guard plan.members[index].standing == .waiting, plan.fits(1 + plus) else {
            return .partySet(seats: 1 + plus)
        }
        plan.members[index].standing = .going
        if actor != person { note(.promoted, plan.members[index]) }
        note(.joined, plan.members[index])
        return .joined
    }

    /// The largest number of seats that a member's party can change to.
    private func largestSize(of member: SeatMember) -> Int {
        guard member.standing == .going else { return plan.largestParty }
        let most = 1 + Participant.plusMax
        return plan.free.map { min(member.seats + $0, most) } ?? most
    }
}

// MARK: - The organizer's decisions

extension SeatTransaction {
    private mutating func admit(_ person: PersonID) -> SeatAnswer {
        guard let member = plan.member(person) else { return .notIn }
        switch member.standing {
        case .going: return person == plan.organizer ? .ownMeeting : .alreadyIn
        case .waiting: return .alreadyWaiting(position: plan.position(of: person) ?? 1)
        case .requested, .refused: break
        }
        if let refusal = entryRefusal(seats: member.seats) { return refusal }
        guard member.seats <= plan.largestParty else {
            return .partyTooLarge(largest: plan.largestParty)
        }
        return .admitted(position: approve(person))
    }

    /// Gives a person who asked seats, or else a place on the waiting list.
    ///
    /// - Returns: the place; `nil` if they have seats.
    private mutating func approve(_ person: PersonID) -> Int? {
        guard let index = plan.index(of: person) else { return nil }
        let fits = plan.fits(plan.members[index].seats)
        plan.members[index].standing = fits ? .going : .waiting
        note(fits ? .admitted : .queued, plan.members[index])
        if fits { note(.joined, plan.members[index]) }
        return plan.position(of: person)
    }

    private mutating func refuse(_ person: PersonID) -> SeatAnswer {
        guard let index = plan.index(of: person) else { return .notIn }
        switch plan.members[index].standing {
        case .going: return person == plan.organizer ? .ownMeeting : .alreadyIn
        case .waiting: return .alreadyWaiting(position: plan.position(of: person) ?? 1)
        case .refused: return .notAdmitted
        case .requested: break
        }
        plan.members[index].standing = .refused
        note(.refused, plan.members[index])
        return .refused
    }

    private mutating func setSeats(_ seats: Int?, isConfirmed: Bool) -> SeatAnswer {
        guard let seats else {
            plan.seats = nil
            return .seatsSet(over: 0)
        }
        guard seats >= 1 else { return .tooFewSeats }
        let over = max(plan.taken - seats, 0)
        let isLower = plan.seats.map { seats < $0 } ?? true
        guard over == 0 || !isLower || isConfirmed else { return .seatsBelowGoing(over: over) }
        plan.seats = seats
        return .seatsSet(over: over)
    }

    /// Turns approval on or off. Without it, open requests are carried out; those that find no
    /// seats and no waiting list stay open.
    private mutating func setApproval(_ isOn: Bool) -> SeatAnswer {
        plan.needsApproval = isOn
        let open = isOn ? [] : plan.requests
        for member in open where entryRefusal(seats: member.seats) == nil {
            _ = approve(member.person)
        }
        return .approvalSet(requests: plan.requests.count)
    }
}
