import Agenda
import Foundation
import Inbox
import Ledger
import Notifications
import Planning
import Settings
import Storage
import Testing
import TestKit
import Timekeeping

/// Mails that were read and not taken.
@Suite(.timeLimit(.minutes(5))) struct IgnoredMailTests {
    func withLunch(_ body: (TestWorld, Planner, String) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(
                settings: [.ownerAddress: "olga@example.org"],
                environment: [
                    "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                    "LETSMEET_MAIL_FROM": "olga@example.org",
                ])
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Ben", "ben@example.org")
            let id = try await planner.create(.lunch(with: "Anna", "Ben")).meeting.id
            try await body(world, planner, id)
        }
    }

    private func reply(
        _ id: String, _ word: String = "ACCEPTED", from: String = "anna@example.org",
        sequence: Int = 0
    ) -> [UInt8] {
        Array(
            """
            From: \(from)
            Subject: =?utf-8?q?J=C3=A4?=
            Date: Tue, 01 Dec 2026 12:00:00 +0000
            Content-Type: text/calendar; method=REPLY; charset=utf-8

            BEGIN:VCALENDAR
            METHOD:REPLY
            BEGIN:VEVENT
            UID:\(id)@letsmeet
            SEQUENCE:\(sequence)
            DTSTAMP:20261201T120000Z
            ATTENDEE;PARTSTAT=\(word):mailto:anna@example.org
            COMMENT:See you
            END:VEVENT
            END:VCALENDAR
            """.utf8)
    }

    @Test(arguments: ["olga@example.org", "anna@example.org"])
    func `An answer that was forwarded as an attachment is listed with its meeting`(
        _ author: String
    ) async throws {
        try await withLunch { _, planner, id in
            let head = """
                From: \(author)
                Subject: Fwd: See you
                Content-Type: multipart/mixed; boundary=B

                See below.
                --B
                Content-Type: message/rfc822


                """
            let mail = Array(head.utf8) + reply(id) + Array("\n--B--\n".utf8)
            let receipt = try await planner.receiveMail(mail)
            #expect(receipt.outcome == .ignored)
            let entry = try #require(try await planner.ignoredMails().first)
            #expect(entry.title == "Lunch" && entry.person == "Anna" && entry.isAnswer)
        }
    }

    func answer(_ planner: Planner, _ id: String, of name: String) async throws -> Answer? {
        try await planner.meeting(id).participants.first { $0.name == name }?.answer
    }

    @Test func `An answer that was not taken is listed with what is known, and can be taken`()
        async throws
    {
        try await withLunch { _, planner, id in
            _ = try await planner.edit(id) { $0.start = "2026-12-06T12:00" }
            let receipt = try await planner.receiveMail(reply(id))
            #expect(receipt.outcome == .ignored && receipt.person == "anna@example.org")
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.sender == "anna@example.org" && mail.subject == "Jä")
            #expect(mail.title == "Lunch" && mail.person == "Anna" && mail.answer == .going)
            #expect(mail.reason == "it answers an invitation from before the meeting was moved")
            #expect(mail.isAnswer)
            #expect(mail.help?.advice == [.calendars(.takeMail(mail.id, saying: []))])
            #expect(receipt.help == mail.help)
            // The same mail, read again, is not listed twice.
            _ = try await planner.receiveMail(reply(id))
            #expect(try await planner.ignoredMails().count == 1)
            let preview = try await planner.takeMail(mail.id, saving: false)
            #expect(preview.answered?.answer == .going)
            #expect(try await planner.ignoredMails().count == 1)
            _ = try await planner.takeMail(mail.id, saving: true)
            let guest = try await planner.meeting(id).participants.first { $0.name == "Anna" }
            #expect(guest?.answer == .going && guest?.note == "See you" && guest?.byOther == true)
            #expect(guest?.answeredFor == nil)
            #expect(try await planner.ignoredMails().isEmpty)
        }
    }

    @Test func `Mails that are no answers are listed behind those that are`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(reply(id, from: "other@example.org"))
            world.clock.advance(bySeconds: 60)
            let other = Array("From: Bob <bob@example.org>\nSubject: Offer\n\nBuy".utf8)
            _ = try await planner.receiveMail(other)
            let mails = try await planner.ignoredMails().rows
            #expect(mails.map(\.sender) == ["other@example.org", "bob@example.org"])
            #expect(mails.map(\.isAnswer) == [true, false])
            #expect(mails[1].reason == "it is not an answer to a meeting" && mails[1].help == nil)
            // Nobody but Anna may answer for her.
            #expect(mails[0].person == nil && mails[0].answer == .going)
        }
    }

    @Test func `Invitations of others, and answers to them, are not listed as answers`()
        async throws
    {
        try await withLunch { _, planner, id in
            let foreign = String(decoding: reply(id), as: UTF8.self)
                .replacing("\(id)@letsmeet", with: "x@example.com")
            let invitation = foreign.replacing("REPLY", with: "REQUEST")
            let damaged = String(decoding: reply(id), as: UTF8.self)
                .replacing("\nUID:", with: "\nUIDS:")
            for text in [foreign, invitation, damaged] {
                _ = try await planner.receiveMail(Array(text.utf8))
            }
            let mails = try await planner.ignoredMails().rows
            #expect(mails.count == 3 && mails.filter(\.isAnswer).count == 1)
            #expect(mails[0].reason == "its calendar object is not a valid reply")
        }
    }

    @Test func `What a mail leaves open has to be said to take it`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.receiveMail(
                Array("From: ben@example.org\nSubject: Sunday\n\nI come!".utf8))
            let mail = try #require(try await planner.ignoredMails().first)
            let unclear = await refusal { _ = try await planner.takeMail(mail.id, saving: true) }
            #expect(unclear?.code == "mail_unclear")
            let gaps: [Advice.MailGap] = [.answer, .meeting, .person]
            #expect(unclear?.advice == [.calendars(.takeMail(mail.id, saying: gaps))])
            // The sender is looked for among the participants.
            let meeting = try await planner.meetingID(named: "Lunch")
            _ = try await planner.takeMail(mail.id, .maybe, meeting: meeting, saving: true)
            #expect(try await answer(planner, id, of: "Ben") == .maybe)
            let gone = await refusal { _ = try await planner.takeMail(mail.id, saving: true) }
            #expect(gone?.code == "unknown_mail")
            #expect(await refusal { _ = try await planner.takeMail("", saving: true) } != nil)
        }
    }

    @Test func `A reply to one of our mails names its meeting and its reader`() async throws {
        try await withLunch { world, planner, id in
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            let rows = try await planner.ledger(states: [.accepted], meeting: id, limit: 9)
            let row = try #require(rows.first { $0.name == "Ben" })
            _ = try await planner.receiveMail(
                Array(
                    """
                    From: ben@example.org
                    In-Reply-To: <\(row.delivery.identity)>
                    Subject: Re: Invitation: Lunch

                    I come!

                    > Old words
                    """.utf8))
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer && mail.title == "Lunch" && mail.person == "Ben")
            _ = try await planner.takeMail(mail.id, .going, saving: true)
            let guest = try await planner.meeting(id).participants.first { $0.name == "Ben" }
            #expect(guest?.answer == .going && guest?.note == "I come!")
        }
    }

    @Test func `An answer to a cancelled meeting is listed without advice`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.cancelMeeting(id, saving: true)
            let receipt = try await planner.receiveMail(reply(id, sequence: 1))
            #expect(receipt.outcome == .ignored && receipt.help == nil)
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer && mail.help == nil && mail.title == "Lunch")
        }
    }

    @Test func `Only the owner sees and takes mails, and they are forgotten after 30 days`()
        async throws
    {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(reply(id, from: "other@example.org"))
            let anna = try await world.planner(actingAs: "anna")
            #expect(await refusal { _ = try await anna.ignoredMails() }?.code == "not_allowed")
            let taken = await refusal { _ = try await anna.takeMail("a", saving: true) }
            #expect(taken?.code == "not_allowed")
            world.clock.advance(bySeconds: 30 * 86_400 + 1)
            #expect(try await planner.ignoredMails().isEmpty)
            _ = try await planner.receiveMail(Array("From: x@example.org\n\nHi".utf8))
            #expect(
                try await planner.store.ignoredMails(limit: 9).map(\.sender) == ["x@example.org"])
        }
    }

    @Test func `Many mails of one sender do not displace those of others`() async throws {
        try await withLunch { world, planner, id in
            _ = try await planner.receiveMail(reply(id, from: "other@example.org"))
            let many = (0..<150).map { number in
                IgnoredMail(
                    id: "\(number)", readAt: world.clock.now.advanced(bySeconds: Int64(number)),
                    sender: "flood@example.org", subject: "", reason: "unknown", isAnswer: true)
            }
            try await planner.store.note(many, now: world.clock.now)
            let mails = try await planner.store.ignoredMails(limit: 300)
            #expect(mails.count { $0.sender == "flood@example.org" } == 100)
            #expect(mails.contains { $0.sender == "other@example.org" })
            #expect(mails.contains { $0.id == "149" } && !mails.contains { $0.id == "49" })
        }
    }

    @Test func `An answer to a date that the series does not have leaves the date open`()
        async throws
    {
        try await withLunch { _, planner, id in
            _ = try await planner.edit(id) { $0.repetition = "weekly, 3 times" }
            let text = String(decoding: reply(id, sequence: 1), as: UTF8.self)
                .replacing("COMMENT", with: "RECURRENCE-ID:20261213T100000Z\nCOMMENT")
            _ = try await planner.receiveMail(Array(text.utf8))
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.help?.advice == [.calendars(.takeMail(mail.id, saying: [.date]))])
            let open = await refusal { _ = try await planner.takeMail(mail.id, saving: true) }
            #expect(open?.code == "mail_unclear")
            _ = try await planner.takeMail(mail.id, on: "2026-12-12", saving: true)
            #expect(try await answer(planner, id, of: "Anna") == .invited)
            let date = try await planner.meeting(id, on: "2026-12-12").participants
            #expect(date.first { $0.name == "Anna" }?.answer == .going)
        }
    }

    @Test func `A mail that was dismissed, taken or overtaken is not listed again`() async throws {
        try await withLunch { _, planner, id in
            let other = reply(id, from: "other@example.org")
            _ = try await planner.receiveMail(other)
            try await planner.dismissMail(try #require(try await planner.ignoredMails().first).id)
            #expect(try await planner.receiveMail(other).help == nil)
            #expect(try await planner.ignoredMails().isEmpty)
            _ = try await planner.edit(id) { $0.start = "2026-12-06T12:00" }
            _ = try await planner.receiveMail(reply(id))
            #expect(try await planner.ignoredMails().count == 1)
            // Her own newer answer settles it.
            _ = try await planner.answer(
                id, .declined, who: "Anna", plus: nil, note: nil, saving: true)
            #expect(try await planner.ignoredMails().isEmpty)
            #expect(try await planner.receiveMail(reply(id)).help == nil)
            let unknown = await refusal { try await planner.dismissMail("zzzz") }
            #expect(unknown?.code == "unknown_mail")
        }
    }

    @Test func `The organizer's own mails, and answers to unknown meetings, are no answers`()
        async throws
    {
        try await withLunch { world, planner, id in
            let unknown = String(decoding: reply(id), as: UTF8.self)
                .replacing(id, with: "aaaaaaaaaaaaaaaa")
            _ = try await planner.receiveMail(Array(unknown.utf8))
            let own = "From: olga@example.org\nSubject: Re: Yes: Lunch [\(id)]\n\nHi"
            _ = try await planner.receiveMail(Array(own.utf8))
            let bens = "From: ben@example.org\nSubject: Re: Yes: Lunch [\(id)]\n\nHi"
            _ = try await planner.receiveMail(Array(bens.utf8))
            let mails = try await planner.ignoredMails().rows
            #expect(mails.filter(\.isAnswer).map(\.sender) == ["ben@example.org"])
            #expect(mails.first?.person == "Ben" && mails.first?.title == "Lunch")
            #expect(mails.first?.reason == "it replies to an answer or forwards one")
        }
    }

    @Test(arguments: [
        "anna@BÜCHER.example", "Hello of anna@xn--bcher-kva.example",
        "\"anna\"@bücher.example", "Anna@Bücher.Example",
    ])
    func `An erased person's address is replaced in every spelling`(_ text: String) async throws {
        try await withLunch { _, planner, _ in
            try await planner.add("Zelda Quixote", "anna@bücher.example")
            let subject = "=?utf-8?b?\(Data(text.utf8).base64EncodedString())?="
            let mail = "From: x@y.example, a@b.example\nSubject: \(subject)\n\n"
            _ = try await planner.receiveMail(Array(mail.utf8))
            #expect(try await planner.ignoredMails().rows.map(\.subject) == [text])
            try await planner.erasePerson("Zelda Quixote")
            let found = try await planner.ignoredMails().rows.map { $0.subject.lowercased() }
            #expect(found.count == 1 && !found[0].contains("cher"), "\(found)")
        }
    }

    @Test func `An erased person's mails are forgotten, and their name in others is replaced`()
        async throws
    {
        try await withLunch { _, planner, id in
            _ = try await planner.receiveMail(reply(id, from: "other@example.org"))
            _ = try await planner.receiveMail(
                Array("From: anna@example.org\nSubject: From anna@example.org\n\nHi".utf8))
            #expect(try await planner.ignoredMails().count == 2)
            try await planner.erasePerson("Anna")
            let left = try await planner.ignoredMails().rows
            #expect(left.count == 2)
            for mail in left {
                #expect(!mail.sender.contains("anna") && !mail.subject.contains("anna@"))
            }
        }
    }
}
