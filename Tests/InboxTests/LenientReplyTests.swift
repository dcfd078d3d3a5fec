import Ledger
import Agenda
import Foundation
import Inbox
import Planning
import TestKit
import Testing
import Timekeeping

/// Answers and refusals of programs that do not keep to the standards.
@Suite(.timeLimit(.minutes(5))) struct LenientReplyTests {
    /// Runs the body with a home in which Anna and Ben are invited to lunch by mail.
    private func withLunch(
        _ body: (TestWorld, Planner, String) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: [
                "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1",
                "LETSMEET_MAIL_FROM": "olga@example.org",
            ])
            try await planner.add("Anna", "anna@example.org")
            try await planner.add("Ben", "ben@example.org")
            let id = try await planner.create(.lunch(with: "Anna", "Ben")).meeting.id
            try await body(world, planner, id)
        }
    }

    private func anna(_ planner: Planner, _ id: String) async throws -> Answer? {
        try await planner.meeting(id).participants.first { $0.name == "Anna" }?.answer
    }

    private func mail(
        _ id: String, type: String = "text/calendar; method=REPLY", lines: [String],
        head: String = ""
    ) -> [UInt8] {
        let event = ["UID:\(id)@letsmeet"] + lines
        let text = """
            From: anna@example.org
            Subject: Declined
            Date: Tue, 01 Dec 2026 12:00:00 +0000
            \(head)Content-Type: \(type)

            BEGIN:VCALENDAR
            METHOD:REPLY
            BEGIN:VEVENT
            \(event.joined(separator: "\n"))
            END:VEVENT
            END:VCALENDAR

            """
        return Array(text.utf8)
    }

    private static let attendee = "ATTENDEE;PARTSTAT=DECLINED:mailto:anna@example.org"

    @Test(arguments: [
        ["SEQUENCE:-1", "DTSTAMP:20261201T120000Z"],
        ["SEQUENCE:99999999999999999999"], ["SEQUENCE:"], ["DTSTAMP:soon"],
        ["SEQUENCE:0", "SEQUENCE:1", "DTSTAMP:20261201T120000Z", "DTSTAMP:20261201T120000Z"],
    ])
    func `A reply with a flaw in a part that is not needed is taken`(_ lines: [String])
        async throws
    {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(mail(id, lines: [Self.attendee] + lines))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
        }
    }

    @Test(arguments: [
        "ATTENDEE;PARTSTAT=DECLINED:mailto: anna@example.org",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:<anna@example.org>",
        "ATTENDEE;PARTSTAT=DECLINED:MAILTO:mailto:anna@example.org",
        "ATTENDEE;PARTSTAT=DECLINED;CN=anna@example.org:invalid:nomail",
        "ATTENDEE;PARTSTAT=DECLINED;X-CALENDARSERVER-EMAIL=anna@example.org:urn:uuid:1",
        "ATTENDEE;PARTSTAT=DECLINED:/o=ExchangeLabs/cn=Recipients/cn=anna",
    ])
    func `An attendee in an odd spelling is found`(_ attendee: String) async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(mail(id, lines: [attendee]))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
        }
    }

    @Test func `Of several attendees, one without an address is not the author`() async throws {
        try await withLunch { _, planner, id in
            let lines = [
                "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org",
                "ATTENDEE;PARTSTAT=DECLINED:invalid:nomail",
            ]
            let receipt = try await planner.receiveMail(mail(id, lines: lines))
            #expect(receipt.outcome == .ignored)
            #expect(try await anna(planner, id) == .invited)
        }
    }

    @Test(arguments: [
        ("text/plain; name=invite.ics", ""), ("application/octet-stream", ""),
        ("text/calendar; method=REPLY; charset=utf-8", "Content-Transfer-Encoding: 8bit;\n"),
        ("text/calendar; method=PUBLISH", "Content-Transfer-Encoding: 7bit (MIME)\n"),
    ])
    func `A reply of another type is read`(_ type: String, _ head: String) async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                mail(id, type: type, lines: [Self.attendee], head: head))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
        }
    }

    @Test(arguments: [
        "Spamverdacht: No: Lunch [ID]", "【外部】No: Lunch [ID]", "Ekstern: No: Lunch [ID]",
        "Not verified sender: No: Lunch [ID]", "No: Lunch [ID] [CONFIDENTIALMAIL]",
    ])
    func `Unknown marks of filters do not hide the answer`(_ subject: String) async throws {
        try await withLunch { _, planner, id in
            let text = """
                From: anna@example.org
                Subject: \(subject.replacing("ID", with: id))
                Date: Tue, 01 Dec 2026 12:00:00 +0000


                """
            let receipt = try await planner.receiveMail(Array(text.utf8))
            // One id in thirty has no digit, and is then not told from a mark.
            let isTold = id.contains(where: \.isNumber) || !subject.contains("CONFIDENTIAL")
            #expect(receipt.answer == (isTold ? .declined : nil), "\(receipt.reason)")
        }
    }

    @Test(arguments: [
        "Automatic reply", "Out of office", "Abwesenheitsnotiz", "Undeliverable", "Not read",
        "Recall",
    ])
    func `The subject of a mail that a program wrote is no answer`(_ word: String) async throws {
        try await withLunch { _, planner, id in
            let mail = "From: anna@example.org\nSubject: \(word): Yes: Lunch [\(id).0]\n\nHello"
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .ignored, "\(receipt.reason)")
        }
    }

    @Test func `A reply with the new start counts for it, whatever its SEQUENCE`() async throws {
        try await withLunch { world, planner, id in
            var edit = MeetingEdit()
            edit.start = "2026-12-06T18:00"
            let start = try await planner.editMeeting(id, edit, saving: true).meeting.start.moment
            world.clock.advance(bySeconds: 60)
            let minute = world.clock.now.utcText.dropFirst(14).prefix(2)
            func reply(_ time: String) -> [UInt8] {
                mail(
                    id,
                    lines: [
                        Self.attendee, "SEQUENCE:0", "DTSTART:\(time)",
                        "DTSTAMP:20261201T12\(minute)00Z",
                    ])
            }
            let old = try await planner.receiveMail(reply("20261205T100000Z"))
            #expect(old.reason.contains("before the meeting was moved"))
            let stamp = start.utcText.filter { $0.isNumber || "TZ".contains($0) }
            let new = try await planner.receiveMail(reply("\(stamp.prefix(15))Z"))
            #expect(new.answer == .declined, "\(new.reason)")
        }
    }

    @Test(arguments: ["Anna <anna@example.org>", "Mail Delivery Subsystem <postmaster@mx.example>"])
    func `A mail that a filter of the guest refused is reported, and the address stays in use`(
        _ author: String
    ) async throws {
        let bounces = BounceReceivingTests()
        try await bounces.withInvitations { site in
            let rows = try await site.planner.ledger(
                states: [], meeting: site.meeting, limit: 99)
            let row = try #require(
                rows.first {
                    $0.delivery.kind == .invitation
                        && $0.delivery.address == BounceReceivingTests.anna
                })
            let text = """
                From: \(author)
                Auto-Submitted: auto-replied (rejected)
                Subject: Automatically rejected mail
                Content-Type: multipart/report; report-type=disposition-notification; boundary=B

                --B
                Content-Type: text/plain

                Your message was automatically rejected by Dovecot Mail Delivery Agent.

                The following reason was given:
                I do not want this
                --B
                Content-Type: message/disposition-notification

                Final-Recipient: rfc822; \(BounceReceivingTests.anna)
                Original-Message-ID: <\(row.delivery.identity)>
                Disposition: automatic-action/MDN-sent-automatically; deleted
                --B--
                """
            let receipt = try await site.planner.receiveMail(Array(text.utf8))
            #expect(receipt.outcome == .bounced)
            #expect(receipt.reason == "bounced: I do not want this")
            #expect(try await site.planner.suppressions().rows.isEmpty)
            let read = text.replacing("automatically rejected", with: "read")
            let receiptOfReader = try await site.planner.receiveMail(Array(read.utf8))
            #expect(receiptOfReader.reason.hasPrefix("it is a receipt"))
        }
    }
}
