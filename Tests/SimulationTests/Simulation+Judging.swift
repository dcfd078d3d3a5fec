import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Timekeeping

/// The checks done so far.
final class Judge {
    /// The number of sends that were checked.
    var sendCount = 0
    /// The indexes of the sends to one person about one meeting.
    var threads: [String: [Int]] = [:]
    /// The indexes of the sends of one delivery.
    var deliveries: [String: [Int]] = [:]
    /// The content of each send of an invitation, change or cancellation: the kind, and the number
    /// of the meeting's facts.
    var told: [Int: (kind: String, number: Int)] = [:]
    /// The reminders that fell due.
    var seenReminders: Set<String> = []
    /// The meetings with sends since their last check.
    var touched: Set<Int> = []
}

/// Checks the results of a step.
extension Simulation {
    /// Notes a problem that may delay deliveries.
    func lookAround() throws {
        if let running, running.isOver.isRaised { throw violation("the engine stopped by itself") }
        if running == nil || gateEndsAt != nil { trouble(minutes: 3) }
        if weatherEndsAt != nil { troubleOfWeather() }
        if !receiver.busy.isEmpty {
            trouble(minutes: 10)
            // Changes during a send are worth testing.
            if random.chance(percent: 40) {
                let gap = Int64.random(in: 1...40_000, using: &random)
                nextActAt = min(nextActAt, machineClock.now.advanced(byMilliseconds: gap))
            }
        }
    }

    func judgeStep() throws {
        let sends = receiver.sends
        for place in judge.sendCount..<sends.count {
            try judgeSend(place, among: sends)
        }
        judge.sendCount = sends.count
        // Another attempt can begin in the step in which the one before was cut off.
        begun = Dictionary(
            uniqueKeysWithValues: try oracle.underWay().map { key, attempt in
                let known = begun[key].flatMap { $0.attempt == attempt ? $0 : nil }
                return (key, known ?? (attempt, step))
            })
        try judgeReminders(sends)
        for place in judge.touched.sorted() { try judgeNews(of: place, among: sends) }
        judge.touched = []
        if isCalm, running != nil, let line = try oracle.overdue(clock.now).first {
            throw violation("\(line.kind) \(line.key) is late without any problem")
        }
        guard step % 20 == 0 || deathSteps.last == step else { return }
        try verify()
    }

    /// Checks the ledger against its own rules.
    func verify() throws {
        let planner = planners[0]
        let report = try executor.value { try await planner.verifyLedger() }
        guard let fault = report.faults.first else { return }
        throw violation("ledger verify: \(fault.rule): \(fault.key)")
    }

    /// Checks that every reminder planned in time exists, whichever engine runs and whatever fails.
    private func judgeReminders(_ sends: [Send]) throws {
        let (now, earlier) = (clock.now, walls[step - 1])
        guard now > earlier else { return }
        for gathering in world.gatherings
        where !gathering.now.isCancelled && gathering.now.startsAt > earlier {
            for (person, history) in gathering.standings {
                let standing = history.last
                guard standing.isIn, standing.answer.isReminded else { continue }
                try judgeReminders(
                    of: person, history, in: gathering, between: earlier, and: now)
            }
        }
    }

    private func judgeReminders(
        of person: String, _ standing: History<Standing>, in gathering: Gathering,
        between earlier: Moment, and now: Moment
    ) throws {
        let (facts, guest) = (gathering.now, world.guest(id: person))
        let changes = [
            gathering.facts.last?.step ?? 0, standing.lastStep, guest?.offsets.lastStep ?? 0,
        ]
        // A reminder that was planned in this very step may have come too late.
        guard let since = changes.max(), since < step, walls[since...].dropLast().max() == earlier
        else { return }
        for offset in guest?.offsets.last ?? facts.reminders {
            let due = offset.simulatedBefore(facts.wall, in: gathering.zone)
            guard due > walls[since], due > earlier, due <= now else { continue }
            let key = reminderKey(offset, of: person, in: gathering)
            guard let line = try oracle.line(key) else {
                throw violation(
                    "the reminder \(offset.iso) of \(gathering.title) to "
                        + "\(guest?.name ?? person) was not planned")
            }
            // A reminder that is not sent anyway may stay superseded.
            let isKept =
                line.state != "superseded" || line.reason.hasPrefix("sent together")
                || guest?.isSuppressed.last == true
            guard isKept else {
                throw violation(
                    "\(offset.iso) of \(gathering.title) is wanted by \(person), but superseded: "
                        + line.reason)
            }
            guard isCalm, running != nil, line.isOpen, !line.isUnderWay, line.hold.isEmpty
            else { continue }
            throw violation("\(offset.iso) of \(gathering.title) is due now, and was not sent")
        }
    }

    private func reminderKey(
        _ offset: TimeSpan, of person: String, in gathering: Gathering
    ) -> String {
        let start = gathering.now.startsAt.rfc3339(offsetSeconds: 0)
        return DeliveryKey(
            notification: NotificationKey(
                meeting: gathering.id, occurrence: "", person: person, kind: .reminder,
                mark: NotificationMark(text: "\(offset.iso)@\(start)")),
            channel: "stdout", address: ""
        ).name
    }

    /// Checks that everybody's last notification is up to date when nothing more is to be sent.
    private func judgeNews(of place: Int, among sends: [Send]) throws {
        let gathering = world.gatherings[place]
        let lines = try oracle.lines(ofMeeting: gathering.id).filter(\.isNews)
        for (person, standing) in gathering.standings where person != world.ownerID {
            let own = lines.filter { $0.person == person }
            let bad = ["failed", "expired", "parked", "suppressed"]
            guard own.allSatisfy({ !$0.isOpen && !bad.contains($0.state) }) else { continue }
            let news = (judge.threads["\(gathering.id) \(person)"] ?? []).filter {
                judge.told[$0] != nil && sends[$0].mayHaveArrived
            }
            let last = news.last.flatMap { judge.told[$0] }
            let name = world.guest(id: person)?.name ?? ""
            if standing.last.isIn, !gathering.now.isCancelled {
                guard wallMax < gathering.now.endsAt else { continue }
                guard let last, last.kind != "cancellation", gathering.isCurrent(last.number) else {
                    let known = own.map { "\($0.kind) \($0.mark): \($0.state), \($0.reason)" }
                    throw violation(
                        "\(name) was not notified of the current \(gathering.title); the ledger "
                            + "has \(known)")
                }
            } else if let last, last.kind != "cancellation", wallMax < gathering.lastEnd {
                throw violation("\(name) was not notified that \(gathering.title) is cancelled")
            }
        }
    }

    /// Ends all problems after the year, and checks that nothing is left to be sent.
    func endYear() throws {
        setClock(errorMilliseconds: 0)
        set(.fair, until: nil)
        gate.set(percent: 0)
        gateEndsAt = nil
        for _ in 0..<20 {
            if running == nil { try startEngine() }
            advance(to: machineClock.now.advanced(bySeconds: 3600))
            guard executor.run(stepsMax: 1_000_000) else {
                throw violation("a task does not end")
            }
            try lookAround()
            try judgeStep()
        }
        if let line = try oracle.belated(clock.now).first {
            throw violation("\(line.kind) \(line.key) was never closed")
        }
        judge.touched = Set(world.gatherings.indices)
        try judgeStep()
        try verify()
        try stop()
        for planner in planners { try planner.store.close() }
    }
}
