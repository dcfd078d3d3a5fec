import Agenda
import Ledger

/// A plan of seats on which tests make requests, each by the person it is about.
struct SeatTable {
    static let organizer = PersonID(text: "organizer")
    static let anna = PersonID(text: "anna")
    static let ben = PersonID(text: "ben")
    static let carl = PersonID(text: "carl")
    static let dora = PersonID(text: "dora")

    var plan: SeatPlan
    /// The messages of the last request, such as `promoted ben 2`.
    private(set) var notices: [String] = []

    init(
        seats: Int?, hasWaitingList: Bool = true, needsApproval: Bool = false, isOpen: Bool = true
    ) {
        plan = SeatPlan(
            organizer: Self.organizer, seats: seats, hasWaitingList: hasWaitingList,
            needsApproval: needsApproval, isOpen: isOpen)
    }

    /// Makes a request and keeps the plan that follows.
    mutating func ask(_ request: SeatRequest, by actor: PersonID?) -> SeatAnswer {
        let decision = plan.apply(request, by: actor)
        plan = decision.plan
        notices = decision.notices.map { "\($0.kind) \($0.person) \($0.asked)" }
        return decision.answer
    }

    /// A person joins by themselves.
    mutating func join(_ person: PersonID, plus: Int = 0, isInvited: Bool = false) -> SeatAnswer {
        ask(.join(person, plus: plus, isInvited: isInvited), by: person)
    }

    /// A person leaves by themselves.
    mutating func leave(_ person: PersonID) -> SeatAnswer {
        ask(.leave(person), by: person)
    }

    /// The organizer makes a request.
    mutating func decide(_ request: SeatRequest) -> SeatAnswer {
        ask(request, by: Self.organizer)
    }

    /// The names of the people with a standing, in the order in which they asked.
    func names(_ standing: SeatStanding) -> [String] {
        plan.members.filter { $0.standing == standing }.map(\.person.text)
    }
}
