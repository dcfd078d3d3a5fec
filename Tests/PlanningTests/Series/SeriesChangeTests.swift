import Agenda
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Series that are moved, get another rule, are split in two, or end.
@Suite struct SeriesChangeTests {
    /// A home folder in which Anna was invited to lunch on Fridays from 4 December on.
    private func withLunches(
        _ rule: String = "every friday, 4 times",
        _ body: (TestWorld, Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
            request.repetition = rule
            request.reminders = [TimeSpan(days: 1, seconds: 0)]
            try await planner.create(request)
            _ = try await world.deliver()
            try await body(world, planner)
            let faults = try await planner.verifyLedger().faults.map { "\($0.rule) \($0.key)" }
            #expect(faults == [])
        }
    }

    private func anna(_ planner: Planner) async throws -> [String] {
        try await planner.outbox().rows.filter { $0.to.name == "anna@example.org" }
            .map { "\($0.kind) \($0.due.text.prefix(10))" }.sorted()
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        let refusal = await #expect(throws: Refusal.self) { try await body() }
        return refusal?.code
    }

    @Test func `A series that has not begun is moved as a whole, with its exceptions`()
        async throws
    {
        try await withLunches { world, planner in
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
            _ = try await planner.answer(
                "Lunch", on: "2026-12-18", .declined, who: "anna", plus: nil, note: nil,
                saving: true)
            let moved = try await planner.edit("Lunch") { $0.start = "2026-12-05T18:00" }
            #expect(moved.meeting.repeat == "FREQ=WEEKLY;COUNT=4;BYDAY=SA")
            #expect(moved.meeting.start.text == "2026-12-05T18:00:00+02:00")
            let dates = try await planner.meeting("Lunch").dates
            #expect(
                dates.map { "\($0.occurrence) \($0.status)" } == [
                    "20261205T180000 confirmed", "20261212T180000 cancelled",
                    "20261219T180000 confirmed", "20261226T180000 confirmed",
                ])
            let third = try await planner.meeting("Lunch", on: "2026-12-19")
            #expect(third.participants.last?.answer == .declined)
            #expect(
                try await anna(planner) == [
                    "change 2026-12-01", "reminder 2026-12-04", "reminder 2026-12-25",
                ])
        }
    }

    @Test func `A series is moved to the weekday in the week of its first date`()
        async throws
    {
        try await withLunches { _, planner in
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
            let moved = try await planner.edit("Lunch") { $0.start = "thu 13:00" }
            #expect(moved.meeting.start.text == "2026-12-03T13:00:00+02:00")
            #expect(
                moved.meeting.dates.map { "\($0.occurrence) \($0.status)" } == [
                    "20261203T130000 confirmed", "20261210T130000 cancelled",
                    "20261217T130000 confirmed", "20261224T130000 confirmed",
                ])
        }
    }

    @Test(arguments: ["every friday", "every friday, 4 times"])
    func `The deadline of a change to a single date is the end of the former series`(
        _ rule: String
    ) async throws {
        try await withLunches(rule) { _, planner in
            _ = try await planner.edit("Lunch") { $0.repetition = "none" }
            let change = try #require(
                try await planner.deliveries(of: "Lunch", to: nil).rows.map(\.delivery)
                    .first { $0.kind == .change })
            let isEndless = rule == "every friday"
            #expect(change.deadline.text.prefix(10) == (isEndless ? "9999-12-31" : "2026-12-25"))
        }
    }

    @Test func `A rule in words counts its intervals from the first date`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-03T12:00")
            request.repetition = "every 2nd tuesday"
            let made = try await planner.create(request)
            #expect(made.meeting.start.text == "2026-12-08T12:00:00+02:00")
            request.repetition = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"
            let ruled = try await planner.create(request)
            #expect(ruled.meeting.start.text == "2026-12-15T12:00:00+02:00")
            let code = await refusal {
                request.repetition = "FREQ=DAILY;COUNT=40001"
                _ = try await planner.create(request)
            }
            #expect(code == "bad_rule")
        }
    }

    @Test func `A start that the clocks skip on one date is kept for all others`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2027-03-26T03:30")
            request.repetition = "daily, 8 times"
            try await planner.create(request)
            _ = try await planner.cancelMeeting("Lunch", on: "2027-03-31", saving: true)
            _ = try await planner.edit("Lunch") {
                $0.date = "2027-04-01"
                $0.place = "Attic"
            }
            let rest = try await planner.edit("Lunch") {
                $0.from = "2027-03-28"
                $0.place = "Hall"
            }
            #expect(
                rest.meeting.dates.map {
                    "\($0.start.text.dropFirst(5).prefix(11)) \($0.status) \($0.place ?? "")"
                } == [
                    "03-28T04:30 confirmed Hall", "03-29T03:30 confirmed Hall",
                    "03-30T03:30 confirmed Hall", "03-31T03:30 cancelled Hall",
                    "04-01T03:30 confirmed Attic", "04-02T03:30 confirmed Hall",
                ])
            request.repetition = "sundays, 2 times"
            let sundays = try await planner.create(request)
            #expect(
                sundays.meeting.dates.map { $0.start.text.prefix(16) } == [
                    "2027-03-28T04:30", "2027-04-04T03:30",
                ])
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A move to a day that does not fit the rule needs a new rule`() async throws {
        try await withLunches("monthly on the first friday") { _, planner in
            let code = await refusal {
                _ = try await planner.edit("Lunch") { $0.start = "2026-12-05T12:00" }
            }
            #expect(code == "bad_rule")
            let moved = try await planner.edit("Lunch") {
                $0.start = "2026-12-05T12:00"
                $0.repetition = "monthly on the first saturday"
            }
            #expect(moved.meeting.start.text == "2026-12-05T12:00:00+02:00")
            #expect(moved.meeting.repeat == "FREQ=MONTHLY;BYDAY=1SA")
        }
    }

    @Test func `A series that has begun can only be moved from a date on`() async throws {
        try await withLunches { world, _ in
            let later = try await world.later(minutes: 5 * 24 * 60).planner()
            let code = await refusal {
                _ = try await later.edit("Lunch") { $0.start = "2026-12-12T18:00" }
            }
            #expect(code == "series_begun")
            let moved = try await later.edit("Lunch") {
                $0.start = "19:00"
                $0.from = "next"
            }
            #expect(moved.meeting.start.text == "2026-12-11T19:00:00+02:00")
            #expect(moved.meeting.repeat == "FREQ=WEEKLY;COUNT=3;BYDAY=FR")
            let old = try await later.meetings(.past).meetings
            #expect(old.map(\.title) == ["Lunch"])
            let rest = try await later.meeting("Lunch")
            #expect(rest.id == moved.meeting.id)
            #expect(rest.participants.map(\.name).contains("anna@example.org"))
        }
    }

    @Test func `A series that has begun gets another end, without a new invitation`() async throws {
        try await withLunches("every friday") { world, _ in
            let later = try await world.later(minutes: 5 * 24 * 60).planner()
            let id = try await later.meeting("Lunch").id
            let ended = try await later.edit("Lunch") {
                $0.repetition = "every friday until 18 dec"
            }
            #expect(ended.meeting.id == id)
            #expect(ended.meeting.repeat == "FREQ=WEEKLY;UNTIL=20261218;BYDAY=FR")
            #expect(ended.meeting.start.text == "2026-12-04T12:00:00+02:00")
            #expect(!ended.notifications.added.contains { $0.kind == .invitation })
            let longer = try await later.edit("Lunch") { $0.repetition = "every friday" }
            #expect(longer.meeting.repeat == "FREQ=WEEKLY;BYDAY=FR")
        }
    }

    @Test(arguments: ["every friday until 4 dec 2026", "every thursday until 18 dec", "none"])
    func `Any other rule of a series that has begun is refused, with the way to end it`(
        _ rule: String
    ) async throws {
        try await withLunches("every friday") { world, _ in
            let later = try await world.later(minutes: 5 * 24 * 60).planner()
            let refused = await #expect(throws: Refusal.self) {
                _ = try await later.edit("Lunch") { $0.repetition = rule }
            }
            #expect(refused?.code == "series_begun")
            let id = try await later.meeting("Lunch").id
            #expect(refused?.advice.first == .meetings(.endSeries(id)))
        }
    }

    @Test func `Another end from a date on tells how to avoid a new invitation`() async throws {
        try await withLunches("every friday") { world, _ in
            let later = try await world.later(minutes: 5 * 24 * 60).planner()
            var edit = MeetingEdit()
            (edit.from, edit.repetition) = ("next", "every friday until 18 dec")
            let id = try await later.meetingID(named: "Lunch")
            let preview = try await later.editMeeting(id, edit, saving: false)
            #expect(
                preview.remarks.contains { $0.advice == [.meetings(.endSeries(id.text))] })
            edit.place = "Hall"
            let more = try await later.editMeeting(id, edit, saving: false)
            #expect(!more.remarks.contains { $0.advice == [.meetings(.endSeries(id.text))] })
        }
    }

    @Test func `The exceptions of later dates are kept when a series is split in two`()
        async throws
    {
        try await withLunches { world, planner in
            _ = try await planner.edit("Lunch") {
                $0.date = "2026-12-25"
                $0.place = "Elsewhere"
            }
            _ = try await planner.answer(
                "Lunch", on: "2026-12-18", .declined, who: "anna", plus: nil, note: "Ill",
                saving: true)
            _ = try await planner.invite(
                ["ben@example.org"], to: "Lunch", on: "2026-12-18", saving: true)
            _ = try await world.deliver()
            let cut = try await planner.edit("Lunch") {
                $0.from = "2026-12-18"
                $0.duration = TimeSpan(days: 0, seconds: 7200)
            }
            let rest = cut.meeting
            #expect(rest.repeat == "FREQ=WEEKLY;COUNT=2;BYDAY=FR")
            #expect(rest.dates.map(\.place) == [rest.place?.text, "Elsewhere"])
            let first = try await planner.meeting(rest.id, on: "2026-12-18")
            #expect(
                first.participants.map { "\($0.name) \($0.answer) \($0.note)" }.dropFirst() == [
                    "anna@example.org declined Ill", "ben@example.org invited ",
                ])
            let kinds = cut.notifications.added.map { "\($0.kind) \($0.name)" }
                .filter { !$0.hasPrefix("reminder") }.sorted()
            #expect(
                kinds == [
                    "cancellation ben@example.org", "change anna@example.org",
                    "invitation anna@example.org", "invitation ben@example.org",
                ])
            let early = try await planner.meetings(.coming).meetings.filter { $0.id != rest.id }
            let old = try await planner.meeting(early.first?.id ?? "")
            #expect(old.repeat == "FREQ=WEEKLY;UNTIL=20261211;BYDAY=FR")
            #expect(old.dates.count == 2)
        }
    }

    @Test func `If a series ends before a date, later reminders are superseded`() async throws {
        try await withLunches { _, planner in
            let ended = try await planner.cancelMeeting("Lunch", from: "2026-12-18", saving: true)
            #expect(ended.meeting.status == .confirmed)
            #expect(Set(ended.notifications.superseded.map(\.kind)) == [.reminder])
            #expect(
                try await anna(planner) == [
                    "change 2026-12-01", "reminder 2026-12-03", "reminder 2026-12-10",
                ])
            #expect(try await planner.meeting("Lunch").dates.count == 2)
            // From its first date on, the whole series is cancelled.
            let off = try await planner.cancelMeeting("Lunch", from: "next", saving: true)
            #expect(off.meeting.status == .cancelled)
        }
    }

    @Test func `A meeting becomes a series, and a single meeting again`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(
                .lunch(with: "anna@example.org", start: "2026-12-04T12:00"))
            _ = try await world.deliver()
            let more = try await planner.edit("Lunch") { $0.repetition = "weekly, 3 times" }
            #expect(more.meeting.repeat == "FREQ=WEEKLY;COUNT=3")
            _ = try await planner.cancelMeeting("Lunch", on: "2026-12-11", saving: true)
            _ = try await planner.answer(
                "Lunch", on: "2026-12-18", .declined, who: "anna", plus: nil, note: nil,
                saving: true)
            let once = try await planner.edit("Lunch") { $0.repetition = "none" }
            #expect(once.meeting.repeat == nil)
            let again = try await planner.edit("Lunch") { $0.repetition = "weekly, 3 times" }
            #expect(again.meeting.dates.map(\.status) == [.confirmed, .confirmed, .confirmed])
            #expect(try await planner.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `The title of a single date cannot be changed`() async throws {
        try await withLunches { _, planner in
            let code = await refusal {
                _ = try await planner.edit("Lunch") {
                    $0.date = "next"
                    $0.title = "Dinner"
                }
            }
            #expect(code == "usage")
        }
    }

    @Test func `A meeting that does not repeat has no single dates`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            let one = await refusal {
                _ = try await planner.cancelMeeting("Lunch", on: "next", saving: true)
            }
            let following = await refusal {
                _ = try await planner.cancelMeeting("Lunch", from: "next", saving: true)
            }
            #expect([one, following] == ["no_series", "no_series"])
        }
    }
}
