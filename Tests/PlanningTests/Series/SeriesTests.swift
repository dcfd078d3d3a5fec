import Agenda
import Ledger
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

/// Recurring meetings, from the request to the notifications.
@Suite struct SeriesTests {
    private func standup(_ rule: String) -> MeetingRequest {
        var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
        request.repetition = rule
        request.reminders = [TimeSpan(days: 1, seconds: 0)]
        return request
    }

    private func due(_ planner: Planner) async throws -> [String] {
        try await planner.outbox().rows.map {
            "\($0.to.name.prefix(4)) \($0.kind) \($0.due.text.prefix(16))"
        }.filter { $0.hasPrefix("anna") }.sorted()
    }

    @Test func `A series begins with the first date of its rule, and each date has a reminder`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let outcome = try await planner.create(standup("every tuesday, 3 times"))
            #expect(outcome.meeting.start.text == "2026-12-08T12:00:00+02:00")
            #expect(outcome.meeting.repeat == "FREQ=WEEKLY;COUNT=3;BYDAY=TU")
            #expect(outcome.meeting.nextOccurrence?.text == "2026-12-08T12:00:00+02:00")
            #expect(
                outcome.remarks.contains { $0.text.hasPrefix("The first date by this rule is") })
            #expect(
                try await due(planner) == [
                    "anna invitation 2026-12-01T12:00", "anna reminder 2026-12-07T10:00",
                    "anna reminder 2026-12-14T10:00", "anna reminder 2026-12-21T10:00",
                ])
            let again = try await planner.meeting("Lunch")
            #expect(again.repeat == outcome.meeting.repeat)
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test(arguments: [
        ("now and then", "bad_rule"), ("FREQ=MINUTELY", "bad_rule"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0,30", "bad_rule"), ("FREQ=DAILY;BYMONTH=13", "bad_rule"),
        ("FREQ=DAILY;UNTIL=20200101T000000Z", "bad_rule"), ("", "bad_rule"),
    ])
    func `A rule that no meeting can follow is refused`(_ rule: String, _ code: String)
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let refusal = await #expect(throws: Refusal.self) {
                try await planner.create(standup(rule))
            }
            #expect(refusal?.code == code)
        }
    }

    @Test func `A moved date and a cancelled one get notifications of their own`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(standup("FREQ=WEEKLY;COUNT=4"))
            let first = try await world.deliver()
            #expect(first.map { $0["kind"] as? String } == ["invitation"])
            _ = try await planner.edit("Lunch") { edit in
                edit.date = "2026-12-11"
                edit.start = "2026-12-12T15:00"
                edit.place = "The other place"
            }
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-18", saving: true)
            #expect(
                try await due(planner) == [
                    "anna cancellation 2026-12-01T12:00", "anna change 2026-12-01T12:00",
                    "anna reminder 2026-12-03T10:00", "anna reminder 2026-12-11T13:00",
                    "anna reminder 2026-12-24T10:00",
                ])
            let told = try await world.deliver()
            let texts = told.compactMap { $0["text"] as? String }.joined(separator: "\n")
            #expect(texts.contains("The other place"))
            #expect(texts.contains("15:00"))
            #expect(try await planner.meeting("Lunch").sequence == 2)
            #expect(try await planner.verifyLedger().faults.isEmpty)
            let off = await #expect(throws: Refusal.self) {
                try await planner.cancelMeeting("Lunch", on: "2026-12-18", saving: true)
            }
            #expect(off?.code == "meeting_cancelled")
            let none = await #expect(throws: Refusal.self) {
                try await planner.cancelMeeting("Lunch", on: "2026-12-19", saving: true)
            }
            #expect(none?.code == "unknown_date")
            #expect(none?.message.hasSuffix("There is one on Fri 25 December 2026.") == true)
        }
    }

    @Test func `The reminder of a date names that date`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(standup("FREQ=WEEKLY;COUNT=4"))
            _ = try await world.deliver()
            // Noon on 10 December in Helsinki, a day before the second date.
            let later = world.later(minutes: 8 * 24 * 60 + 22 * 60)
            let lines = try await later.deliver()
            let texts = lines.compactMap { $0["text"] as? String }
            #expect(texts.count { $0.contains("11 December") } == texts.count)
            #expect(!texts.isEmpty)
        }
    }

    @Test func `Further reminders are planned as time goes by, each once`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(standup("FREQ=WEEKLY"))
            #expect(try await planner.planSeriesOn() == 0)
            let before = try await due(planner).count
            // Nothing ran for two months. Reminders of dates that passed meanwhile are not planned.
            let later = try await world.later(minutes: 60 * 24 * 60).planner()
            #expect(try await later.planSeriesOn() == 1)
            #expect(try await later.planSeriesOn() == 0)
            let reminders = try await later.outbox(kind: .reminder).rows
                .filter { $0.to.name.hasPrefix("anna") }.map { String($0.due.text.prefix(10)) }
            #expect(before == 6)
            #expect(
                reminders == [
                    "2027-02-04", "2027-02-11", "2027-02-18", "2027-02-25", "2027-03-04",
                ])
            #expect(try await later.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `The reminders of a cancelled series are superseded`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(standup("FREQ=WEEKLY"))
            _ = try await world.deliver()
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            #expect(try await due(planner) == ["anna cancellation 2026-12-01T12:00"])
        }
    }

    @Test func `An exception is stored until the date is as all others again`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let ben = PersonID(text: try await planner.add("Ben", "ben@example.org").id)
            let made = try await planner.create(standup("FREQ=WEEKLY;COUNT=4"))
            let id = MeetingID(text: made.meeting.id)
            let date = "20261211T120000"
            var change = DateChange(revision: 2, sequence: 1)
            change.place = .other(MeetingPlace(text: "Elsewhere"))
            let guests = [
                date: [Participant(person: ben), Participant(person: planner.actor.id)]
            ]
            for (changes, people) in [([date: change], guests), ([:], [:])] {
                _ = try await planner.store.reviseMeeting(id, saving: true) { bundle in
                    var meeting = bundle.meeting
                    meeting.series?.changes = changes
                    var revision = MeetingRevision(
                        meeting: meeting, participants: bundle.participants,
                        people: bundle.people, difference: LedgerDifference(), reason: "",
                        now: world.clock.now)
                    revision.dateParticipants = people
                    return revision
                }
                let bundle = try await planner.store.meetingBundle(id)
                #expect(bundle?.meeting.series?.changes == changes)
                #expect(
                    bundle?.dateParticipants.mapValues { $0.map(\.person) }
                        == people.mapValues { $0.map(\.person).sorted { $1 == ben } })
            }
        }
    }
}
