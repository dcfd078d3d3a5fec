import Agenda
import Inbox
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Answers that came through lists, with a slow clock or with more lines than needed, and mails
/// whose content cannot be read.
@Suite(.timeLimit(.minutes(5))) struct TolerantMailTests {
    private let mails = PeoplesMailTests()

    @Test(arguments: [
        ("Precedence: list", true), ("X-Autoreply: no", true), ("Precedence: bulk", false),
    ])
    func `An answer in words counts from a list, and not from a program`(
        _ field: String, _ counts: Bool
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                mails.words("Yes: Lunch [\(id)]", head: "\(field)\n"))
            #expect(receipt.outcome == (counts ? .answered : .ignored), "\(receipt.reason)")
            let said = try await mails.said(planner, id)
            #expect(said == (counts ? Answer.going : Answer.invited))
        }
    }

    @Test func `The receipt of an answer to one date names it, and that of one to all does not`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            let receipt = try await planner.receiveMail(
                mails.reply(
                    mails.event(id, "ACCEPTED"),
                    mails.event(id, "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n")))
            #expect(receipt.outcome == .answered && receipt.date == nil)
            #expect(receipt.also.map(\.outcome) == [.answered])
            #expect(receipt.also.first?.date?.text == "2026-12-11T12:00:00+02:00")
        }
    }

    @Test(arguments: [
        ("Mon, 30 Nov 2026 14:30:00 +0200", true), ("Tue, 24 Nov 2026 14:00:00 +0200", false),
    ])
    func `The clock of a first answer may be a day slow, and not a week`(
        _ date: String, _ counts: Bool
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                mails.reply(mails.event(id, "ACCEPTED"), date: date))
            #expect(receipt.outcome == (counts ? .answered : .ignored), "\(receipt.reason)")
            #expect(receipt.reason.hasPrefix("a later invitation was recorded") != counts)
        }
    }

    @Test(arguments: [
        ("application/ms-tnef; name=winmail.dat", "its content is in a file winmail.dat"),
        ("application/octet-stream; name=WinMail.dat", "its content is in a file winmail.dat"),
        (
            "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
            "its content is encrypted, or in a signed form"
        ),
    ])
    func `A mail whose content cannot be read is listed as an answer, with the reason`(
        _ type: String, _ reason: String
    ) async throws {
        try await mails.withLunch { _, planner, _ in
            let mail = """
                From: anna@example.org
                Subject: Accepted: Lunch
                Content-Type: multipart/mixed; boundary=B

                --B
                Content-Type: text/plain

                Fine
                --B
                Content-Type: \(type)
                Content-Transfer-Encoding: base64

                eJ8+Ig==
                --B--
                """
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .ignored)
            #expect(receipt.reason.hasPrefix(reason), "\(receipt.reason)")
            #expect(try await planner.ignoredMails().rows.map(\.isAnswer) == [true])
        }
    }

    @Test(arguments: [
        ("REQUEST", "it is an invitation"), ("CANCEL", "it cancels a meeting"),
        ("PUBLISH", "its calendar object is for information only"),
        ("ADD", "it adds a date"), ("REFRESH", "it asks for the invitation again"),
        ("DECLINECOUNTER", "it refuses a proposed time"),
        ("X-OTHER", "its calendar object is not a valid reply"),
    ])
    func `The reason of a calendar mail that is no answer names its purpose`(
        _ method: String, _ reason: String
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let mail = String(decoding: mails.reply(mails.event(id, "ACCEPTED")), as: UTF8.self)
                .replacing("REPLY", with: method)
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .ignored)
            #expect(receipt.reason.hasPrefix(reason), "\(receipt.reason)")
            let said = try await mails.said(planner, id)
            #expect(said == .invited)
        }
    }

    @Test(arguments: [
        "Yes%3A%20Lunch%20%5BID%5D", "Yes: Lunch %5bID%5d", "Yes: Lunch [ ID ]",
        "=?utf-8?Q?Yes: Lunch [ID]?=",
    ])
    func `A subject that a program has not decoded, or has changed, is read`(
        _ subject: String
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                mails.words(subject.replacing("ID", with: id)))
            #expect(receipt.answer == .going, "\(receipt.reason)")
        }
    }

    @Test func `Of two lines about an attendee, the one with an answer counts`() async throws {
        try await mails.withLunch { _, planner, id in
            let open = "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:anna@example.org\n"
            let receipt = try await planner.receiveMail(
                mails.reply(mails.event(id, "DECLINED", more: open)))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
            #expect(try await mails.said(planner, id) == .declined)
        }
    }
}
