import Agenda
import Inbox
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Answers to single dates of a series, and invitations to them.
@Suite struct SeriesAnswerTests {
    private static let environment = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    /// A home folder in which Anna is invited to lunch on four Fridays from 4 December on.
    private func withLunches(
        _ body: (TestWorld, Planner, String) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: Self.environment)
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
            request.repetition = "weekly, 4 times"
            request.reminders = [TimeSpan(days: 1, seconds: 0)]
            let id = try await planner.create(request).meeting.id
            try await body(world, planner, id)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    private func said(_ planner: Planner, _ id: String, on date: String?) async throws -> String? {
        let view = try await planner.meeting(id, on: date)
        return view.participants.first { $0.name == "anna@example.org" }
            .map { "\($0.answer) \($0.plus)" }
    }

    private func reminders(_ planner: Planner) async throws -> [String] {
        try await planner.outbox(kind: .reminder).rows
            .filter { $0.to.name == "anna@example.org" }.map { String($0.due.text.prefix(10)) }
    }

    @Test func `A guest who declines one date is reminded of the others`() async throws {
        try await withLunches { _, planner, id in
            let no = try await planner.answer(
                id, on: "2026-12-11", .declined, who: "anna", plus: nil, note: "Ill",
                saving: true)
            #expect(no.answered?.answer == .declined)
            #expect(no.meeting.occurrence == "20261211T120000")
            #expect(no.meeting.start.text == "2026-12-11T12:00:00+02:00")
            #expect(
                try await reminders(planner) == ["2026-12-03", "2026-12-17", "2026-12-24"])
            // An answer to all dates does not change the answer to this one.
            let again = try await planner.answer(
                id, .going, who: "anna", plus: 2, note: nil, saving: true)
            #expect(try await said(planner, id, on: "2026-12-11") == "declined 0")
            #expect(
                again.remarks == [
                    Remark(
                        "Answers of anna@example.org to single dates still apply: "
                            + "Fri 11 December 2026 (declined).")
                ])
            let anna = try await planner.person(named: "anna@example.org")
            let own = try await planner.acting(as: anna).answer(
                id, .going, who: nil, plus: 2, note: nil, saving: true)
            #expect(
                own.remarks.map(\.text) == [
                    "Your answers to single dates still apply: Fri 11 December 2026 (declined)."
                ])
            #expect(try await said(planner, id, on: "2026-12-18") == "going 2")
            #expect(try await said(planner, id, on: nil) == "going 2")
            _ = try await planner.answer(
                id, on: "2026-12-11", .going, who: "anna", plus: nil, note: nil, saving: true)
            #expect(try await reminders(planner).count == 4)
        }
    }

    @Test func `A guest who declines all dates can accept a single one`() async throws {
        try await withLunches { _, planner, id in
            _ = try await planner.answer(
                id, .declined, who: "anna", plus: nil, note: nil, saving: true)
            _ = try await planner.answer(
                id, on: "next", .going, who: "anna", plus: 1, note: nil, saving: true)
            #expect(try await reminders(planner) == ["2026-12-03"])
        }
    }

    @Test func `A guest of one date is notified of that date only`() async throws {
        try await withLunches { _, planner, id in
            let asked = try await planner.invite(
                ["ben@example.org"], to: id, on: "2026-12-18", saving: true)
            let ben = asked.notifications.added.filter { $0.name == "ben@example.org" }
            #expect(Set(ben.map(\.kind)) == [.invitation, .reminder])
            #expect(Set(ben.map(\.occurrence)) == ["20261218T120000"])
            #expect(try await planner.meeting(id).participants.count == 2)
            let date = try await planner.meeting(id, on: "2026-12-18")
            #expect(date.participants.map(\.name).contains("ben@example.org"))
            let off = try await planner.uninvite(
                ["ben"], from: id, on: "2026-12-18", saving: true)
            let taken = off.notifications.superseded.filter { $0.name == "ben@example.org" }
            #expect(taken.count == 2)
        }
    }

    @Test func `A guest who is removed from one date is notified of that date only`() async throws {
        try await withLunches { world, planner, id in
            _ = try await world.deliver()
            let off = try await planner.uninvite(["anna"], from: id, on: "2026-12-11", saving: true)
            let kinds = off.notifications.added.filter { $0.kind != .reminder }
                .map { "\($0.kind) \($0.occurrence)" }
            #expect(kinds == ["cancellation 20261211T120000"])
            #expect(
                Set(try await reminders(planner))
                    == ["2026-12-03", "2026-12-17", "2026-12-24"])
        }
    }

    /// A reply to one date, as a calendar program sends it by mail.
    private func reply(
        _ id: String, _ word: String, on date: String, sequence: Int = 0, method: String = "REPLY",
        stamp: String = "20261201T120000Z", more: String = ""
    ) -> [UInt8] {
        Array(
            """
            From: anna@example.org
            To: olga@example.org
            Subject: Accepted: Lunch
            Content-Type: text/calendar; method=\(method); charset=utf-8

            BEGIN:VCALENDAR
            VERSION:2.0
            METHOD:\(method)
            BEGIN:VEVENT
            UID:\(id)@letsmeet
            RECURRENCE-ID\(date)
            SEQUENCE:\(sequence)
            DTSTAMP:\(stamp)
            ATTENDEE;PARTSTAT=\(word):mailto:anna@example.org
            \(more)END:VEVENT
            END:VCALENDAR
            """.utf8)
    }

    @Test(arguments: [
        ";TZID=Europe/Helsinki:20261211T120000", ":20261211T100000Z",
    ])
    func `A reply to one date answers only that date`(_ date: String) async throws {
        try await withLunches { _, planner, id in
            let receipt = try await planner.receiveMail(reply(id, "DECLINED", on: date))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            #expect(try await said(planner, id, on: "2026-12-11") == "declined 0")
            #expect(try await said(planner, id, on: "2026-12-18") == "invited 0")
            #expect(try await said(planner, id, on: nil) == "invited 0")
            let twice = try await planner.receiveMail(reply(id, "DECLINED", on: date))
            #expect(twice.outcome == .ignored)
            let told = try await planner.ledger(states: [.planned], meeting: id, limit: 99)
                .filter { $0.delivery.kind == .answer }
            #expect(told.map(\.delivery.occurrence) == ["20261211T120000"])
        }
    }

    @Test(arguments: [
        (".0.20261211T120000", "declined"), (".0.20261211t120000", "declined"),
        (".0.20261212t120000", "invited"), (".0.x", "invited"), (".0.", "invited"),
        (".0.20261211t120000.1", "invited"),
    ])
    func `An answer in words names the date in its subject`(
        _ mark: String, _ answer: String
    ) async throws {
        try await withLunches { _, planner, id in
            let mail = """
                From: anna@example.org
                To: olga@example.org
                Date: Tue, 1 Dec 2026 12:00:00 +0000
                Subject: No: Lunch [\(id)\(mark)]

                I am ill
                """
            _ = try await planner.receiveMail(Array(mail.utf8))
            #expect(try await said(planner, id, on: "2026-12-11") == "\(answer) 0")
            #expect(try await said(planner, id, on: nil) == "invited 0")
        }
    }

    @Test func `A reply to a date that does not exist is ignored`() async throws {
        try await withLunches { _, planner, id in
            for date in [":20261212T100000Z", ":20270101T100000Z", ":2026", ":"] {
                let receipt = try await planner.receiveMail(reply(id, "DECLINED", on: date))
                #expect(receipt.outcome == .ignored, "\(date)")
            }
        }
    }

    @Test func `After one date changed, only outdated replies to that date are ignored`()
        async throws
    {
        try await withLunches { world, planner, id in
            _ = try await planner.edit(id) {
                $0.date = "2026-12-11"
                $0.start = "2026-12-11T15:00"
            }
            world.clock.advance(bySeconds: 60)
            let old = try await planner.receiveMail(
                reply(id, "DECLINED", on: ":20261211T100000Z", sequence: 0))
            #expect(old.outcome == .ignored)
            let other = try await planner.receiveMail(
                reply(id, "ACCEPTED", on: ":20261218T100000Z", sequence: 0))
            #expect(other.outcome == .answered, "\(other.reason)")
            let new = try await planner.receiveMail(
                reply(id, "ACCEPTED", on: ":20261211T100000Z", sequence: 1))
            #expect(new.outcome == .answered, "\(new.reason)")
            #expect(try await said(planner, id, on: "20261211T120000") == "going 0")
            // Some programs count the SEQUENCE up in their replies.
            let ahead = try await planner.receiveMail(
                reply(id, "TENTATIVE", on: ":20261218T100000Z", sequence: 2))
            #expect(ahead.outcome == .answered, "\(ahead.reason)")
        }
    }

    @Test func `A proposal for one date moves only that date`() async throws {
        try await withLunches { _, planner, id in
            let receipt = try await planner.receiveMail(
                reply(
                    id, "TENTATIVE", on: ":20261211T100000Z", method: "COUNTER",
                    more: "DTSTART:20261211T140000Z\nDTEND:20261211T150000Z\n"))
            #expect(receipt.outcome == .proposed, "\(receipt.reason)")
            let choice = try await planner.proposal(for: id, by: "anna")
            let moved = try await planner.accept(choice, saving: true)
            #expect(moved.meeting.start.text == "2026-12-11T16:00:00+02:00")
            let dates = try await planner.meeting(id).dates
            #expect(
                dates.map { String($0.start.text.prefix(16)) } == [
                    "2026-12-04T12:00", "2026-12-11T16:00", "2026-12-18T12:00",
                    "2026-12-25T12:00",
                ])
        }
    }

    @Test func `A snooze applies to the next date`() async throws {
        try await withLunches { world, _, id in
            let later = try await world.later(minutes: 9 * 24 * 60)
                .planner(environment: Self.environment)
            let snoozed = try await later.snooze(
                id, .after(TimeSpan(days: 0, seconds: 600)), who: "anna", saving: true)
            let added = snoozed.notifications.added.filter { $0.kind == .reminder }
            #expect(added.map(\.occurrence) == ["20261211T120000"])
        }
    }

    @Test func `An answer to a date far ahead does not lay out the dates before it`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            var request = MeetingRequest.lunch(with: "anna@example.org", start: "2026-12-04T12:00")
            request.repetition = "every hour"
            let id = try await planner.create(request).meeting.id
            let far = try await planner.answer(
                id, on: "99990101T120000", .declined, who: "anna@example.org", plus: nil, note: nil,
                saving: true)
            #expect(far.meeting.occurrence == "99990101T120000")
            let zone = try ZoneDirectory().zone("Europe/Helsinki")
            let meeting = try await planner.bundle(MeetingID(text: id)).meeting
            let all = meeting.dates(
                endingAfter: meeting.time.startsAt, startingBefore: Series.endless, in: zone)
            #expect(all.count == Meeting.datesMax)
        }
    }
}
