import Agenda
import Inbox
import Notifications
import Planning
import TestKit
import Testing

/// Which of several answers by mail counts, and for which time.
@Suite(.timeLimit(.minutes(5))) struct AnswerOrderTests {
    private let mails = PeoplesMailTests()
    private static let date = "RECURRENCE-ID:20261211T100000Z\n"

    private func send(_ world: TestWorld, _ planner: Planner) async throws {
        _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
    }

    /// Runs the body an hour after one date of a series was moved to the next day.
    private func withMovedDate(
        _ body: (TestWorld, Planner, String) async throws -> Void
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { world, planner, id in
            try await send(world, planner)
            world.clock.advance(bySeconds: 3600)
            _ = try await planner.edit(id) {
                ($0.date, $0.start) = ("2026-12-11", "2026-12-12T15:00")
            }
            try await send(world, planner)
            world.clock.advance(bySeconds: 3600)
            try await body(world, planner, id)
        }
    }

    private func guest(
        _ planner: Planner, _ id: String, on date: String? = nil
    ) async throws -> MeetingView.Guest {
        let view: MeetingView = try await planner.meeting(id, on: date)
        return try #require(view.participants.first { $0.name == "Anna Aalto" })
    }

    @Test(arguments: ["place", "small move"], [1, 9])
    func `The answer that was written later counts, whatever their SEQUENCE`(
        _ change: String, _ sequence: Int
    ) async throws {
        try await mails.withLunch { world, planner, id in
            try await send(world, planner)
            _ = try await planner.edit(id) {
                if change == "place" { $0.place = "Library" } else { $0.start = "2026-12-04T12:15" }
            }
            try await send(world, planner)
            world.clock.advance(bySeconds: 7200)
            let first = mails.reply(
                mails.event(id, "ACCEPTED", sequence: sequence),
                date: "Tue, 1 Dec 2026 15:30:00 +0200")
            #expect(try await planner.receiveMail(first).outcome == .answered)
            let second = mails.reply(
                mails.event(id, "DECLINED"), date: "Tue, 1 Dec 2026 15:40:00 +0200")
            let taken = try await planner.receiveMail(second)
            #expect(taken.outcome == .answered, "\(taken.reason)")
            // The first one arrives again on another way.
            let again = try await planner.receiveMail(
                Array("Received: by mx.example\n".utf8) + first)
            #expect(again.outcome == .ignored)
            #expect(try await mails.said(planner, id) == .declined)
            // One that was written between them arrives last.
            let late = mails.reply(
                mails.event(id, "TENTATIVE"), date: "Tue, 1 Dec 2026 15:35:00 +0200")
            #expect(try await planner.receiveMail(late).outcome == .ignored)
        }
    }

    @Test func `After a change of one date, a higher SEQUENCE of an answer to all does not win`()
        async throws
    {
        try await withMovedDate { _, planner, id in
            let first = mails.reply(
                mails.event(id, "ACCEPTED", sequence: 9), date: "Tue, 1 Dec 2026 16:30:00 +0200")
            let taken = try await planner.receiveMail(first)
            #expect(taken.outcome == .answered)
            let second = mails.reply(
                mails.event(id, "DECLINED"), date: "Tue, 1 Dec 2026 16:40:00 +0200")
            #expect(try await planner.receiveMail(second).outcome == .answered)
            // One that was written between them arrives last.
            let late = mails.reply(
                mails.event(id, "TENTATIVE", sequence: 9), date: "Tue, 1 Dec 2026 16:35:00 +0200")
            #expect(try await planner.receiveMail(late).outcome == .ignored)
            #expect(try await mails.said(planner, id) == .declined)
        }
    }

    @Test func `An answer to all dates from before one moved is for the old time of that date`()
        async throws
    {
        try await withMovedDate { _, planner, id in
            let reply = mails.reply(
                mails.event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 15:30:00 +0200")
            #expect(try await planner.receiveMail(reply).outcome == .answered)
            let moved = try await guest(planner, id, on: "2026-12-12")
            #expect(moved.answer == .going)
            #expect(moved.answeredFor?.text == "2026-12-11T12:00:00+02:00")
            let other = try await guest(planner, id, on: "2026-12-18")
            #expect(other.answer == .going && other.answeredFor == nil)
        }
    }

    @Test func `An answer to all dates from after the move of one is for its new time, too`()
        async throws
    {
        try await withMovedDate { _, planner, id in
            let reply = mails.reply(
                mails.event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 16:30:00 +0200")
            #expect(try await planner.receiveMail(reply).outcome == .answered)
            let moved = try await guest(planner, id, on: "2026-12-12")
            #expect(moved.answer == .going && moved.answeredFor == nil)
        }
    }

    @Test(arguments: [
        ("", "15:30"), ("DTSTART:20261211T100000Z\n", "16:30"),
    ])
    func `An answer to a date that is for its old start is not taken for the new one`(
        _ start: String, _ time: String
    ) async throws {
        try await withMovedDate { _, planner, id in
            let reply = mails.reply(
                mails.event(id, "ACCEPTED", more: "\(Self.date)\(start)", sequence: 1),
                date: "Tue, 1 Dec 2026 \(time):00 +0200")
            let taken = try await planner.receiveMail(reply)
            #expect(taken.reason == "it answers an invitation from before the meeting was moved")
            #expect(try await mails.said(planner, id, on: "2026-12-12") == .invited)
        }
    }

    @Test func `An answer to a date counts after only the place of the date changed`() async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { world, planner, id in
            try await send(world, planner)
            _ = try await planner.edit(id) { ($0.date, $0.place) = ("2026-12-11", "Library") }
            try await send(world, planner)
            world.clock.advance(bySeconds: 3600)
            let reply = mails.reply(
                mails.event(id, "ACCEPTED", more: Self.date),
                date: "Tue, 1 Dec 2026 14:30:00 +0200")
            let taken = try await planner.receiveMail(reply)
            #expect(taken.outcome == .answered, "\(taken.reason)")
            let said = try await guest(planner, id, on: "2026-12-11")
            #expect(said.answer == .going && said.answeredFor == nil)
        }
    }
}
