import Notifications
import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// The time until which people are asked to answer.
@Suite struct AnswerDeadlineTests {
    private func lunch(by deadline: String?, start: String = "2026-12-12 12:00") -> MeetingRequest {
        var request = MeetingRequest.lunch(with: "Anna", "Ben", start: start)
        request.answerBy = deadline
        return request
    }

    private func withPlanner(
        _ body: @Sendable (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Anna Aalto", "anna@example.org")
            try await planner.add("Ben Berg", "ben@example.org")
            try await body(world, planner)
        }
    }

    private func nudges(_ outcome: MeetingOutcome) -> [String] {
        outcome.notifications.added.filter { $0.kind == .nudge }.map { "\($0.name) \($0.due.text)" }
    }

    @Test func `Who has not answered is asked again a day before`() async throws {
        try await withPlanner { world, planner in
            let made = try await planner.create(lunch(by: "2026-12-10"))
            #expect(made.meeting.answerBy?.text == "2026-12-10T23:59:00+02:00")
            #expect(made.meeting.answerBy?.wordsOfDeadline == "Thu 10 December 2026")
            #expect(
                nudges(made) == [
                    "Anna Aalto 2026-12-09T16:00:00.000Z", "Ben Berg 2026-12-09T16:00:00.000Z",
                ])
            let answered = try await planner.answer(
                "Lunch", .going, who: "Anna", plus: nil, note: nil, saving: true)
            let gone = answered.notifications.superseded.map { "\($0.name) \($0.kind)" }
            #expect(gone == ["Anna Aalto nudge"])
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    @Test(arguments: [
        ("2026-12-02 14:00", "2026-12-02T00:00:00.000Z"),
        ("2026-12-03 14:00", "2026-12-02T12:00:00.000Z"),
        ("2026-12-01 15:00", "2026-12-01T12:30:00.000Z"),
    ])
    func `Of a short time, half is left when people are asked again`(
        _ deadline: String, _ due: String
    ) async throws {
        try await withPlanner { world, planner in
            let made = try await planner.create(lunch(by: deadline))
            #expect(nudges(made).map { $0.suffix(24) } == [due[...], due[...]])
        }
    }

    @Test(arguments: [
        ("2026-11-30", "answer_by_passed"), ("2026-12-12 12:00", "answer_by_after_start"),
        ("2026-12-13", "answer_by_after_start"), ("soon", "bad_time"),
        ("2026-12-10 18:00-20:00", "bad_time"),
    ])
    func `What cannot be a deadline is refused`(_ text: String, _ code: String) async throws {
        try await withPlanner { _, planner in
            let refused = await refusalCode { _ = try await planner.create(lunch(by: text)) }
            #expect(refused == code)
            let plain = try await planner.create(lunch(by: nil))
            #expect(plain.meeting.answerBy == nil)
            let late = await refusalCode {
                _ = try await planner.edit("Lunch") { $0.answerBy = text }
            }
            #expect(late == code)
        }
    }

    @Test func `A new deadline replaces the nudges, and none removes them`() async throws {
        try await withPlanner { _, planner in
            try await planner.create(lunch(by: "2026-12-10"))
            let earlier = try await planner.edit("Lunch") { $0.answerBy = "2026-12-08 18:00" }
            #expect(
                nudges(earlier).map { $0.suffix(24) }
                    == Array(
                        repeating: "2026-12-07T16:00:00.000Z", count: 2))
            #expect(earlier.notifications.superseded.map(\.kind) == [.nudge, .nudge])
            #expect(earlier.notifications.added.allSatisfy { $0.kind == .nudge })
            let none = try await planner.edit("Lunch") { $0.answerBy = "none" }
            #expect(none.meeting.answerBy == nil && none.notifications.added.isEmpty)
            #expect(none.notifications.superseded.map(\.kind) == [.nudge, .nudge])
        }
    }

    @Test func `A deadline after the start does not count, until the meeting moves back`()
        async throws
    {
        try await withPlanner { _, planner in
            try await planner.create(lunch(by: "2026-12-10"))
            let later = try await planner.edit("Lunch") { $0.start = "2026-12-14 12:00" }
            #expect(later.meeting.answerBy != nil)
            let sooner = try await planner.edit("Lunch") { $0.start = "2026-12-09 12:00" }
            #expect(sooner.meeting.answerBy == nil)
            #expect(sooner.notifications.superseded.filter { $0.kind == .nudge }.count == 2)
            #expect(
                sooner.remarks.contains { $0.text.contains("time to answer by does not count") })
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
            let back = try await planner.edit("Lunch") { $0.start = "2026-12-14 12:00" }
            #expect(back.meeting.answerBy?.text == later.meeting.answerBy?.text)
            #expect(nudges(back).count == 2)
        }
    }

    @Test func `A series has one deadline, and its dates have none of their own`() async throws {
        try await withPlanner { _, planner in
            var request = lunch(by: "2026-12-20")
            request.repetition = "weekly"
            let made = try await planner.create(request)
            #expect(nudges(made).count == 2)
            let refused = await refusalCode {
                _ = try await planner.edit("Lunch") {
                    ($0.date, $0.answerBy) = ("2026-12-19", "2026-12-18")
                }
            }
            #expect(refused == "usage")
            let split = try await planner.edit("Lunch") {
                ($0.from, $0.title) = ("2026-12-19", "Supper")
            }
            #expect(split.meeting.answerBy != nil && nudges(split).count == 2)
            let gone = split.notifications.superseded.filter { $0.kind == .nudge }
            #expect(gone.count == 2)
        }
    }

    @Test func `Nobody is nudged twice within a day, by hand or by deadlines`() async throws {
        try await withPlanner { world, planner in
            try await planner.create(lunch(by: "2026-12-03 14:00"))
            world.clock.advance(bySeconds: 20 * 3600)
            let byHand = try await planner.nudge("Lunch", who: [], note: "", saving: true)
            #expect(byHand.notifications.superseded.map(\.kind) == [.nudge, .nudge])
            let sink = ScriptedSink()
            _ = try await world.engine(planner, sinks: [sink]).runOnce()
            let soon = try await planner.edit("Lunch") { $0.answerBy = "2026-12-03 13:00" }
            #expect(
                nudges(soon).map { $0.suffix(24) }
                    == Array(
                        repeating: "2026-12-03T08:00:00.000Z", count: 2))
            let sooner = try await planner.edit("Lunch") { $0.answerBy = "2026-12-03 09:00" }
            #expect(nudges(sooner) == [])
        }
    }

    @Test func `The deadline of a series is before its end`() async throws {
        try await withPlanner { _, planner in
            var request = lunch(by: "2026-12-20")
            request.repetition = "weekly, 2 times"
            let short = request
            let code = await refusalCode { _ = try await planner.create(short) }
            #expect(code == "answer_by_after_start")
        }
    }
}
