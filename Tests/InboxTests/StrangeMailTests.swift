import Agenda
import Foundation
import Inbox
import Planning
import TestKit
import Testing
import Timekeeping

/// Answers in forms that few programs write.
@Suite(.timeLimit(.minutes(5))) struct StrangeMailTests {
    private let mails = PeoplesMailTests()

    private func calendar(_ events: String...) -> String {
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        METHOD:REPLY
        \(events.joined(separator: "\n"))
        END:VCALENDAR
        """
    }

    @Test(arguments: ["application/octet-stream; name=invite.ics", "text/x-vcalendar"])
    func `A reply in a part of another type is read`(_ type: String) async throws {
        try await mails.withLunch { _, planner, id in
            let mail =
                "From: anna@example.org\nContent-Type: \(type)\n\n"
                + calendar(mails.event(id, "ACCEPTED"))
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .answered && receipt.answer == .going)
        }
    }

    @Test func `A reply whose UID is in capitals is read`() async throws {
        try await mails.withLunch { _, planner, id in
            let event = mails.event(id, "ACCEPTED").replacingOccurrences(
                of: "\(id)@letsmeet", with: "\(id)@letsmeet".uppercased())
            let receipt = try await planner.receiveMail(mails.reply(event))
            #expect(receipt.outcome == .answered)
        }
    }

    @Test(arguments: [
        "[WARNING: A/V UNSCANNABLE] No: Lunch [ID.0]", "[SEC: OFFICIAL]No: Lunch [ID.0]",
        "ATTENTION: No: Lunch [ID.0]", "Externer Absender: No: Lunch [ID.0]",
        "No: Lunch [ID.0] [aaaaaaaaaaaaaaaa]", "No: Lunch [aaaaaaaaaaaaaaaa] [ID]",
    ])
    func `Marks of filters in brackets do not hide an answer`(_ subject: String) async throws {
        try await mails.withLunch { _, planner, id in
            let mail =
                "From: anna@example.org\nDate: Tue, 1 Dec 2026 15:00:00 +0200\n"
                + "Subject: \(subject.replacingOccurrences(of: "ID", with: id))\n\n"
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .answered && receipt.answer == .declined)
        }
    }

    @Test func `An author whose address needs quotes is read without angle brackets`()
        async throws
    {
        let address = "\"dou..ble\"@example.org"
        try await mails.withLunch(guest: address) { _, planner, id in
            let event = mails.event(id, "ACCEPTED", attendee: "mailto:%22dou..ble%22@example.org")
            let receipt = try await planner.receiveMail(mails.reply(event, from: address))
            #expect(receipt.outcome == .answered)
            // A name in quotes is no address.
            let forged = mails.reply(event, from: "\"x\"@y <ben@example.org>")
            #expect(try await planner.receiveMail(forged).outcome == .ignored)
        }
    }

    @Test func `The zones of old programs have their offsets`() async throws {
        for (zone, isTaken) in [("EST", true), ("+0000", false)] {
            try await mails.withLunch { world, planner, id in
                var edit = MeetingEdit()
                edit.start = "2026-12-06T12:00"
                _ = try await planner.editMeeting("lunch", edit, saving: true)
                // The meeting was moved at 13:00 UTC, which is 8:00 EST.
                world.clock.advance(bySeconds: 3600)
                let mail = mails.reply(
                    mails.event(id, "ACCEPTED", sequence: 1),
                    date: "Tue, 1 Dec 2026 08:30:00 \(zone)")
                let receipt = try await planner.receiveMail(mail)
                #expect((receipt.outcome == .answered) == isTaken, "\(zone)")
            }
        }
    }

    private func note(_ head: String, _ body: [UInt8]) async throws -> String {
        var note = ""
        try await mails.withLunch { _, planner, id in
            let mail =
                "From: anna@example.org\nDate: Tue, 1 Dec 2026 15:00:00 +0200\n"
                + "Subject: Yes: Lunch [\(id).0]\n\(head)\n\n"
            _ = try await planner.receiveMail(Array(mail.utf8) + body)
            let meeting = try await planner.meeting("lunch")
            note = meeting.participants.first { $0.name == "Anna Aalto" }?.note ?? ""
        }
        return note
    }

    @Test func `Character references of HTML are read`() async throws {
        let html = "<p>Gr&uuml;&szlig;e &ndash; caf&eacute; &euro;5 &#8230; &nope;</p><br>bye"
        #expect(
            try await note("Content-Type: text/html", Array(html.utf8))
                == "Grüße – café €5 … &nope;\n\nbye")
    }

    @Test(
        arguments: [
            ("", "<meta charset='windows-1251'>", [0xC8, 0xE2, 0xE0, 0xED], "Иван"),
            (
                "", "<META HTTP-EQUIV=x CONTENT=\"text/html; charset=koi8-r\">",
                [0xE9, 0xD7, 0xC1, 0xCE], "Иван"
            ),
            ("; charset=koi8-r", "<meta charset=utf-8>", [0xE9, 0xD7, 0xC1, 0xCE], "Иван"),
            ("", "<meta charset=iso-8859-1>", Array("ü".utf8), "ü"), ("", "", [0xFC], "ü"),
        ] as [(String, String, [UInt8], String)])
    func `A text in HTML is read in the encoding that it states itself, if its part states none`(
        _ parameter: String, _ meta: String, _ body: [UInt8], _ text: String
    ) async throws {
        let html = Array("<html><head>\(meta)</head><body>".utf8) + body + Array("</body>".utf8)
        let note = try await note("Content-Type: text/html\(parameter)", html)
        #expect(note == text)
    }

    @Test func `Hidden elements and quotations of HTML are left out`() async throws {
        let html =
            "<html><head><title>T</title></head><style>p { }</style>See <b>you</b>"
            + "<div class=\"gmail_quote\">On Monday, Olga wrote: yes</div>"
        #expect(try await note("Content-Type: text/html", Array(html.utf8)) == "See you")
    }

    @Test func `A charset with its direction, or with one invalid byte, is read`() async throws {
        let hebrew: [UInt8] = [0xF9, 0xEC, 0xE5, 0xED]
        #expect(
            try await note("Content-Type: text/plain; charset=iso-8859-8-i", hebrew) == "שלום")
        let korean: [UInt8] =
            Array("ok ".utf8) + [0xBE, 0xC8, 0xB3, 0xE7, 0xC7, 0xCF, 0xBC, 0xBC, 0xBF, 0xE4]
            + Array(String(repeating: " again", count: 5).utf8) + [0xBE]
        #expect(
            try await note("Content-Type: text/plain; charset=euc-kr", korean)
                .hasPrefix("ok 안녕하세요 again"))
    }

    @Test(arguments: [
        "Arrival: 19:00\nBus: 2026 line\nContact: me@guest.example\n\nsee you",
        "From: my house to yours @ 7",
    ])
    func `Lines that look like a header stay in the note`(_ text: String) async throws {
        #expect(try await note("Content-Type: text/plain", Array(text.utf8)) == text)
    }

    @Test func `A receipt is no answer`() async throws {
        try await mails.withLunch { _, planner, id in
            let mail = """
                From: anna@example.org
                Subject: Read: Yes: Lunch [\(id).0]
                Content-Type: multipart/report; report-type=disposition-notification; boundary=b

                --b
                Content-Type: text/plain

                Your mail was read.
                --b
                Content-Type: message/disposition-notification

                Disposition: manual-action/MDN-sent-manually; displayed
                --b--
                """
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.reason.hasPrefix("it is a receipt"))
            #expect(try await planner.ignoredMails().rows.map(\.isAnswer) == [false])
        }
    }
}
