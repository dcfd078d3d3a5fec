/// The seats of a meeting, or of one date of a series: who has one, who waits for one, and the
/// rules by which people get them.
///
/// ```swift
/// var plan = SeatPlan(organizer: anna, seats: 2)
/// plan = plan.apply(.join(ben), by: ben).plan           // joined
/// let decision = plan.apply(.join(carl), by: carl)      // waiting(position: 1)
/// decision.plan.apply(.leave(ben), by: ben).promoted    // carl
/// ```
///
/// Only people who are going take seats. The organizer is one of them, and each guest that somebody
/// brings takes a seat too. People who are invited, answer maybe or decline take none. So no seat
/// is reserved for invited people: if they answer yes when the meeting is full, they wait.
///
/// Seats are given in the order in which people asked. When seats become free, they go to the first
/// on the waiting list whose whole party fits, then to the next who fits, and so on. If a party of
/// 3 is first and 2 seats are free, a party of 1 or 2 behind it is promoted. The party of 3 keeps
/// its place, and is promoted when 3 seats are free at once or it brings fewer guests. Nobody who
/// asks later gets a seat for which somebody who waits would fit.
///
/// Nobody loses a seat when the organizer lowers the number of seats: then more are taken than
/// there are, and none is given until enough people have left.
public struct SeatPlan: Equatable, Sendable {
    /// The person who plans the meeting. They always have a seat.
    public let organizer: PersonID
    /// The number of seats, at least 1, with the organizer's own; `nil` if it is not limited.
    public internal(set) var seats: Int?
    /// True if people who find no seat can wait for one. If it is turned off, those who already
    /// wait keep their places and are still promoted.
    public internal(set) var hasWaitingList: Bool
    /// True if the organizer decides on each request to join. Invited people need no approval.
    public internal(set) var needsApproval: Bool
    /// True if people who are not invited can join.
    public var isOpen: Bool
    /// The phase of the meeting.
    public var phase: SeatPhase
    /// The people who asked for seats, each once, in the order in which they asked.
    public internal(set) var members: [SeatMember]
    /// The highest serial number that was ever given to a request for a seat. Store it with the
    /// meeting: after the last person has left, the members no longer show it.
    public internal(set) var lastAsked: Int
    /// For a whole series, the most seats that people who joined single dates take beside those who
    /// joined the series. They are on no list here, but their seats are not free.
    public var takenOnDates = 0

    /// Creates a plan from stored values.
    ///
    /// - Parameters:
    ///   - organizer: the organizer, who gets a seat if `members` does not have them as going.
    ///   - seats: the number of seats; `nil` for no limit. A number below 1 counts as 1.
    ///   - hasWaitingList: true if people can wait for a seat.
    ///   - needsApproval: true if the organizer decides on each request to join.
    ///   - isOpen: true if people who are not invited can join.
    ///   - phase: the phase of the meeting.
    ///   - members: the people who asked for seats, in any order. If a person occurs twice, the
    ///     earlier request counts.
    ///   - lastAsked: the highest serial number that was ever given to a request.
    public init(
        organizer: PersonID, seats: Int? = nil, hasWaitingList: Bool = true,
        needsApproval: Bool = false, isOpen: Bool = true, phase: SeatPhase = .coming,
        members: [SeatMember] = [], lastAsked: Int = 0
    ) {
        self.organizer = organizer
        self.seats = seats.map { max($0, 1) }
        self.hasWaitingList = hasWaitingList
        self.needsApproval = needsApproval
        self.isOpen = isOpen
        self.phase = phase
        self.members = Self.ordered(members, organizer: organizer)
        self.lastAsked = max(lastAsked, members.map(\.asked).max() ?? 0)
    }

    /// The members in the order in which they asked, each once, with the organizer going.
    private static func ordered(_ members: [SeatMember], organizer: PersonID) -> [SeatMember] {
        var known: Set<PersonID> = []
        var list = members.sorted(by: SeatMember.isBefore).filter {
            known.insert($0.person).inserted
        }
        if let index = list.firstIndex(where: { $0.person == organizer }) {
            list[index].standing = .going
        } else {
            list.insert(SeatMember(person: organizer, standing: .going, asked: 0), at: 0)
            list.sort(by: SeatMember.isBefore)
        }
        return list
    }
}

extension SeatPlan {
    /// Decides on a request for a seat.
    ///
    /// The decision depends only on the plan, the request and the actor, and each request gets one.
    /// Store its plan and its messages in one transaction.
    ///
    /// First, people who wait and fit are promoted, which happens only if the plan was changed in
    /// another way. Then the request is carried out or refused, and seats that it made free are
    /// given to those who wait. A refused request changes nothing.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - actor: the person who makes it; `nil` if the installation makes it, for example when a
    ///     person is erased. The organizer gets no message about their own requests.
    /// - Returns: the seats afterwards, the answer for the actor, and the messages that follow.
    public func apply(_ request: SeatRequest, by actor: PersonID?) -> SeatDecision {
        var transaction = SeatTransaction(self, actor: actor)
        transaction.settle()
        let answer = transaction.perform(request)
        transaction.settle()
        return SeatDecision(
            plan: transaction.plan, answer: answer, notices: transaction.notices)
    }
}

extension SeatPlan {
    /// The people who have seats, in the order in which they asked.
    public var going: [SeatMember] { members(.going) }

    /// The waiting list, in its order.
    public var waiting: [SeatMember] { members(.waiting) }

    /// The requests on which the organizer has not decided, in the order in which they came.
    public var requests: [SeatMember] { members(.requested) }

    /// The number of seats that are taken. It can be above ``seats`` after these were lowered.
    public var taken: Int { going.reduce(0) { $0 + $1.seats } }

    /// The number of seats that are taken by everybody except the organizer: the people who joined,
    /// and all guests.
    public var takenByOthers: Int { taken - 1 }

    /// The number of free seats, at least 0; `nil` if seats are not limited.
    public var free: Int? { seats.map { max($0 - taken - takenOnDates, 0) } }

    /// The number of people who are going beyond the number of seats, at least 0.
    public var over: Int { seats.map { max(taken - $0, 0) } ?? 0 }

    /// The largest party that could get seats if everybody but the organizer left, at least 1. A
    /// larger one could wait forever, so it is refused.
    public var largestParty: Int {
        let most = 1 + Participant.plusMax
        guard let seats else { return most }
        return min(max(seats - (member(organizer)?.seats ?? 1), 1), most)
    }

    /// The request of a person; `nil` if they did not ask for a seat, or left.
    public func member(_ person: PersonID) -> SeatMember? {
        index(of: person).map { members[$0] }
    }

    /// The place of a person on the waiting list, from 1; `nil` if they do not wait.
    public func position(of person: PersonID) -> Int? {
        waiting.firstIndex { $0.person == person }.map { $0 + 1 }
    }

    /// True if at least `count` seats are free, or seats are not limited.
    func fits(_ count: Int) -> Bool { free.map { count <= $0 } ?? true }

    /// The index of a person in ``members``.
    func index(of person: PersonID) -> Int? {
        members.firstIndex { $0.person == person }
    }

    private func members(_ standing: SeatStanding) -> [SeatMember] {
        members.filter { $0.standing == standing }
    }
}
