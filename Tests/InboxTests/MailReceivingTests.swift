import Agenda
import Foundation
import Inbox
import Ledger
import Notifications
import Planning
import Storage
import TestKit
import Testing
import Timekeeping

@Suite(.timeLimit(.minutes(5))) struct MailReceivingTests {
    private static let environment = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    /// Runs the body with a home in which Anna and Ben are invited to lunch by mail.
    private func withLunch(_ body: (TestWorld, Planner, String) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: Self.environment)
            try await planner.add("Anna Aalto", "anna@example.org", "anna@work.example")
            try await planner.add("Ben", "ben@example.org")
            let id = try await planner.create(.lunch(with: "Anna", "Ben")).meeting.id
            try await body(world, planner, id)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    /// A reply by mail, as a calendar program sends it.
    private func reply(
        _ id: String, _ word: String, attendee: String = "anna@example.org",
        from: String = "Anna Aalto <anna@example.org>", sequence: String = "SEQUENCE:0",
        stamp: String = "20261201T120000Z", method: String = "REPLY", more: String = ""
    ) -> [UInt8] {
        Array(
            """
            From: \(from)
            To: olga@example.org
            Subject: Accepted: Lunch
            Content-Type: text/calendar; method=\(method); charset=utf-8

            BEGIN:VCALENDAR
            VERSION:2.0
            METHOD:\(method)
            BEGIN:VEVENT
            UID:\(id)@letsmeet
            \(sequence)
            DTSTAMP:\(stamp)
            ATTENDEE;PARTSTAT=\(word):mailto:\(attendee)
            \(more)COMMENT:See you
            END:VEVENT
            END:VCALENDAR
            """.utf8)
    }

    private func anna(_ planner: Planner, _ id: String) async throws -> MeetingView.Guest? {
        try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
    }

    @Test func `A reply is recorded as an unsigned answer, and the organizer is notified`()
        async throws
    {
        try await withLunch { world, planner, id in
            for (word, answer) in [
                ("ACCEPTED", Answer.going), ("TENTATIVE", .maybe), ("DECLINED", .declined),
            ] {
                world.clock.advance(bySeconds: 60)
                let minute = String(world.clock.now.utcText.dropFirst(14).prefix(2))
                let receipt = try await planner.receiveMail(
                    reply(id, word, stamp: "20261201T12\(minute)00Z"))
                #expect(receipt.outcome == .answered, "\(receipt.reason)")
                #expect(receipt.answer == answer)
                let guest = try await anna(planner, id)
                #expect(guest?.answer == answer)
                #expect(guest?.unsigned == true)
                #expect(guest?.note == "See you")
            }
            let open = try await planner.ledger(states: [.planned], meeting: id, limit: 99)
            let told = open.filter { $0.delivery.kind == .answer }
            #expect(told.count == 1)
            #expect(told.first?.body?.contains("See you") == true)
            _ = try await planner.answer(
                id, .going, who: "Anna", plus: nil, note: nil, saving: true)
            #expect(try await anna(planner, id)?.unsigned == false)
        }
    }

    @Test func `After an answer dated in the future, the next answer counts`() async throws {
        try await withLunch { world, planner, id in
            let ahead = reply(id, "ACCEPTED", stamp: "20261202T080000Z")
            let first = try await planner.receiveMail(ahead)
            #expect(first.outcome == .answered)
            world.clock.advance(bySeconds: 60)
            // The same mail again is not a new answer.
            #expect(try await planner.receiveMail(ahead).outcome == .ignored)
            let honest = reply(id, "DECLINED", stamp: "20261201T120100Z")
            #expect(try await planner.receiveMail(honest).outcome == .answered)
            #expect(try await anna(planner, id)?.answer == .declined)
            #expect(try await planner.receiveMail(ahead).outcome == .ignored)
        }
    }

    @Test func `A reply in base64 without padding is read`() async throws {
        try await withLunch { _, planner, id in
            let whole = String(decoding: reply(id, "ACCEPTED"), as: UTF8.self)
            let parts = whole.split(separator: "\n\n", maxSplits: 1)
            var body = Data(parts[1].utf8)
            while body.count % 3 == 0 { body.append(UInt8(ascii: "\n")) }
            let encoded = body.base64EncodedString().filter { $0 != "=" }
            let mail = "\(parts[0])\nContent-Transfer-Encoding: base64\n\n\(encoded)\n"
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
        }
    }

    /// Each mail is given with words of the expected reason.
    @Test func `An invalid reply changes nothing`() async throws {
        try await withLunch { _, planner, id in
            let mails: [([UInt8], String)] = [
                (reply(id, "ACCEPTED", from: "mallory@example.org"), "an address that"),
                (reply(id, "ACCEPTED", from: ""), "no author"),
                (reply(id, "ACCEPTED", from: "m@evil.example, anna@example.org"), "no author"),
                (
                    reply(id, "ACCEPTED", from: "m@evil.example\nFrom: anna@example.org"),
                    "no author"
                ),
                (
                    reply(
                        id, "ACCEPTED",
                        from: "\"\u{308} <anna@example.org>, x\"\u{308} <m@evil.example>"),
                    "an address that"
                ),
                (reply(id, "ACCEPTED", stamp: "20991201T120000Z"), "in the future"),
                (
                    reply(
                        id, "ACCEPTED",
                        from: "anna@example.org\nDate: Sun, 1 Nov 2026 12:00:00 +0000"),
                    "later invitation"
                ),
                (reply(id, "ACCEPTED", attendee: "crash@example.org"), "not in the meeting"),
                (reply(id, "ACCEPTED", attendee: "olga@example.org"), "organizer"),
                (reply(id, "ACCEPTED", attendee: "ben@example.org"), "an address that"),
                (reply("abcdefghijkmnpqr", "ACCEPTED"), "known meeting"),
                (reply(id + "x", "ACCEPTED"), "known meeting"),
                (reply(id, "NEEDS-ACTION"), "neither"),
                (reply(id, "DELEGATED"), "to somebody else"),
                (reply(id, "ACCEPTED", method: "REQUEST"), "is an invitation"),
                (reply(id, "ACCEPTED", method: "COUNTER"), "which time"),
                (reply(id, "ACCEPTED", more: "RECURRENCE-ID:20261212T100000Z\n"), "a date that"),
                (
                    reply(id, "ACCEPTED", more: "RECURRENCE-ID;TZID=Nowhere:20261205T120000\n"),
                    "a date that"
                ),
                (reply(id, "ACCEPTED", more: "RECURRENCE-ID:soon\n"), "not a valid reply"),
                ([], "empty"), (Array("x".utf8), "no author"),
                (Array("From: a@b.example\n\nx".utf8), "not an answer"),
                ([UInt8](repeating: 65, count: Planner.mailOctetsMax + 1), "larger"),
            ]
            for (octets, word) in mails {
                let receipt = try await planner.receiveMail(octets)
                #expect(receipt.outcome == .ignored)
                #expect(receipt.reason.contains(word), "\(word): \(receipt.reason)")
            }
            #expect(try await anna(planner, id)?.answer == .invited)
        }
    }

    /// The date of the meeting in the forms that calendar programs write.
    @Test(arguments: [
        "RECURRENCE-ID:20261205T100000Z", "RECURRENCE-ID;TZID=Europe/Helsinki:20261205T120000",
        "RECURRENCE-ID;TZID=/freeassociation.sourceforge.net/Europe/Helsinki:20261205T120000",
        "RECURRENCE-ID:20261205T120000",
    ])
    func `An answer to the date of a single meeting counts`(_ date: String) async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(reply(id, "ACCEPTED", more: "\(date)\n"))
            #expect(receipt.outcome == .answered)
            #expect(try await anna(planner, id)?.answer == .going)
        }
    }

    @Test func `An answer from another address of the person counts, and the later answer wins`()
        async throws
    {
        try await withLunch { _, planner, id in
            let work = "anna@work.example"
            let later = reply(
                id, "DECLINED", attendee: work, from: "Anna <\(work)>", stamp: "20261201T130000Z")
            #expect(try await planner.receiveMail(later).outcome == .answered)
            let again = try await planner.receiveMail(later)
            #expect(again.reason.contains("already recorded"))
            let earlier = try await planner.receiveMail(reply(id, "ACCEPTED"))
            #expect(earlier.outcome == .ignored)
            #expect(try await anna(planner, id)?.answer == .declined)
        }
    }

    @Test func `An answer to the invitation counts after the place changed`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.edit(id) { $0.place = "Library" }
            #expect(try await planner.meeting(id).sequence == 1)
            let receipt = try await planner.receiveMail(reply(id, "ACCEPTED"))
            #expect(receipt.outcome == .answered)
            #expect(try await anna(planner, id)?.answer == .going)
        }
    }

    @Test func `An answer to the invitation counts after a small move, and is noted as such`()
        async throws
    {
        try await withLunch { _, planner, id in
            _ = try await planner.edit(id) { $0.start = "2026-12-05T12:30" }
            #expect(try await planner.receiveMail(reply(id, "ACCEPTED")).outcome == .answered)
            #expect(try await anna(planner, id)?.answeredFor == nil)
            // Together, both moves are large.
            _ = try await planner.edit(id) { $0.start = "2026-12-05T13:15" }
            #expect(
                try await anna(planner, id)?.answeredFor?.text == "2026-12-05T12:00:00+02:00")
            let late = try await planner.receiveMail(
                reply(id, "TENTATIVE", stamp: "20261201T120001Z"))
            #expect(late.outcome == .ignored)
        }
    }

    @Test func `An answer to the invitation after a quiet move is for the old time`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.edit(id) {
                $0.start = "2026-12-06T12:00"
                $0.isQuiet = true
            }
            #expect(try await planner.receiveMail(reply(id, "ACCEPTED")).outcome == .answered)
            _ = try await planner.edit(id) { $0.isNotified = true }
            #expect(
                try await anna(planner, id)?.answeredFor?.text == "2026-12-05T12:00:00+02:00")
        }
    }

    @Test func `An answer to an older version of the meeting is ignored`() async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.edit(id) { $0.start = "2026-12-05T13:00" }
            let old = try await planner.receiveMail(reply(id, "ACCEPTED"))
            #expect(old.reason.contains("before the meeting was moved"))
            let silent = try await planner.receiveMail(reply(id, "TENTATIVE", sequence: "X-NO:1"))
            #expect(silent.outcome == .answered)
            let new = try await planner.receiveMail(
                reply(id, "ACCEPTED", sequence: "SEQUENCE:1", stamp: "20261201T120001Z"))
            #expect(new.outcome == .answered)
            _ = try await planner.cancelMeeting(id, saving: true)
            let late = try await planner.receiveMail(
                reply(id, "DECLINED", sequence: "SEQUENCE:2", stamp: "20261201T120002Z"))
            #expect(late.reason.contains("cancelled"))
        }
    }

    @Test(arguments: [
        ("Yes", Answer.going), ("maybe", .maybe), ("NO ", .declined),
    ])
    func `The words of the links in mails are recorded as an answer`(
        _ word: String, _ answer: Answer
    ) async throws {
        try await withLunch { _, planner, id in
            func mail(_ headers: String, _ body: String = "I bring cake\n\n> quoted") -> [UInt8] {
                Array("\(headers)\nSubject: \(word): Lunch [\(id)]\n\n\(body)".utf8)
            }
            let automatic = try await planner.receiveMail(
                mail("From: anna@example.org\nAuto-Submitted: auto-replied"))
            #expect(automatic.outcome == .ignored)
            let receipt = try await planner.receiveMail(mail("From: Anna <ANNA@example.org>"))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            let guest = try await anna(planner, id)
            #expect(guest?.answer == answer)
            #expect(guest?.note == "I bring cake")
            #expect(
                try await planner.receiveMail(mail("From: eve@example.org")).outcome == .ignored)
            let dated = "From: anna@example.org\nDate: Tue, 1 Dec 2026 14:05:00 +0200"
            #expect(try await planner.receiveMail(mail(dated)).outcome == .answered)
            #expect(try await planner.receiveMail(mail(dated)).outcome == .ignored)
            let talk = Array(
                "From: anna@example.org\nSubject: Re: Yes: Lunch [\(id)]\n\nWell".utf8)
            #expect(try await planner.receiveMail(talk).outcome == .ignored)
        }
    }

    @Test func `A bounced mail is recorded, and a missing address is suppressed`() async throws {
        try await withLunch { world, planner, id in
            let rows = try await planner.ledger(states: [], meeting: id, limit: 99)
            let row = try #require(
                rows.first { $0.delivery.kind == .invitation && $0.name == "Anna Aalto" })
            func bounce(_ address: String, _ status: String, id: String? = nil) -> [UInt8] {
                Array(
                    """
                    From: MAILER-DAEMON@mx.example
                    Content-Type: multipart/report; report-type=delivery-status; boundary=B

                    --B
                    Content-Type: message/delivery-status

                    Reporting-MTA: dns; mx.example

                    Final-Recipient: rfc822; \(address)
                    Action: failed
                    Status: \(status)
                    Diagnostic-Code: smtp; 550 no such user

                    --B
                    Content-Type: text/rfc822-headers

                    Message-ID: <\(id ?? row.delivery.identity)>
                    --B--
                    """.utf8)
            }
            let early = try await planner.receiveMail(bounce("anna@example.org", "5.1.1"))
            #expect(early.outcome == .ignored)
            _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            world.clock.advance(bySeconds: 60)
            for octets in [
                bounce("anna@example.org", "5.1.1", id: "x@letsmeet"),
                bounce("anna@example.org", "5.1.1", id: "x@elsewhere"),
            ] {
                #expect(try await planner.receiveMail(octets).outcome == .ignored)
            }
            let full = try await planner.receiveMail(bounce("anna@example.org", "5.2.2"))
            #expect(full.outcome == .bounced)
            let late = try await planner.receiveMail(bounce("anna@example.org", "4.4.1"))
            #expect(late.reason.hasPrefix("bounced: 4.4.1"))
            #expect(try await planner.suppressions().isEmpty)
            let gone = try await planner.receiveMail(bounce("Anna@Example.org", "5.1.1"))
            #expect(gone.reason == "bounced: 5.1.1 550 no such user")
            #expect(try await planner.suppressions().map(\.address) == ["anna@example.org"])
            let story = try await planner.delivery(row.delivery.key)
            #expect(story.events.count { $0.what.contains("bounced: 5.1.1") } == 1)
            #expect(
                try await planner.receiveMail(bounce("anna@example.org", "5.1.1")).outcome
                    == .ignored)
            let again = try await planner.delivery(row.delivery.key)
            #expect(again.events.count == story.events.count)
        }
    }

    @Test func `Quotations are not part of a note, and a new answer removes the old note`()
        async throws
    {
        try await withLunch { world, planner, id in
            let link = "https://x.example/g/\(String(repeating: "a", count: 32))"
            for (body, note) in [
                ("Fine!\n\nOn Tue, Olga <\nolga@example.org> wrote:\n\n> text", "Fine!"),
                ("Fine!\n\n-----Original Message-----\nFrom: Olga\n\(link)", "Fine!"),
                ("See \(link) \u{81}now\n-- \nAnna", "See https://x.example/… now"), ("", ""),
            ] {
                world.clock.advance(bySeconds: 60)
                let word = note.isEmpty ? "No" : "Yes"
                let mail = "From: anna@example.org\nSubject: \(word): Lunch [\(id)]\n\n\(body)"
                let receipt = try await planner.receiveMail(Array(mail.utf8))
                #expect(receipt.outcome == .answered, "\(receipt.reason)")
                #expect(try await anna(planner, id)?.note == note)
            }
        }
    }

    @Test func `An address matches its form with an ASCII domain, even after it was replaced`()
        async throws
    {
        try await withLunch { world, planner, _ in
            try await planner.add("Cora", "cora@b\u{FC}cher.example")
            let id = try await planner.create(
                .lunch(with: "Cora", start: "2026-12-06T12:00")
            ).meeting.id
            let coded = "cora@xn--bcher-kva.example"
            let taken = try await planner.receiveMail(
                reply(id, "ACCEPTED", attendee: coded, from: coded))
            #expect(taken.outcome == .answered, "\(taken.reason)")
            var edit = ContactEdit()
            edit.emails = ["new@example.org"]
            _ = try await planner.editPerson("Cora", edit)
            let later = try await planner.receiveMail(
                reply(id, "DECLINED", attendee: coded, from: coded, stamp: "20261201T120100Z"))
            #expect(later.outcome == .answered, "\(later.reason)")
        }
    }

    @Test func `Only the owner can process incoming mail`() async throws {
        try await withLunch { world, _, id in
            let anna = try await world.planner(
                environment: Self.environment, actingAs: "Anna")
            let refused = await refusal { _ = try await anna.receiveMail(reply(id, "ACCEPTED")) }
            #expect(refused?.code == "not_allowed")
        }
    }
}
