import Agenda
import Inbox
import Ledger
import Planning
import TestKit
import Testing

/// The suggestions for mails that somebody forwards, and for those that leave the date open.
@Suite(.timeLimit(.minutes(5))) struct ForwardedAnswerTests {
    private let mails = PeoplesMailTests()
    private let ignored = IgnoredMailTests()

    private func forwarding(_ inner: [UInt8], from author: String) -> [UInt8] {
        let head = """
            From: \(author)
            Subject: Fwd: Answer
            Content-Type: multipart/mixed; boundary=B

            --B
            Content-Type: text/plain

            I come.
            --B
            Content-Type: message/rfc822


            """
        return Array(head.utf8) + inner + Array("\n--B--\n".utf8)
    }

    /// The only mail that was not taken.
    private func entry(_ planner: Planner) async throws -> IgnoredMailView {
        let rows: [IgnoredMailView] = try await planner.ignoredMails().rows
        return try #require(rows.first)
    }

    @Test(arguments: [
        ("stranger@x.example", nil), ("ben@example.org", nil), ("olga@example.org", "Anna"),
        ("anna@example.org", "Anna"),
    ])
    func `Only the organizer's forward of an answer suggests the guest who wrote it`(
        _ author: String, _ person: String?
    ) async throws {
        try await ignored.withLunch { _, planner, id in
            let answer = mails.reply(mails.event(id, "ACCEPTED"))
            _ = try await planner.receiveMail(forwarding(answer, from: author))
            let mail = try await entry(planner)
            #expect(mail.isAnswer && mail.meeting == id && mail.sender == author)
            #expect(mail.person == person)
            let gaps: [Advice.MailGap] = person == nil ? [.answer, .person] : [.answer]
            #expect(mail.help?.advice == [.calendars(.takeMail(mail.id, saying: gaps))])
        }
    }

    @Test(arguments: [("stranger@x.example", nil), ("anna@example.org", "Anna")])
    func `Who forwards our invitation to answer it is the one who seems to answer`(
        _ author: String, _ person: String?
    ) async throws {
        try await ignored.withLunch { _, planner, id in
            let invitation = mails.reply(mails.event(id, "NEEDS-ACTION"), from: "olga@example.org")
            _ = try await planner.receiveMail(forwarding(invitation, from: author))
            let mail = try await entry(planner)
            #expect(mail.isAnswer && mail.meeting == id && mail.person == person)
        }
    }

    @Test func `A guest who forwards an answer in words may not be the one who gave it`()
        async throws
    {
        try await mails.withLunch { _, planner, id in
            _ = try await planner.receiveMail(mails.words("Fwd: No: Lunch [\(id).0]"))
            let mail = try await entry(planner)
            #expect(mail.meeting == id && mail.sender == "anna@example.org" && mail.person == nil)
        }
    }

    @Test(arguments: [
        "Accepted: Lunch @ Fri 11 Dec 2026", "Re: Invitation: Lunch", "Declined: Lunch",
    ])
    func `A mail that only has the title of a series leaves the date open`(
        _ subject: String
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            _ = try await planner.receiveMail(mails.words(subject))
            let mail = try await entry(planner)
            #expect(mail.meeting == id && mail.person == "Anna Aalto")
            let open = await refusal {
                _ = try await planner.takeMail(mail.id, .declined, saving: true)
            }
            #expect(open?.code == "mail_unclear")
            #expect(
                open?.message
                    == "The mail of anna@example.org does not say which date it is about.")
            _ = try await planner.takeMail(mail.id, .declined, on: "2026-12-11", saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-11") == .declined)
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .invited)
        }
    }

    @Test func `A mail that names no meeting needs a date if it is taken for a series`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            _ = try await planner.receiveMail(mails.words("Friday", "I do not come."))
            let mail = try await entry(planner)
            let meeting = MeetingID(text: id)
            let open = await refusal {
                _ = try await planner.takeMail(
                    mail.id, .declined, meeting: meeting, who: "Anna", saving: true)
            }
            #expect(open?.code == "mail_unclear")
            _ = try await planner.takeMail(
                mail.id, .declined, meeting: meeting, onAllDates: true, who: "Anna", saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .declined)
        }
    }

    @Test func `An invalid answer to the whole series is taken for all dates`() async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            _ = try await planner.receiveMail(mails.reply(mails.event(id, "NEEDS-ACTION")))
            let mail = try await entry(planner)
            _ = try await planner.takeMail(mail.id, .declined, saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .declined)
        }
    }
}
