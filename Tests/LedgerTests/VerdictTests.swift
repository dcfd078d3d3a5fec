import TestKit
import Testing
import Timekeeping

@testable import Ledger

@Suite struct VerdictTests {
    private let now = Moment(seconds: 1_800_000_000)
    private let schedule = RetrySchedule(delaysSeconds: [10, 60, 600], resendSeconds: 5)

    private func verdict(
        _ report: AttemptReport, attempts: Int = 1, ambiguities: Int = 0, deaths: Int = 0,
        deadlineSeconds: Int64 = 86_400, earliestSeconds: Int64? = nil,
        policy: AmbiguityPolicy = .resend, seed: UInt64 = 1
    ) -> Verdict {
        var random = SeededRandom(seed: seed)
        let earliest = earliestSeconds.map { now.advanced(bySeconds: $0) } ?? .earliest
        return report.verdict(
            in: AttemptCircumstances(
                attempts: attempts, ambiguities: ambiguities, deaths: deaths,
                deadline: now.advanced(bySeconds: deadlineSeconds), now: now, earliest: earliest,
                schedule: schedule, policy: policy),
            using: &random)
    }

    @Test(arguments: [AttemptReport(.ambiguous), AttemptReport(.retry, retryAfterSeconds: 60)])
    func `The next attempt is never before the earliest allowed time`(_ report: AttemptReport) {
        let wait = { (seconds: Int64) in
            verdict(report, earliestSeconds: seconds).due?.milliseconds(since: now)
        }
        #expect(wait(7200) == 7_200_000)
        #expect(wait(-7200) == verdict(report).due?.milliseconds(since: now))
        #expect(verdict(report, earliestSeconds: 90_000).state == .expired)
    }

    @Test func `An accepted attempt is accepted, whatever happened before`() {
        #expect(verdict(AttemptReport(.accepted), attempts: 99, ambiguities: 9).state == .accepted)
        #expect(verdict(AttemptReport(.accepted), deadlineSeconds: -1).state == .accepted)
    }

    @Test(arguments: [("", "refused"), ("550 no such user", "550 no such user")])
    func `A permanent refusal fails the delivery with the receiver's own words`(
        _ reply: String, _ reason: String
    ) {
        let verdict = verdict(AttemptReport(.permanent, reply: reply))
        #expect(verdict == Verdict(.failed, reason: reason))
    }

    @Test(arguments: [(1, 10_000), (2, 60_000), (3, 600_000)])
    func `A retry waits as long as the schedule says, plus or minus a fifth`(
        _ attempts: Int, _ delay: Int64
    ) throws {
        var waits: Set<Int64> = []
        for seed in 1...200 as ClosedRange<UInt64> {
            let verdict = verdict(AttemptReport(.retry), attempts: attempts, seed: seed)
            let wait = try #require(verdict.due).milliseconds(since: now)
            #expect(verdict.state == .planned)
            #expect((delay - delay / 5...delay + delay / 5).contains(wait))
            waits.insert(wait)
        }
        // They are spread: deliveries that failed together are not retried together.
        #expect(waits.count > 100)
    }

    @Test(arguments: [
        ("stdout", 1, 1.71), ("mail", 60, 47.85), ("webhook", 5, 75.58), ("pigeon", 1, 1.71),
    ])
    func `Each channel has a schedule`(_ channel: String, _ first: Int, _ hours: Double) {
        let waits = RetrySchedule.standard(for: channel).delaysSeconds
        #expect(waits.first == first)
        #expect(waits == waits.sorted())
        #expect(abs(Double(waits.reduce(0, +)) / 3600 - hours) < 0.01)
    }

    @Test func `A delivery fails when all attempts are used up`() {
        let verdict = verdict(AttemptReport(.retry, reply: "busy"), attempts: 4)
        #expect(verdict == Verdict(.failed, reason: "gave up after 4 attempts: busy"))
    }

    @Test(arguments: [(3600, 3600), (1, 1), (0, 1), (-9, 1), (.max, 86_400), (90_000, 86_400)])
    func `A wait that the receiver asks for is kept, and at most doubled`(
        _ asked: Int, _ meant: Int64
    ) throws {
        let report = AttemptReport(.retry, retryAfterSeconds: asked)
        for seed in 1...50 as ClosedRange<UInt64> {
            let verdict = verdict(report, deadlineSeconds: 1_000_000, seed: seed)
            let wait = try #require(verdict.due).milliseconds(since: now)
            #expect((meant * 1000...min(meant * 2, 86_400) * 1000).contains(wait))
        }
    }

    @Test func `Short waits that a mail server asks for do not use up two days of retries`() {
        let report = AttemptReport(.retry, reply: "greylisted", retryAfterSeconds: 300)
        var moment = now
        var source = SeededRandom(seed: 1)
        for attempts in 1...RetrySchedule.mail.delaysSeconds.count {
            let circumstances = AttemptCircumstances(
                attempts: attempts, ambiguities: 0, deadline: now.advanced(bySeconds: 9_000_000),
                now: moment, schedule: .mail, policy: .resend)
            let next = report.verdict(in: circumstances, using: &source).due
            #expect((next ?? moment).milliseconds(since: moment) >= 300_000)
            moment = next ?? moment
        }
        #expect(moment.milliseconds(since: now) > 38 * 3_600_000)
        let hurried = AttemptCircumstances(
            attempts: 5, ambiguities: 0, deadline: now.advanced(bySeconds: 1200), now: now,
            schedule: .mail, policy: .resend)
        #expect(report.verdict(in: hurried, using: &source).state == .planned)
    }

