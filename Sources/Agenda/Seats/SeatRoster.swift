public import Ledger
public import Timekeeping

/// The people of a meeting, or of one date of a series, as far as seats are concerned: the bridge
/// between stored answers and the rules of ``SeatPlan``.
///
/// Who is going takes seats, also if they answered for an old time of the meeting: they keep their
/// seats until they answer again. Who is invited, answered maybe or declined takes none.
///
/// The seats of a series are counted date by date. A person who is going to all dates takes a seat
/// on each date except those that they declined. Who joins all dates needs room on each of the
/// coming dates that have people of their own. Who joins a single date counts there alone.
public struct SeatRoster: Equatable, Sendable {
    /// The participants: of the meeting, or on the date.
    public var participants: [Participant]
    /// The requests to join on which the organizer has not decided, or which they refused.
    public var requests: [JoinRequest]
    /// The people who wait for all dates of a series. They do not wait for this date.
    public var waitingForAll: Set<PersonID>
    /// For a whole series, the most seats that single dates need beyond those of the series.
    public var takenOnDates = 0

    /// Creates a roster.
    ///
    /// - Parameters:
    ///   - participants: the participants.
    ///   - requests: the requests to join.
    ///   - waitingForAll: the people who wait for all dates of a series.
    public init(
        participants: [Participant], requests: [JoinRequest] = [],
        waitingForAll: Set<PersonID> = []
    ) {
        self.participants = participants
        self.requests = requests
        self.waitingForAll = waitingForAll
    }

    /// The roster of one date of a series.
    ///
    /// - Parameters:
    ///   - all: the participants of the series.
    ///   - special: those who differ on the date.
    ///   - requests: the requests to join the date.
    public init(all: [Participant], special: [Participant], requests: [JoinRequest] = []) {
        let own = Set(special.map(\.person))
        self.init(
            participants: all.on(special), requests: requests,
            waitingForAll: Set(all.filter { $0.answer == .waiting }.map(\.person)).subtracting(own))
    }
}

extension SeatRoster {
    /// The seats by the rules of the organizer.
    ///
    /// - Parameters:
    ///   - seating: the rules.
    ///   - organizer: the organizer.
    ///   - phase: the phase of the meeting or date.
    /// - Returns: the seats.
    public func plan(
        by seating: Seating, organizer: PersonID, phase: SeatPhase
    ) -> SeatPlan {
        var plan = SeatPlan(
            organizer: organizer, seats: seating.seats, hasWaitingList: seating.hasWaitingList,
            needsApproval: seating.needsApproval, isOpen: seating.audience != nil, phase: phase,
            members: members, lastAsked: seating.lastAsked)
        plan.takenOnDates = takenOnDates
        return plan
    }

    private var members: [SeatMember] {
        let present = participants.compactMap { participant in
            standing(of: participant).map {
                SeatMember(
                    person: participant.person, plus: participant.plus, standing: $0,
                    asked: participant.asked ?? 0)
            }
        }
        let known = Set(present.map(\.person))
        return present
            + requests.filter { !known.contains($0.person) }.map {
                SeatMember(
                    person: $0.person, plus: $0.plus,
                    standing: $0.isRefused ? .refused : .requested, asked: $0.asked)
            }
    }

    /// The standing of a participant; `nil` if they neither have a seat nor wait for one.
    private func standing(of participant: Participant) -> SeatStanding? {
        guard !participant.isRemoved else { return nil }
        switch participant.answer {
        case .going: return .going
        case .waiting: return waitingForAll.contains(participant.person) ? nil : .waiting
        case .invited, .maybe, .declined: return nil
        }
    }

