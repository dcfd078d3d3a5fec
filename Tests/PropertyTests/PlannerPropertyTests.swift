import Agenda
import Ledger
import Notifications
import Planning
import Sinks
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

/// The property of PlanPropertyTests with the real store and the real engine: the rules of
/// `ledger verify` hold after every step. One of them is that replanning leaves the same rows open.
@Suite struct PlannerPropertyTests {
    @Test(.timeLimit(.minutes(15)), arguments: 1...8 as ClosedRange<UInt64>)
    func `The ledger is sound after any sequence of edits and sends`(_ seed: UInt64) async throws {
        try await withTemporaryHome(seed: seed) { world in
            let walk = try await PlannerWalk(world, seed: seed)
            for step in 0..<30 {
                let deed = try await walk.step()
                let report = try await walk.planner.verifyLedger()
                guard report.holds, walk.messagesOfAnHour <= FloodGuard.messagesMax else {
                    Issue.record("seed \(seed), step \(step), \(deed): \(report.faults)")
                    return
                }
            }
        }
        print("planner property: seed \(seed)")
    }

    @Test(.timeLimit(.minutes(15)), arguments: 1...12 as ClosedRange<UInt64>)
    func `The ledger of a series is sound, and extending its plan notifies nobody`(
        _ seed: UInt64
    ) async throws {
        try await withTemporaryHome(seed: seed) { world in
            let walk = try await PlannerWalk(world, seed: seed, repetition: "daily, 60 times")
            for step in 0..<40 {
                let deed = try await walk.step()
                let report = try await walk.planner.verifyLedger()
                let news = try await walk.newsOfPlanningOn()
                let after = try await walk.planner.verifyLedger()
                guard report.holds, after.holds, news.isEmpty else {
                    let faults = report.faults + after.faults
                    Issue.record("seed \(seed), step \(step), \(deed): \(faults), \(news)")
                    return
                }
            }
        }
        print("series property: seed \(seed)")
    }
}

/// A random walk of edits and deliveries in a real home.
final class PlannerWalk: Sendable {
    static let names = ["Anna Aalto", "Ben Berg", "Carla Costa", "Dmitri Dahl"]
    let world: TestWorld
    let planner: Planner
    let meeting: String
    private let random: Mutex<SeededRandom>
    /// The receivers and times of messages that arrived or may have arrived.
    private let arrivals = Mutex<[(name: String, at: Moment)]>([])

    /// The maximum number of messages that one person got in the last hour.
    var messagesOfAnHour: Int {
        let since = world.clock.now.advanced(bySeconds: -3600)
        let names = arrivals.withLock { $0.filter { $0.at > since }.map(\.name) }
        return Dictionary(grouping: names, by: \.self).values.map(\.count).max() ?? 0
    }

    /// True if the meeting is recurring.
    let isSeries: Bool

    init(_ world: TestWorld, seed: UInt64, repetition: String? = nil) async throws {
        self.world = world
        isSeries = repetition != nil
        random = Mutex(SeededRandom(seed: seed &* 977))
        planner = try await world.planner()
        for name in Self.names {
            var person = ContactEdit()
            person.name = name
            person.emails = ["\(name.prefix(3).lowercased())@example.org"]
            _ = try await planner.addPerson(person)
        }
        var request = MeetingRequest()
        request.title = "Lunch"
        request.with = Array(Self.names.prefix(2))
        request.start = "2026-12-05T12:00"
        request.repetition = repetition
        meeting = try await planner.createMeeting(request, saving: true).meeting.id
    }

    func number(_ range: Range<Int>) -> Int {
        random.withLock { Int.random(in: range, using: &$0) }
    }

    /// Does a random step, and returns its name. Refusals by the rules are allowed.
    func step() async throws -> String {
        do {
            switch number(0..<10) {
            case 0..<6: return try await edit()
            case 6:
                let hours = number(0..<30)
                world.clock.advance(bySeconds: Int64(hours) * 3600)
                return "\(hours) hours pass"
            default: return try await deliver()
            }
        } catch let refusal as Refusal where refusal.category != .bug {
            return "refused: \(refusal.code)"
        } catch let violation as RuleViolation {
            return "refused: \(violation.code)"
        }
    }

