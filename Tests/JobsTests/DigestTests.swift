import Agenda
import Foundation
import Ledger
import Notifications
import Planning
import Settings
import Sinks
import Storage
import TestKit
import Testing
import Timekeeping

@testable import Jobs

/// A home with Anna, who has quiet hours and daily digests, and Ben, who has neither.
struct Morning {
    let world: TestWorld
    let planner: Planner
    let sink = ScriptedSink()

    func engine() throws -> DeliveryEngine { try world.engine(planner, sinks: [sink]) }

    /// Sends the due deliveries, and returns those that arrived: "digest to Anna Alm".
    func send() async throws -> [String] {
        let before = sink.messages.count
        _ = try await engine().runOnce()
        return sink.messages.dropFirst(before).map { "\($0.kind.rawValue) to \($0.name)" }.sorted()
    }

    func meet(_ title: String, _ start: String) async throws {
        var request = MeetingRequest()
        request.title = title
        request.start = start
        request.with = ["Anna", "Ben"]
        request.reminders = []
        _ = try await planner.createMeeting(request, saving: true)
    }

    func go(to time: String) throws { world.clock.set(try Moment.parse(time)) }
}

func withMorning(_ body: (Morning) async throws -> Void) async throws {
    try await withTemporaryHome(now: "2026-12-01T12:00:00Z") { world in
        let planner = try await world.planner()
        for name in ["Anna Alm", "Ben Berg"] {
            var edit = ContactEdit()
            edit.name = name
            edit.emails = ["\(name.prefix(3).lowercased())@example.org"]
            edit.zone = "Europe/Helsinki"
            _ = try await planner.addPerson(edit)
        }
        var policy = PolicyEdit()
        policy.quietHours = [try WeekSpan.parse("22:00-08:00")]
        policy.digest = .each(.daily)
        _ = try await planner.setPolicy(policy, of: "Anna", saving: true)
        try await body(Morning(world: world, planner: planner))
    }
}