    @Test func `A requested wait ends before the deadline, or there is no next attempt`() {
        let report = AttemptReport(.retry, reply: "slow down", retryAfterSeconds: 60)
        for seed in 1...50 as ClosedRange<UInt64> {
            let verdict = verdict(report, deadlineSeconds: 61, seed: seed)
            #expect(verdict.due.map { $0 < now.advanced(bySeconds: 61) } == true)
        }
        #expect(verdict(report, deadlineSeconds: 60).state == .expired)
    }

    @Test(arguments: [AttemptOutcome.retry, .misconfigured, .ambiguous])
    func `An attempt that would be too late is made halfway to the deadline`(
        _ outcome: AttemptOutcome
    ) {
        let report = AttemptReport(outcome, reply: "later")
        let hurried = verdict(report, ambiguities: 2, deadlineSeconds: 4)
        #expect(hurried.due == now.advanced(bySeconds: 2))
        #expect(hurried.state == (outcome == .ambiguous ? .ambiguous : .planned))
        let none = verdict(report, ambiguities: 2, deadlineSeconds: 1)
        #expect(none.state == .expired)
        #expect(none.reason.hasPrefix("there is no time for another attempt: "))
        #expect(none.reason.hasSuffix("later"))
    }

    @Test(arguments: [1, 99])
    func `A delivery held back by others until too late expires after any number of tries`(
        _ attempts: Int
    ) {
        let report = AttemptReport(.retry, code: AttemptReport.heldCode)
        let late = verdict(report, attempts: attempts, deadlineSeconds: -1)
        #expect(late.state == .expired)
        #expect(late.reason.hasPrefix("its time passed before it could be sent: "))
    }

    @Test(arguments: [
        ("", "none"), ("250", "2xx"), ("550 5.1.1", "5xx"), ("errno 28", "errno"),
        ("restart", "restart"), ("12345", "other"), ("<b>", "none"),
        (String(repeating: "x", count: 90), String(repeating: "x", count: 20)),
    ])
    func `Codes fall into few classes`(_ code: String, _ codeClass: String) {
        #expect(AttemptReport(.retry, code: code).codeClass == codeClass)
    }

    @Test func `A sink that is not set up uses up no attempts`() {
        let verdict = verdict(AttemptReport(.misconfigured, reply: "no key"), attempts: 4)
        #expect(verdict.state == .planned)
        #expect(verdict.due == now.advanced(bySeconds: 60))
        #expect(verdict.reason == "the sink is not set up: no key")
        let refusal = AttemptReport(.misconfigured, code: "553", reply: "5.1.8 Sender refused")
        #expect(
            self.verdict(refusal).reason
                == "the other system refuses letsmeet: 5.1.8 Sender refused")
    }

    @Test(arguments: [(1, DeliveryState.ambiguous), (2, .ambiguous), (3, .parked), (4, .parked)])
    func `Three worker crashes park a delivery`(_ deaths: Int, _ state: DeliveryState) {
        let report = AttemptReport(.ambiguous, code: AttemptReport.deathCode)
        let verdict = verdict(report, attempts: deaths, ambiguities: deaths, deaths: deaths)
        #expect(verdict.state == state)
        #expect(verdict.due == (state == .ambiguous ? now.advanced(bySeconds: 5) : nil))
        #expect(verdict.reason == "no final answer came")
    }

    @Test func `A receiver that gives no final answer is retried as after any failure`() throws {
        let first = verdict(AttemptReport(.ambiguous), attempts: 1, ambiguities: 1)
        #expect(first.due == now.advanced(bySeconds: 5))
        let second = verdict(AttemptReport(.ambiguous), attempts: 2, ambiguities: 2)
        #expect(second.state == .ambiguous)
        #expect(try #require(second.due).milliseconds(since: now) >= 48_000)
        let last = verdict(AttemptReport(.ambiguous), attempts: 4, ambiguities: 4)
        #expect(last == Verdict(.parked, reason: "gave up after 4 attempts: no final answer came"))
    }

    @Test func `A sink that must not send twice parks an ambiguous delivery at once`() {
        #expect(verdict(AttemptReport(.ambiguous), ambiguities: 1, policy: .park).state == .parked)
    }

    @Test func `A long reply is cut at its limit`() {
        let report = AttemptReport(.retry, reply: String(repeating: "é", count: 2000))
        #expect(report.reply.utf8.count <= AttemptReport.replyBytesMax)
        #expect(report.reply.hasPrefix("éé"))
    }

    @Test func `Every verdict is an allowed transition of a claimed delivery`() {
        let reports = AttemptOutcome.allCases.map { AttemptReport($0) }
        for report in reports {
            for (attempts, ambiguities, seconds) in [(1, 1, 9000), (9, 3, 9000), (1, 1, 1)] {
                let state = verdict(
                    report, attempts: attempts, ambiguities: ambiguities,
                    deadlineSeconds: Int64(seconds)
                ).state
                #expect(DeliveryState.claimed.mayBecome(state))
            }
        }
    }
}
