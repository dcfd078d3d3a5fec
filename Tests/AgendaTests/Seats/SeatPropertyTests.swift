import Agenda
import Ledger
import TestKit
import Testing

/// Random requests for seats keep all promises, and end as the plain second implementation does.
@Suite struct SeatPropertyTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `Random requests keep every rule of the seats`(_ base: UInt64) {
        for seed in (base * 1000)..<(base * 1000 + 100) {
            var random = SeededRandom(seed: seed)
            var walk = SeatWalk(using: &random)
            for step in 0..<80 {
                let request = walk.step(using: &random)
                guard let fault = walk.fault else { continue }
                Issue.record("seed \(seed), step \(step), \(request): \(fault)")
                return
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `The same requests in the same order end the same, also after each is stored`(
        _ seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var walk = SeatWalk(using: &random)
        let start = walk.plan
        for _ in 0..<200 { _ = walk.step(using: &random, isStored: true) }
        var (plan, stored) = (start, start)
        for (request, actor, phase) in walk.history {
            plan.phase = phase
            stored.phase = phase
            plan = plan.apply(request, by: actor).plan
            let next = stored.apply(request, by: actor).plan
            stored = SeatWalk.restored(next, using: &random)
        }
        #expect(plan == walk.plan)
        #expect(stored == walk.plan)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `200 people in any order fill 10 seats, and each promotion is told once`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var scripts = (0..<200).map { number in
            (person: PersonID(text: "p\(number)"), left: Int.random(in: 1...4, using: &random))
        }
        let stayers = Set(scripts.filter { $0.left % 2 == 1 }.map(\.person))
        var plan = SeatPlan(organizer: SeatTable.organizer, seats: 10)
        var notices: [SeatNotice] = []
        while let index = scripts.indices.randomElement(using: &random) {
            let person = scripts[index].person
            let isIn = plan.member(person) != nil
            let decision = plan.apply(isIn ? .leave(person) : .join(person), by: person)
            plan = decision.plan
            notices += decision.notices
            #expect(plan.taken <= 10)
            scripts[index].left -= 1
            if scripts[index].left == 0 { scripts.remove(at: index) }
        }
        #expect(Set(plan.members.dropFirst().map(\.person)) == stayers)
        #expect(plan.taken == min(10, 1 + stayers.count))
        #expect(Set(notices).count == notices.count)
        #expect(notices.contains { $0.kind == .promoted })
        #expect(
            notices.count { $0.kind == .joined } - notices.count { $0.kind == .left }
                == plan.taken - 1)
    }
}

/// A random walk of requests for seats, with the plain second implementation beside it.
struct SeatWalk {
    private(set) var plan: SeatPlan
    private(set) var naive = NaiveSeats()
    private(set) var history: [(SeatRequest, PersonID?, SeatPhase)] = []
    /// The first broken rule; `nil` if there is none.
    private(set) var fault: String?
    private var told: Set<SeatNotice> = []

    private static let people = (0..<8).map { PersonID(text: "p\($0)") }

    init(using random: inout SeededRandom) {
        naive.limit = random.chance(percent: 80) ? Int.random(in: 1...8, using: &random) : nil
        naive.keepsList = random.chance(percent: 75)
        naive.approves = random.chance(percent: 30)
        naive.isOpen = random.chance(percent: 85)
        plan = SeatPlan(
            organizer: SeatTable.organizer, seats: naive.limit, hasWaitingList: naive.keepsList,
            needsApproval: naive.approves, isOpen: naive.isOpen)
    }

    /// The plan as a store would return it: its members in another order.
    static func restored(_ plan: SeatPlan, using random: inout SeededRandom) -> SeatPlan {
        SeatPlan(
            organizer: plan.organizer, seats: plan.seats, hasWaitingList: plan.hasWaitingList,
            needsApproval: plan.needsApproval, isOpen: plan.isOpen, phase: plan.phase,
            members: plan.members.shuffled(using: &random), lastAsked: plan.lastAsked)
    }

    /// Makes a random request and checks the rules.
    ///
    /// - Returns: a description of the request.
    mutating func step(using random: inout SeededRandom, isStored: Bool = false) -> String {
        let isReopened = changePhase(using: &random)
        let person = random.chance(percent: 5) ? nil : Self.people.randomElement(using: &random)
        let request =
            isReopened ? .settle : wish(of: person ?? SeatTable.organizer, using: &random)
        let actor = [person, person, SeatTable.organizer, nil][
            Int.random(in: 0..<4, using: &random)]
        let (before, log) = (plan, naive.log)
        let decision = plan.apply(request, by: actor)
        plan = isStored ? Self.restored(decision.plan, using: &random) : decision.plan
        history.append((request, actor, plan.phase))
        let expected = naive.take(request)
        let found =
            SeatRules.fault(from: before, after: decision)
            ?? fault(of: decision, to: request, expected: expected, log: log, actor: actor)
        fault = fault ?? found
        return "\(request) by \(actor?.text ?? "nobody")"
    }

    /// Ends, cancels or reopens the meeting now and then.
    ///
    /// - Returns: true if it is reopened.
    private mutating func changePhase(using random: inout SeededRandom) -> Bool {
        guard random.chance(percent: plan.phase == .coming ? 3 : 30) else { return false }
        naive.phase =
            plan.phase != .coming ? .coming : random.chance(percent: 50) ? .over : .cancelled
        plan.phase = naive.phase
        return plan.phase == .coming
    }