@Suite struct DigestTests {
    @Test func `The organizer's digest lists answers by mail that were not taken`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-20T12:00")
            var policy = PolicyEdit()
            policy.digest = .each(.daily)
            _ = try await morning.planner.setPolicy(policy, of: nil, saving: true)
            let meeting = try await morning.planner.meetingID(named: "Lunch")
            try morning.go(to: "2026-12-01T20:00:00Z")
            var mail = IgnoredMail(
                id: "aaaaaaaaaaaaaaaa", readAt: morning.world.clock.now,
                sender: "x@example.org", subject: "Yes", reason: "nobody knows why", isAnswer: true)
            mail.meeting = meeting
            let other = IgnoredMail(
                id: "bbbbbbbbbbbbbbbb", readAt: morning.world.clock.now,
                sender: "y@example.org", subject: "Offer", reason: "no answer", isAnswer: false)
            try await morning.planner.store.note([mail, other], now: morning.world.clock.now)
            try morning.go(to: "2026-12-02T06:00:00Z")
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            _ = try await morning.send()
            let texts = morning.sink.messages.filter { $0.kind == .digest }
            #expect(texts.map(\.name).sorted() == ["Anna Alm", "Olga Owner"])
            let own = try #require(texts.first { $0.name == "Olga Owner" }?.text)
            #expect(
                own.contains(
                    """
                    Answers by mail that were not taken:

                    x@example.org, Lunch
                      Yes
                      Not taken: nobody knows why.

                    Ask them, or enter their answer yourself.
                    """))
            #expect(!own.contains("y@example.org"))
            #expect(texts.first { $0.name == "Anna Alm" }?.text.contains("x@") == false)
        }
    }

    @Test func `A digest lists meetings, unanswered invitations and messages held by quiet hours`()
        async throws
    {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            try await morning.meet("Party", "2026-12-20T19:00")
            #expect(try await morning.send().count == 4)
            _ = try await morning.planner.answer(
                "Lunch", .going, who: "Anna", plus: nil, note: nil, saving: true)
            // It is after ten in the evening in Helsinki.
            try morning.go(to: "2026-12-01T21:00:00Z")
            _ = try await morning.planner.message(
                "Lunch", "Bring cake", to: [.invited, .going], saving: true)
            #expect(try await morning.send() == ["message to Ben Berg"])

            try morning.go(to: "2026-12-02T05:00:00Z")
            let nominal = morning.world.clock.now
            let report = try await morning.planner.planDigests(.daily, for: nominal)
            #expect(report.remark(of: .daily).text == "1 digest planned, 0 empty")
            #expect(try await morning.send() == [])
            // The message is part of the digest, and is not sent separately.
            try morning.go(to: "2026-12-02T06:00:00Z")
            #expect(try await morning.send() == ["digest to Anna Alm"])
            let digest = try #require(morning.sink.messages.last)
            #expect(digest.subject == "Your day, Wed 2 December 2026")
            #expect(
                digest.text == """
                    Coming up:

                    Wed 2 December 2026, 12:00–13:00 (Europe/Helsinki)
                      Lunch
                      Guests: 2 going · 1 hasn't answered

                    Waiting for your answer:

                    Sun 20 December 2026, 19:00–20:00 (Europe/Helsinki)
                      Party

                    Held back during your quiet hours:

                    Olga Owner about Lunch:
                    Bring cake
                    """)
            #expect(digest.meeting.isEmpty)
            let faults = try await morning.planner.verifyLedger().faults
            #expect(faults.isEmpty)
            let stories = try await morning.planner.deliveries(of: "Lunch", to: "Anna")
            let message = stories.rows.first { $0.delivery.kind == .message }
            #expect(message?.delivery.reason.hasPrefix("included in the digest") == true)
        }
    }

    @Test func `A digest is planned once a day, however often its job runs`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            let nominal = morning.world.clock.now
            _ = try await morning.planner.planDigests(.daily, for: nominal)
            let again = try await morning.planner.planDigests(.daily, for: nominal)
            #expect(
                again.remark(of: .daily).text
                    == "0 digests planned, 0 empty, 1 planned earlier")
            let tomorrow = nominal.advanced(bySeconds: 86_400)
            #expect(try await morning.planner.planDigests(.daily, for: tomorrow).planned == 1)
        }
    }

    @Test func `A person with nothing to read, or who declined everything, gets no digest`()
        async throws
    {
        try await withMorning { morning in
            let now = morning.world.clock.now
            #expect(try await morning.planner.planDigests(.daily, for: now).empty == 1)
            #expect(
                try await morning.planner.planDigests(.weekly, for: now).remark(of: .weekly).text
                    == "nothing to do: nobody has chosen weekly digests")
            try await morning.meet("Lunch", "2026-12-02T12:00")
            _ = try await morning.planner.answer(
                "Lunch", .declined, who: "Anna", plus: nil, note: nil, saving: true)
            #expect(try await morning.planner.planDigests(.daily, for: now).empty == 1)
        }
    }

    @Test func `A digest expires when the next one is due`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            _ = try await morning.planner.planDigests(
                .daily, for: morning.world.clock.now,
                next: try Moment.parse("2026-12-02T05:00:00Z"))
            try morning.go(to: "2026-12-02T06:00:00Z")
            #expect(!(try await morning.send().contains("digest to Anna Alm")))
            let expired = try await morning.planner.ledger(
                states: [.expired], meeting: nil, limit: 10)
            #expect(expired.rows.map(\.delivery.kind) == [.digest])
        }
    }

    @Test func `The crontab sends digests`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            let table = try await Timetable(
                morning.world, "CRON_TZ=UTC\n0 13 * * * id=d digest daily")
            try await table.iterate()
            try await table.iterate(at: "13:00:00")
            #expect(try await table.runs("d") == ["13:00 done"])
            #expect(try await morning.send().contains("digest to Anna Alm"))
        }
    }

    @Test func `A policy shows its digest setting, and the setting can be removed`() async throws {
        try await withMorning { morning in
            #expect(try await morning.planner.policy(of: "Anna").digest == "daily")
            var edit = PolicyEdit()
            edit.digest = .none
            let outcome = try await morning.planner.setPolicy(edit, of: "Anna", saving: true)
            #expect(outcome.policy.digest == nil)
            #expect(outcome.policy.quietHours == ["22:00-08:00"])
        }
    }

    @Test func `The content of a digest that did not arrive is in the next one`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-09T12:00")
            _ = try await morning.send()
            try morning.go(to: "2026-12-01T21:00:00Z")
            _ = try await morning.planner.message(
                "Lunch", "Bring cake", to: [.invited], saving: true)
            _ = try await morning.send()
            try morning.go(to: "2026-12-02T05:00:00Z")
            let first = morning.world.clock.now
            _ = try await morning.planner.planDigests(
                .daily, for: first, next: first.advanced(bySeconds: 2 * 3600))
            // Nothing is sent until the digest has expired.
            try morning.go(to: "2026-12-02T07:30:00Z")
            #expect(try await morning.send() == [])
            try morning.go(to: "2026-12-03T05:00:00Z")
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            try morning.go(to: "2026-12-03T06:30:00Z")
            #expect(try await morning.send() == ["digest to Anna Alm"])
            #expect(morning.sink.messages.last?.text.contains("Bring cake") == true)
            try morning.go(to: "2026-12-04T05:00:00Z")
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            try morning.go(to: "2026-12-04T06:30:00Z")
            _ = try await morning.send()
            #expect(morning.sink.messages.last?.text.contains("Bring cake") == false)
            let faults = try await morning.planner.verifyLedger().faults
            #expect(faults.isEmpty)
        }
    }

    @Test func `A digest that would arrive after the next one is not planned`() async throws {
        try await withMorning { morning in
            var policy = PolicyEdit()
            policy.quietHours = []
            policy.sendWindows = [try WeekSpan.parse("mon-fri 09:00-18:00")]
            _ = try await morning.planner.setPolicy(policy, of: "Anna", saving: true)
            try await morning.meet("Lunch", "2026-12-09T12:00")
            // A Saturday.
            try morning.go(to: "2026-12-05T05:00:00Z")
            let report = try await morning.planner.planDigests(
                .daily, for: morning.world.clock.now)
            #expect(report.planned == 0)
        }
    }

    @Test func `A person who got digests can be erased, also from digests to others`()
        async throws
    {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            _ = try await morning.send()
            let text = try #require(morning.sink.messages.last { $0.kind == .digest }?.text)
            #expect(text.contains("Lunch"))
            _ = try await morning.planner.cancelMeeting("Lunch", saving: true)
            _ = try await morning.planner.erasePerson("Anna Alm")
            let faults = try await morning.planner.verifyLedger().faults
            #expect(faults.isEmpty)
            let rows = try await morning.planner.ledger(
                states: [.accepted], meeting: nil, limit: 100
            ).rows
            let digest = rows.first { $0.delivery.kind == .digest }
            #expect(digest?.body?.contains("Lunch") == false)
        }
    }

    @Test func `A digest waiting for a disabled sink goes out by an enabled one`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            _ = try await morning.send()
            // It is after ten in the evening in Helsinki.
            try morning.go(to: "2026-12-01T21:00:00Z")
            _ = try await morning.planner.message(
                "Lunch", "Bring cake", to: [.invited], saving: true)
            try morning.go(to: "2026-12-02T06:00:00Z")
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            let mailing = try await morning.world.planner(environment: [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:2525",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ]).sending()
            _ = try await mailing.followSinks()
            let sink = ScriptedSink(name: "mail")
            _ = try await morning.world.engine(mailing, sinks: [sink]).runOnce()
            let digest = try #require(sink.messages.first { $0.kind == .digest })
            #expect(digest.text.contains("Bring cake"))
            // The message was sent, so the next digest does not repeat it.
            try morning.go(to: "2026-12-03T06:00:00Z")
            _ = try await mailing.planDigests(.daily, for: morning.world.clock.now)
            _ = try await morning.world.engine(mailing, sinks: [sink]).runOnce()
            #expect(
                sink.messages.count { $0.text.contains("Bring cake") && $0.name == "Anna Alm" } == 1
            )
            #expect(try await mailing.verifyLedger().faults.isEmpty)
        }
    }

    @Test func `A digest can be dropped, and retried`() async throws {
        try await withMorning { morning in
            try await morning.meet("Lunch", "2026-12-02T12:00")
            _ = try await morning.planner.planDigests(.daily, for: morning.world.clock.now)
            let lines = try await morning.planner.outbox()
            let key = try #require(lines.rows.first { $0.kind == "digest" }?.key)
            _ = try await morning.planner.dropDeliveries([key])
            #expect(!(try await morning.send().contains("digest to Anna Alm")))
            _ = try await morning.planner.retryDeliveries([key])
            #expect(try await morning.send() == ["digest to Anna Alm"])
            let faults = try await morning.planner.verifyLedger().faults
            #expect(faults.isEmpty)
        }
    }

    @Test func `A digest to a suppressed address can be retried afterwards`() async throws {
        try await withMorning { morning in
            let planner = morning.planner
            try await morning.meet("Lunch", "2026-12-02T12:00")
            _ = try await planner.planDigests(.daily, for: morning.world.clock.now)
            let lines = try await planner.outbox()
            let key = try #require(lines.rows.first { $0.kind == "digest" }?.key)
            _ = try await planner.suppress(
                "ann@example.org", channel: nil, until: nil, reason: nil, saving: true)
            #expect(!(try await morning.send().contains("digest to Anna Alm")))
            _ = try await planner.unsuppress("ann@example.org", channel: nil, saving: true)
            let outcome = try await planner.retryDeliveries([key])
            #expect(outcome.deliveries.first?.wanted == nil)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
            #expect(try await morning.send().contains("digest to Anna Alm"))
        }
    }
}

