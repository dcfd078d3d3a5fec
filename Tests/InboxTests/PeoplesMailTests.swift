import Agenda
import Foundation
import Inbox
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Mails as people's programs write them.
@Suite(.timeLimit(.minutes(5))) struct PeoplesMailTests {
    private static let environment = [
        "LETSMEET_SMTP_URL": "smtp://127.0.0.1:1", "LETSMEET_MAIL_FROM": "olga@example.org",
    ]

    /// Runs the body with a home in which Anna and Ben are invited to a lunch, an hour after that.
    func withLunch(
        repeats: String? = nil, guest: String = "anna@example.org",
        _ body: (TestWorld, Planner, String) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: Self.environment)
            try await planner.add("Anna Aalto", guest)
            try await planner.add("Ben", "ben@example.org")
            var request = MeetingRequest.lunch(with: "Anna", "Ben", start: "2026-12-04T12:00")
            request.repetition = repeats
            let id = try await planner.create(request).meeting.id
            world.clock.advance(bySeconds: 3600)
            try await body(world, planner, id)
            #expect(try await planner.verifyLedger().faults.map(\.rule) == [])
        }
    }

    /// An event of a reply.
    func event(
        _ id: String, _ word: String, attendee: String = "mailto:anna@example.org",
        parameters: String = "", more: String = "", sequence: Int = 0
    ) -> String {
        """
        BEGIN:VEVENT
        UID:\(id)@letsmeet
        SEQUENCE:\(sequence)
        DTSTAMP:20261201T120000Z
        \(more)ATTENDEE;PARTSTAT=\(word)\(parameters):\(attendee)
        END:VEVENT
        """
    }

    func reply(
        _ events: String..., from: String = "anna@example.org", date: String = ""
    ) -> [UInt8] {
        let head = date.isEmpty ? "" : "Date: \(date)\n"
        let all = events.joined(separator: "\n")
        return Array(
            """
            From: \(from)
            \(head)Content-Type: text/calendar; method=REPLY; charset=utf-8

            BEGIN:VCALENDAR
            VERSION:2.0
            METHOD:REPLY
            \(all)
            END:VCALENDAR
            """.utf8)
    }

    func words(_ subject: String, _ text: String = "Sorry", head: String = "") -> [UInt8] {
        Array(
            "From: anna@example.org\nSubject: \(subject)\nDate: Tue, 1 Dec 2026 14:59:00 +0200\n"
                .utf8) + Array("\(head)\n\(text)\n".utf8)
    }

    func said(
        _ planner: Planner, _ id: String, _ name: String = "Anna Aalto", on date: String? = nil
    ) async throws -> Answer? {
        try await planner.meeting(id, on: date).participants.first { $0.name == name }?.answer
    }

    @Test func `Of two replies with one DTSTAMP the one with the later date counts`() async throws {
        try await withLunch { _, planner, id in
            let yes = reply(event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 14:30:00 +0200")
            let no = reply(event(id, "DECLINED"), date: "Tue, 1 Dec 2026 14:45:00 +0200")
            #expect(try await planner.receiveMail(yes).answer == .going)
            #expect(try await planner.receiveMail(no).answer == .declined)
            let other = reply(event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 14:35:00 +0200")
            let late = try await planner.receiveMail(other)
            #expect(late.reason.hasPrefix("a later answer by mail was already recorded"))
            #expect(try await planner.receiveMail(no).reason == "this answer was already recorded")
            #expect(try await said(planner, id) == .declined)
        }
    }

    @Test func `An answer without a date counts from its arrival, whatever its stamp`() async throws
    {
        try await withLunch { world, planner, id in
            let yes = reply(event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 14:45:00 +0200")
            let first = try await planner.receiveMail(yes)
            #expect(first.answer == .going)
            let second = try await planner.receiveMail(reply(event(id, "DECLINED")))
            #expect(second.answer == .declined, "\(second.reason)")
            world.clock.advance(bySeconds: 60)
            let older = reply(event(id, "TENTATIVE"), date: "Tue, 1 Dec 2026 14:50:00 +0200")
            let late = try await planner.receiveMail(older)
            #expect(late.reason.hasPrefix("a later answer by mail was already recorded"))
        }
    }

    @Test func `Of two mails of the same second the one that arrives later counts`() async throws {
        try await withLunch { _, planner, id in
            #expect(try await planner.receiveMail(words("Yes: Lunch [\(id)]")).answer == .going)
            let no = try await planner.receiveMail(words("No: Lunch [\(id)]"))
            #expect(no.answer == .declined, "\(no.reason)")
        }
    }

    @Test(arguments: [
        "Thu, 1 Jan 1970 00:00:00 +0000", "Tue, 1 Dec 26 14:45:00 +0200", "",
        "Fri, 1 Dec 2090 14:45:00 +0200",
    ])
    func `A mail counts whose date is missing or cannot be true`(date: String) async throws {
        try await withLunch { _, planner, id in
            let mail = "From: anna@example.org\nSubject: No: Lunch [\(id)]\nDate: \(date)\n\nSorry"
            let receipt = try await planner.receiveMail(Array(mail.utf8))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
        }
    }

    @Test func `Each event of a reply is taken`() async throws {
        try await withLunch(repeats: "weekly, 4 times") { _, planner, id in
            let receipt = try await planner.receiveMail(
                reply(
                    event(id, "ACCEPTED"),
                    event(id, "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n"),
                    event(id, "TENTATIVE", more: "RECURRENCE-ID;VALUE=DATE:20261218\n")))
            #expect(receipt.outcome == .answered)
            #expect(receipt.also.map(\.outcome) == [.answered, .answered])
            #expect(try await said(planner, id, on: "2026-12-04") == .going)
            #expect(try await said(planner, id, on: "2026-12-11") == .declined)
            #expect(try await said(planner, id, on: "2026-12-18") == .maybe)
        }
    }

    @Test func `Contradictory answers in one mail are refused`() async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                reply(event(id, "ACCEPTED"), event(id, "DECLINED")))
            #expect(receipt.outcome == .ignored)
            #expect(receipt.reason.contains("several answers"))
            #expect(try await said(planner, id) == .invited)
        }
    }

    @Test(arguments: ["RECURRENCE-ID:", "RECURRENCE-ID;TZID=Europe/Helsinki:"])
    func `Contradictory answers about one date of a series are refused with all others`(
        _ second: String
    ) async throws {
        try await withLunch(repeats: "weekly, 4 times") { _, planner, id in
            let time = second.contains("TZID") ? "20261211T120000" : "20261211T100000Z"
            let receipt = try await planner.receiveMail(
                reply(
                    event(id, "ACCEPTED"),
                    event(id, "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n"),
                    event(id, "TENTATIVE", more: "\(second)\(time)\n")))
            #expect(receipt.outcome == .ignored && receipt.also.isEmpty)
            #expect(receipt.reason.contains("several answers"))
            for day in ["04", "11", "18"] {
                #expect(try await said(planner, id, on: "2026-12-\(day)") == .invited)
            }
        }
    }

    /// A mail with several calendar objects, each in a part of its own.
    private func parts(_ events: String...) -> [UInt8] {
        let parts = events.map { event in
            "--B\nContent-Type: text/calendar; method=REPLY; charset=utf-8\n\n"
                + "BEGIN:VCALENDAR\nMETHOD:REPLY\n\(event)\nEND:VCALENDAR\n\n"
        }
        let head = "From: anna@example.org\nContent-Type: multipart/mixed; boundary=B\n\n"
        return Array("\(head)\(parts.joined())--B--\n".utf8)
    }

    @Test func `Contradictory answers in two parts of a mail are refused, equal ones are taken`()
        async throws
    {
        try await withLunch { _, planner, id in
            for (first, second) in [("ACCEPTED", "DECLINED"), ("DECLINED", "ACCEPTED")] {
                let refused = try await planner.receiveMail(
                    parts(event(id, first), event(id, second)))
                #expect(refused.outcome == .ignored)
                #expect(refused.reason.contains("several answers"))
                #expect(try await said(planner, id) == .invited)
            }
            let taken = try await planner.receiveMail(
                parts(event(id, "ACCEPTED"), event(id, "ACCEPTED")))
            #expect(taken.answer == .going && taken.also.isEmpty, "\(taken.reason)")
            #expect(try await said(planner, id) == .going)
        }
    }

    @Test func `An answer to a date and all later ones leaves the earlier ones`() async throws {
        try await withLunch(repeats: "weekly, 4 times") { _, planner, id in
            _ = try await planner.receiveMail(
                reply(event(id, "ACCEPTED"), date: "Tue, 1 Dec 2026 14:30:00 +0200"))
            let receipt = try await planner.receiveMail(
                reply(
                    event(
                        id, "DECLINED",
                        more: "RECURRENCE-ID;RANGE=THISANDFUTURE:20261211T100000Z\n"),
                    date: "Tue, 1 Dec 2026 14:45:00 +0200"))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            var answers: [Answer?] = []
            for day in ["04", "11", "18", "25"] {
                answers.append(try await said(planner, id, on: "2026-12-\(day)"))
            }
            #expect(answers == [.going, .declined, .declined, .declined])
        }
    }

    @Test(arguments: [
        ("urn:uuid:1b671a64-40d5-491e-99b0-da01ff1f3341", ";EMAIL=anna@example.org"),
        ("invalid:nomail", ";CN=Anna;EMAIL=\"anna@example.org\""),
        ("MAILTO:Anna@Example.org.", ""),
    ])
    func `An attendee is found by each of their addresses`(
        attendee: String, parameters: String
    ) async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                reply(event(id, "ACCEPTED", attendee: attendee, parameters: parameters)))
            #expect(receipt.answer == .going, "\(receipt.reason)")
        }
    }

    @Test func `Of a reply that names others the author's own answer counts`() async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                reply(
                    event(
                        id, "ACCEPTED",
                        more: "ATTENDEE;PARTSTAT=DECLINED:mailto:ben@example.org\n", sequence: 9)))
            #expect(receipt.person == "Anna Aalto" && receipt.answer == .going)
            #expect(try await said(planner, id, "Ben") == .invited)
        }
    }

    @Test(arguments: [".anna@example.org", "an..na@example.org"])
    func `An address that needs quotes comes back with them`(address: String) async throws {
        try await withLunch(guest: address) { _, planner, id in
            let parts = address.split(separator: "@", maxSplits: 1)
            let quoted = "\"\(parts[0])\"@\(parts[1])"
            let receipt = try await planner.receiveMail(
                reply(event(id, "ACCEPTED", attendee: "mailto:\(quoted)"), from: "<\(quoted)>"))
            #expect(receipt.answer == .going, "\(receipt.reason)")
        }
    }

    @Test(arguments: [
        "[EXTERNAL] No: Lunch [ID]", "EXT: No: Lunch [ID]", "*****SPAM***** No: Lunch [ID]",
        "No: Lunch [ID] [SEC=OFFICIAL]", "{Spam?} Nein: Lunch [ID]", "[EXT] [SPAM] no: x [ID.0]",
        "[EXTERNAL]: No: Lunch [ID] (external)",
    ])
    func `A subject that a filter has marked is read`(subject: String) async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                words(subject.replacing("ID", with: id)))
            #expect(receipt.answer == .declined, "\(receipt.reason)")
        }
    }

    @Test(arguments: [
        "Re: No: Lunch [ID]", "AW: Nein: Lunch [ID]", "Fwd: [EXT] No: Lunch [ID]", "No: Lunch",
        "Lunch: No: [ID]",
    ])
    func `A subject that is not an answer is not taken as one`(subject: String) async throws {
        try await withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(
                words(subject.replacing("ID", with: id)))
            #expect(receipt.outcome == .ignored)
        }
    }

    @Test(
        arguments: [
            (
                "iso-8859-15", [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x2C, 0x20, 0x35, 0x20, 0xA4],
                "Grüße, 5 €"
            ),
            ("iso-8859-2", [0xA3, 0xF3, 0x64, 0xBC], "Łódź"),
            ("koi8-r", [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "Привет"),
            ("x-unknown", [0x47, 0x72, 0xFC, 0xDF, 0x65], "Grüße"),
        ] as [(String, [UInt8], String)])
    func `A note is read in every charset`(
        charset: String, octets: [UInt8], note: String
    ) async throws {
        try await withLunch { _, planner, id in
            let head = "Content-Type: text/plain; charset=\(charset)\n\n"
            let start = "From: anna@example.org\nSubject: =?\(charset)?Q?No=3A_x_[\(id)]?=\n"
            let receipt = try await planner.receiveMail(
                Array((start + head).utf8) + octets)
            #expect(receipt.answer == .declined, "\(receipt.reason)")
            let guest = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(guest?.note == note)
        }
    }

    @Test(arguments: [
        "Von: Olga <olga@example.org>\nGesendet: Dienstag, 1. Dezember 2026 10:00\nAn: Anna\n"
            + "Betreff: Lunch",
        "De : Olga <olga@example.org>\nEnvoyé : mardi 1 décembre 2026 10:00\nÀ : Anna\nObjet : x",
        "*Van:* Olga <olga@example.org>\n*Verzonden:* dinsdag 1 december 2026\n*Aan:* Anna",
        "From: Olga <olga@example.org>\nSent: Tuesday, December 1, 2026 10:00\nTo: Anna",
    ])
    func `A quoted mail is not part of the note`(header: String) async throws {
        try await withLunch { _, planner, id in
            _ = try await planner.receiveMail(
                words("No: Lunch [\(id)]", "I am ill: sorry.\n\n\(header)\n\nCome!"))
            let guest = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(guest?.note == "I am ill: sorry.")
        }
    }
}