    private func wish(of person: PersonID, using random: inout SeededRandom) -> SeatRequest {
        let plus = max(0, Int.random(in: -3...4, using: &random))
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<15:
            return .join(person, plus: plus, isInvited: random.chance(percent: 25))
        case 15..<22: return .leave(person)
        case 22..<24:
            let asked = plan.member(person)?.asked ?? 1
            return .declinePromotion(person, asked: asked - Int.random(in: 0...1, using: &random))
        case 24..<28: return .setPlus(person, plus)
        case 28: return .remove(person)
        case 29..<32: return .admit(person)
        case 32: return .refuse(person)
        case 33..<37:
            let seats = random.chance(percent: 10) ? nil : Int.random(in: 0...9, using: &random)
            return .setSeats(seats, isConfirmed: random.chance(percent: 50))
        case 37: return .setWaitingList(random.chance(percent: 70))
        case 38: return .setApproval(random.chance(percent: 40))
        default: return .settle
        }
    }

    /// The difference from the plain second implementation.
    private mutating func fault(
        of decision: SeatDecision, to request: SeatRequest, expected: SeatAnswer,
        log: [NaiveSeats.Entry], actor: PersonID?
    ) -> String? {
        let members = plan.members.map { "\($0.asked) \($0.person) \($0.seats) \($0.standing)" }
        let wanted = naive.log.indices.filter { naive.log[$0].state != .gone }.map {
            "\($0) \(naive.log[$0].person) \(naive.log[$0].size) \(naive.log[$0].state)"
        }
        guard decision.answer == expected else {
            return "answer \(decision.answer), expected \(expected)"
        }
        guard members == wanted, plan.seats == naive.limit else { return "\(members), \(wanted)" }
        guard plan.lastAsked == naive.log.count - 1 else { return "last \(plan.lastAsked)" }
        let told = notices(since: log, of: request, actor: actor)
        guard decision.promoted == told.promoted,
            Set(decision.notices.filter { $0.kind == .joined }.map(\.asked)) == told.joined
        else { return "told \(decision.notices)" }
        for notice in decision.notices where !self.told.insert(notice).inserted {
            return "told twice: \(notice)"
        }
        return nil
    }

    /// The people who have to be told that they were promoted, and the serial numbers of the seats
    /// of which the organizer has to be told.
    private func notices(
        since log: [NaiveSeats.Entry], of request: SeatRequest, actor: PersonID?
    ) -> (promoted: [PersonID], joined: Set<Int>) {
        let seated = naive.log.indices.filter { index in
            naive.log[index].state == .going
                && (index >= log.count || log[index].state != .going)
        }
        var knows: PersonID?
        if case .setPlus(let person, _) = request, person == actor { knows = person }
        let promoted = seated.filter {
            $0 < log.count && log[$0].state == .waiting && log[$0].person != knows
        }
        return (
            promoted.map { naive.log[$0].person },
            actor == SeatTable.organizer ? [] : Set(seated)
        )
    }
}

/// The promises that hold after each request.
enum SeatRules {
    /// The first broken promise; `nil` if all are kept.
    static func fault(from before: SeatPlan, after decision: SeatDecision) -> String? {
        let plan = decision.plan
        if plan.taken > max(plan.seats ?? .max, before.taken) { return "too many seats taken" }
        if Set(plan.members.map(\.person)).count != plan.members.count { return "twice" }
        if plan.members.map(\.asked) != plan.members.map(\.asked).sorted() { return "order" }
        if plan.member(plan.organizer)?.standing != .going { return "organizer without a seat" }
        if let free = plan.free, let seats = plan.seats,
            plan.taken + free - plan.over != seats
        {
            return "sum of the seats"
        }
        if plan.phase == .coming, case let free = plan.free ?? .max,
            plan.waiting.contains(where: { $0.seats <= free })
        {
            return "somebody waits who fits"
        }
        if decision.answer.refusalCode != nil, before != plan { return "a refusal changes it" }
        return overtaking(from: before, to: plan) ?? lostSeat(from: before, after: decision)
    }

    /// A promotion past somebody who asked earlier, still waits and needs no more seats.
    private static func overtaking(from before: SeatPlan, to plan: SeatPlan) -> String? {
        let seated = plan.going.filter {
            before.member($0.person)?.asked != $0.asked
                || before.member($0.person)?.standing == .waiting
        }
        let isOvertaken = seated.contains { newcomer in
            plan.waiting.contains { $0.asked < newcomer.asked && $0.seats <= newcomer.seats }
        }
        return isOvertaken ? "overtaken" : nil
    }

    /// A member who has lost a seat or a place without leaving or being removed.
    private static func lostSeat(from before: SeatPlan, after decision: SeatDecision) -> String? {
        let lost = before.members.filter { old in
            let now = decision.plan.member(old.person)
            return now == nil || old.standing == .going && now?.standing != .going
        }
        switch decision.answer {
        case .left, .removed: return lost.count == 1 ? nil : "lost \(lost)"
        default: return lost.isEmpty ? nil : "lost \(lost)"
        }
    }
}