@Suite struct AlarmTests {
    @Test func `The owner is notified once of a failed job`() async throws {
        let lines = "CRON_TZ=UTC\n5 12 * * * id=a contacts sync"
        try await withTimetable(lines, settings: [.contactsFolder: "/nowhere/at/all"]) { table in
            try await table.iterate()
            try await table.iterate(at: "12:05:00")
            let sink = ScriptedSink()
            let engine = try table.world.engine(table.planner, sinks: [sink])
            _ = try await engine.runOnce()
            let alarm = try #require(sink.messages.first)
            #expect(sink.messages.count == 1)
            #expect(alarm.kind == .alarm && alarm.name == "Olga Owner")
            #expect(alarm.subject == "letsmeet: contacts sync failed")
            #expect(alarm.text.contains("/nowhere/at/all"))
            let faults = try await table.planner.verifyLedger().faults
            #expect(faults.isEmpty)
        }
    }

    @Test func `The output of a failed command is in the alarm`() async throws {
        let lines = "CRON_TZ=UTC\n5 12 * * * id=a run echo no room left; exit 28"
        try await withTimetable(lines, settings: [.allowShell: "true"]) { table in
            try await table.iterate()
            try await table.iterate(at: "12:05:00")
            let sink = ScriptedSink()
            _ = try await table.world.engine(table.planner, sinks: [sink]).runOnce()
            #expect(
                sink.messages.first?.text.contains("ended with status 28:\nno room left") == true)
        }
    }
}
