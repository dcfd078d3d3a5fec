import Agenda

/// A second implementation of the seats, written as plainly as possible, to compare with. It keeps
/// a log of all requests for seats in which nothing is deleted; the index of an entry is its serial
/// number.
struct NaiveSeats {
    enum State { case going, waiting, requested, refused, gone }

    struct Entry {
        let person: PersonID
        var size: Int
        var state: State
    }

    var limit: Int?
    var keepsList = true
    var approves = false
    var isOpen = true
    var phase = SeatPhase.coming
    var log = [Entry(person: SeatTable.organizer, size: 1, state: .going)]

    var used: Int { log.filter { $0.state == .going }.map(\.size).reduce(0, +) }

    func room(for size: Int) -> Bool { limit == nil || used + size <= limit ?? 0 }

    private var left: Int { max((limit ?? .max) - used, 0) }

    private var most: Int { min(51, max(1, (limit ?? 1000) - log[0].size)) }

    private func find(_ person: PersonID) -> Int? {
        log.lastIndex { $0.person == person && $0.state != .gone }
    }

    private func rank(_ index: Int) -> Int {
        log[...index].count { $0.state == .waiting }
    }

    private mutating func promote() {
        guard phase == .coming else { return }
        while let next = log.firstIndex(where: { $0.state == .waiting && room(for: $0.size) }) {
            log[next].state = .going
        }
    }

    mutating func take(_ request: SeatRequest) -> SeatAnswer {
        promote()
        let answer = handle(request)
        promote()
        return answer
    }

    private mutating func handle(_ request: SeatRequest) -> SeatAnswer {
        if case .remove(let person) = request {
            guard person != SeatTable.organizer else { return .ownMeeting }
            guard let index = find(person) else { return .notIn }
            log[index].state = .gone
            return .removed
        }
        if case .join(let person, _, let isInvited) = request, !isInvited, !isOpen,
            find(person) == nil
        {
            return .notOpen
        }
        if phase == .over { return .over }
        if phase == .cancelled { return .cancelled }
        switch request {
        case .join(let person, let plus, let isInvited):
            return join(person, size: plus + 1, isInvited)
        case .leave(let person): return leave(person)
        case .declinePromotion(let person, let asked):
            guard let index = find(person), log[index].state != .refused else { return .notIn }
            guard index == asked, log[index].state == .going else { return .promotionPassed }
            return leave(person)
        case .setPlus(let person, let plus): return resize(person, size: plus + 1)
        case .admit(let person): return admit(person)
        case .refuse(let person): return refuse(person)
        case .setSeats(let seats, let isConfirmed): return setSeats(seats, isConfirmed)
        case .setWaitingList(let isOn):
            keepsList = isOn
            return .waitingListSet(waiting: log.count { $0.state == .waiting })
        case .setApproval(let isOn): return setApproval(isOn)
        case .settle, .remove: return .settled
        }
    }

    /// The refusal of a party that needs seats now; `nil` if there is none.
    private func refusal(of size: Int) -> SeatAnswer? {
        if !keepsList, !room(for: size) {
            return left == 0 ? .full : .partyTooLarge(largest: left)
        }
        return size > most ? .partyTooLarge(largest: most) : nil
    }

    private mutating func join(_ person: PersonID, size: Int, _ isInvited: Bool) -> SeatAnswer {
        guard person != SeatTable.organizer else { return .ownMeeting }
        let asks = approves && !isInvited
        let index = find(person)
        if let index {
            switch log[index].state {
            case .going: return .alreadyIn
            case .waiting: return .alreadyWaiting(position: rank(index))
            case .requested where asks: return .alreadyRequested
            case .refused where !isInvited: return .notAdmitted
            case .requested, .refused, .gone: break
            }
        }
        if asks, size > most { return .partyTooLarge(largest: most) }
        if !asks, let refusal = refusal(of: size) { return refusal }
        let state = asks ? State.requested : room(for: size) ? .going : .waiting
        let place = put(Entry(person: person, size: size, state: state), replacing: index)
        return asks ? .requested : state == .going ? .joined : .waiting(position: rank(place))
    }

    private mutating func put(_ entry: Entry, replacing index: Int?) -> Int {
        if let index, log[index].state == .requested {
            log[index] = entry
            return index
        }
        if let index { log[index].state = .gone }
        log.append(entry)
        return log.count - 1
    }

    private mutating func leave(_ person: PersonID) -> SeatAnswer {
        guard person != SeatTable.organizer else { return .ownMeeting }
        guard let index = find(person) else { return .notIn }
        let state = log[index].state
        guard state != .refused else { return .notIn }
        log[index].state = .gone
        return .left(state == .going ? .going : state == .waiting ? .waiting : .requested)
    }

    private mutating func resize(_ person: PersonID, size: Int) -> SeatAnswer {
        guard let index = find(person), log[index].state != .refused else { return .notIn }
        let old = log[index].size
        let largest =
            log[index].state == .going ? (limit == nil ? 51 : min(51, old + left)) : most
        guard size <= old || size <= largest else { return .partyTooLarge(largest: largest) }
        log[index].size = size
        guard log[index].state == .waiting, room(for: size) else { return .partySet(seats: size) }
        log[index].state = .going
        return .joined
    }

    private mutating func admit(_ person: PersonID) -> SeatAnswer {
        guard let index = find(person) else { return .notIn }
        guard person != SeatTable.organizer else { return .ownMeeting }
        if log[index].state == .going { return .alreadyIn }
        if log[index].state == .waiting { return .alreadyWaiting(position: rank(index)) }
        if let refusal = refusal(of: log[index].size) { return refusal }
        log[index].state = room(for: log[index].size) ? .going : .waiting
        return .admitted(position: log[index].state == .going ? nil : rank(index))
    }

    private mutating func refuse(_ person: PersonID) -> SeatAnswer {
        guard let index = find(person) else { return .notIn }
        guard person != SeatTable.organizer else { return .ownMeeting }
        switch log[index].state {
        case .going: return .alreadyIn
        case .waiting: return .alreadyWaiting(position: rank(index))
        case .refused, .gone: return .notAdmitted
        case .requested:
            log[index].state = .refused
            return .refused
        }
    }

    private mutating func setSeats(_ seats: Int?, _ isConfirmed: Bool) -> SeatAnswer {
        let over = max(used - (seats ?? .max), 0)
        if let seats, seats < 1 { return .tooFewSeats }
        let isLower = (seats ?? .max) < (limit ?? .max)
        if over > 0, isLower, !isConfirmed { return .seatsBelowGoing(over: over) }
        limit = seats
        return .seatsSet(over: over)
    }

    private mutating func setApproval(_ isOn: Bool) -> SeatAnswer {
        approves = isOn
        for index in log.indices where !isOn && log[index].state == .requested {
            if room(for: log[index].size) {
                log[index].state = .going
            } else if keepsList {
                log[index].state = .waiting
            }
        }
        return .approvalSet(requests: log.count { $0.state == .requested })
    }
}
