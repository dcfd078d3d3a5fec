import Agenda
import Inbox
import Planning
import TestKit
import Testing

/// Mails that arrive after something that makes them mean something else, and whose answer they
/// seem to be.
@Suite(.timeLimit(.minutes(5))) struct LateMailTests {
    private let mails = PeoplesMailTests()

    @Test func `Who proposed the time that the meeting has now has not declined it`() async throws {
        try await mails.withLunch { world, planner, id in
            _ = try await planner.edit(id) { $0.start = "2026-12-05T12:00" }
            world.clock.advance(bySeconds: 60)
            let counter = String(
                decoding: mails.reply(
                    mails.event(
                        id, "DECLINED",
                        more: "DTSTART:20261205T100000Z\nDTEND:20261205T110000Z\n")),
                as: UTF8.self
            ).replacing("REPLY", with: "COUNTER")
            let taken = try await planner.receiveMail(Array(counter.utf8))
            #expect(taken.outcome == .ignored)
            #expect(try await mails.said(planner, id) == .invited)
        }
    }

    @Test func `An older answer does not settle a mail that was read before it`() async throws {
        try await mails.withLunch { _, planner, id in
            let unclear = mails.reply(mails.event(id, "NEEDS-ACTION"))
            #expect(try await planner.receiveMail(unclear).outcome == .ignored)
            let older = mails.reply(
                mails.event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 08:00:00 +0200")
            _ = try await planner.receiveMail(older)
            #expect(try await planner.ignoredMails().rows.count == 1)
        }
    }

    @Test func `A mail that is taken with another answer keeps its note`() async throws {
        try await mails.withLunch { _, planner, id in
            _ = try await planner.edit(id) { $0.start = "2026-12-06T12:00" }
            let mail = mails.reply(mails.event(id, "ACCEPTED", more: "COMMENT:Keep me a seat\n"))
            #expect(try await planner.receiveMail(mail).outcome == .ignored)
            let entry = try #require(try await planner.ignoredMails().rows.first)
            _ = try await planner.takeMail(entry.id, .declined, saving: true)
            let guest = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(guest?.answer == .declined && guest?.note == "Keep me a seat")
        }
    }

    @Test func `An answer of an unknown attendee seems to be that of its author`() async throws {
        try await mails.withLunch { _, planner, id in
            let mail = mails.reply(
                mails.event(id, "ACCEPTED", attendee: "mailto:aalto@corp.example"))
            let taken = try await planner.receiveMail(mail)
            #expect(taken.outcome == .ignored)
            let entry = try #require(try await planner.ignoredMails().first)
            #expect(entry.person == "Anna Aalto" && entry.answer == .going)
            #expect(entry.help?.advice == [.calendars(.takeMail(entry.id, saying: []))])
            _ = try await planner.takeMail(entry.id, saving: true)
            let said = try await mails.said(planner, id)
            #expect(said == .going)
        }
    }

    @Test func `An answer for another address of its author seems to be that of the author`()
        async throws
    {
        try await mails.withLunch { _, planner, id in
            var edit = ContactEdit()
            edit.emails = ["anna@example.org", "anna@work.example"]
            _ = try await planner.editPerson("Anna Aalto", edit)
            _ = try await planner.edit(id) { $0.start = "2026-12-06T12:00" }
            let mail = mails.reply(
                mails.event(id, "ACCEPTED", attendee: "mailto:anna@work.example"))
            _ = try await planner.receiveMail(mail)
            let entry = try #require(try await planner.ignoredMails().first)
            #expect(entry.person == "Anna Aalto")
        }
    }
}