    private func edit() async throws -> String {
        if isSeries, number(0..<2) == 0 { return try await editSeries() }
        let who = Self.names[number(0..<4)]
        var edit = MeetingEdit()
        switch number(0..<14) {
        case 0, 1:
            edit.start = "2026-12-0\(number(2..<8))T12:00"
            edit.isQuiet = number(0..<4) == 0
        case 2:
            edit.place = "Room \(number(0..<3))"
        case 3:
            edit.title = "Lunch \(number(0..<9))"
            edit.isNotified = number(0..<2) == 0
        case 4, 5:
            return try await say("invite") { try await $0.invite([who], to: $1, saving: true) }
        case 6:
            return try await say("uninvite") {
                try await $0.uninvite([who], from: $1, saving: true)
            }
        case 7:
            let answer = [Answer.going, .maybe, .declined][number(0..<3)]
            return try await say("\(who) \(answer)") {
                try await $0.answer($1, answer, who: who, plus: nil, note: nil, saving: true)
            }
        case 8:
            let spans = [TimeSpan(days: 0, seconds: 600 * number(1..<9))]
            _ = try await planner.setReminders(
                number(0..<3) == 0 ? nil : spans, of: who, saving: true)
            return "policy of \(who)"
        case 9: return try await sayMore()
        default: return try await setPolicies(of: who)
        }
        let wanted = edit
        return try await say("\(edit)") { try await $0.editMeeting($1, wanted, saving: true) }
    }

    private func setPolicies(of who: String) async throws -> String {
        switch number(0..<4) {
        case 0:
            var edit = PolicyEdit()
            let quiet = [[], ["22:00-08:00"], ["sat-sun", "13:00-15:00"]][number(0..<3)]
            edit.quietHours = try quiet.map { try WeekSpan.parse($0) }
            _ = try await planner.setPolicy(edit, of: who, saving: true)
            return "quiet hours of \(who): \(quiet)"
        case 1:
            let span = TimeSpan(days: 0, seconds: 600 * number(1..<200))
            return try await say("\(who) snoozes for \(span)") {
                try await $0.snooze($1, .after(span), who: who, saving: true)
            }
        case 2:
            for number in 1...15 {
                _ = try await say("message") {
                    try await $0.message($1, "Text \(number)", to: [], saving: true)
                }
            }
            return "15 messages"
        default:
            let address = "\(who.prefix(3).lowercased())@example.org"
            if number(0..<2) == 0 {
                _ = try await planner.suppress(
                    address, channel: nil, until: nil, reason: nil, saving: true)
                return "\(who) is on the list"
            }
            _ = try await planner.unsuppress(address, channel: nil, saving: true)
            return "\(who) leaves the list"
        }
    }

    private func sayMore() async throws -> String {
        switch number(0..<8) {
        case 0: try await say("cancel") { try await $0.cancelMeeting($1, saving: true) }
        case 1, 2, 3:
            try await say("nudge") { try await $0.nudge($1, who: [], note: "", saving: true) }
        default:
            try await say("message") { try await $0.message($1, "Hello", to: [], saving: true) }
        }
    }

    func say(
        _ words: String, _ body: (Planner, String) async throws -> MeetingOutcome
    ) async throws -> String {
        _ = try await body(planner, meeting)
        return words
    }

    /// Sends some or all of the due deliveries, through a sink with random outcomes. Sometimes the
    /// meeting is changed during an attempt.
    private func deliver() async throws -> String {
        let sink = ScriptedSink(schedule: RetrySchedule(delaysSeconds: [60, 60], resendSeconds: 9))
        {
            [self] outgoing, _ in
            if number(0..<6) == 0 { _ = try? await edit() }
            let report = report()
            if report.outcome.mayHaveArrived {
                arrivals.withLock { $0.append((outgoing.name, world.clock.now)) }
            }
            return report
        }
        let engine = try world.engine(planner, sinks: [sink])
        try await engine.recover()
        guard number(0..<3) == 0 else { return "deliver all: \(try await engine.runOnce())" }
        let due = try await planner.store.dueDeliveries(through: world.clock.now, limit: 3)
        if number(0..<2) == 0 {
            // The engine crashes during attempts. The next engine recovers them, at once or after
            // the meeting was changed.
            let now = world.clock.now
            try await planner.store.beginAndDie(due.map(\.id), now: now)
            if number(0..<2) == 0 { try await engine.recover() }
            return "die while delivering \(due.count)"
        }
        let tally = try await engine.deliver(due.map(\.id))
        return "deliver some: \(tally)"
    }

    /// A random outcome of an attempt.
    private func report() -> AttemptReport {
        switch number(0..<10) {
        case 0..<5: AttemptReport(.accepted)
        case 5: AttemptReport(.permanent, reply: "gone", isAddressBad: number(0..<2) == 0)
        case 6: AttemptReport(.misconfigured, reply: "no reader")
        case 7, 8: AttemptReport(.retry, reply: "busy")
        default: AttemptReport(.ambiguous)
        }
    }
}