    /// The requests for seats that follow from answers that were changed, entered or removed.
    /// People who give seats back come first.
    ///
    /// - Parameter plan: the seats before.
    /// - Returns: the requests, to be carried out in this order.
    public func requests(since plan: SeatPlan) -> [SeatRequest] {
        let people = Dictionary(
            participants.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        var (leaving, changing): ([SeatRequest], [SeatRequest]) = ([], [])
        for member in plan.going + plan.waiting {
            guard let now = people[member.person], standing(of: now) != nil else {
                guard member.person != plan.organizer else { continue }
                let isOwn = people[member.person].map { !$0.isRemoved || $0.hasLeft } ?? false
                leaving.append(isOwn ? .leave(member.person) : .remove(member.person))
                continue
            }
            if now.plus != member.plus { changing.append(.setPlus(member.person, now.plus)) }
        }
        // A request that was withdrawn together with its person is not kept.
        let asking = Set(requests.map(\.person))
        leaving += plan.members.filter {
            [.requested, .refused].contains($0.standing) && !asking.contains($0.person)
        }.map { .remove($0.person) }
        let known = Set((plan.going + plan.waiting).map(\.person))
        let new = participants.filter { standing(of: $0) != nil && !known.contains($0.person) }
        return leaving + changing
            + new.map { .join($0.person, plus: $0.plus, isInvited: !$0.isJoined) }
    }

    /// Takes over the seats after requests were carried out.
    ///
    /// - Parameters:
    ///   - plan: the seats.
    ///   - note: the note that a person wrote with a new request to join.
    ///   - revision: the revision of the meeting that people know who join it now.
    ///   - now: the current time.
    public mutating func take(_ plan: SeatPlan, note: String = "", revision: Int, now: Moment) {
        for member in plan.members where [.going, .waiting].contains(member.standing) {
            take(member, note: note, revision: revision, organizer: plan.organizer)
        }
        let known = Dictionary(
            requests.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        requests = plan.members.filter { [.requested, .refused].contains($0.standing) }.map {
            JoinRequest(
                person: $0.person, plus: $0.plus, note: known[$0.person]?.note ?? note,
                asked: $0.asked, isRefused: $0.standing == .refused,
                at: known[$0.person]?.at ?? now)
        }
    }

    private mutating func take(
        _ member: SeatMember, note: String, revision: Int, organizer: PersonID
    ) {
        let answer: Answer = member.standing == .going ? .going : .waiting
        let place = participants.firstIndex { $0.person == member.person }
        if let place, !participants[place].isRemoved {
            participants[place].answer = answer
            participants[place].plus = member.plus
            if member.person != organizer, member.asked > 0 {
                participants[place].asked = member.asked
            }
            return
        }
        guard member.person != organizer else { return }
        let request = requests.first { $0.person == member.person }
        var joined = Participant(
            person: member.person, answer: answer, plus: member.plus,
            note: request?.note ?? note)
        joined.asked = member.asked
        joined.joinedRevision = revision
        if let place {
            participants[place] = joined
        } else {
            participants.append(joined)
        }
    }

    /// Lets a person who gave back their seat, and had joined without an invitation, leave the
    /// meeting. Who was invited stays, and has declined.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - isStaying: true if they take part in the whole series, and leave this date only.
    public mutating func leave(_ person: PersonID, staying isStaying: Bool = false) {
        requests.removeAll { $0.person == person && !$0.isRefused }
        guard let place = participants.firstIndex(where: { $0.person == person }) else { return }
        participants[place].answer = .declined
        participants[place].plus = 0
        participants[place].answeredBy = nil
        participants[place].proposal = nil
        (participants[place].answeredFor, participants[place].isOutdated) = (nil, false)
        if participants[place].isJoined, !isStaying { participants[place].isRemoved = true }
    }
}

extension Meeting {
    /// The most seats that single dates of a series need beyond those of the series.
    ///
    /// - Parameters:
    ///   - all: the participants of the series.
    ///   - dates: the participants on the coming dates that have people of their own.
    /// - Returns: the number, at least 0.
    public static func seatsTakenOnDates(beside all: [Participant], _ dates: [[Participant]]) -> Int
    {
        func taken(_ people: [Participant]) -> Int {
            people.filter { $0.answer == .going && !$0.isRemoved }.reduce(0) { $0 + 1 + $1.plus }
        }
        let whole = taken(all)
        return max(dates.map { taken($0) - whole }.max() ?? 0, 0)
    }
}
