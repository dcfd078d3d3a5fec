import Notifications
import Agenda
import Foundation
import Inbox
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Answers by mail that are right in an unusual form, or wrong in two ways at once.
@Suite(.timeLimit(.minutes(5))) struct OddAnswerTests {
    private let mails = PeoplesMailTests()
    private static let second = "RECURRENCE-ID:20261211T100000Z\n"
    private static let third = "RECURRENCE-ID:20261218T100000Z\n"
    private static let andLater = "RECURRENCE-ID;RANGE=THISANDFUTURE:202612"

    private func entry(_ planner: Planner) async throws -> IgnoredMailView? {
        try await planner.ignoredMails().rows.first
    }

    @Test func `An answer of somebody else's attendee is not taken as the author's`() async throws {
        try await mails.withLunch { _, planner, id in
            let mail = mails.reply(mails.event(id, "ACCEPTED", attendee: "mailto:ben@example.org"))
            let taken = try await planner.receiveMail(mail)
            #expect(taken.outcome == .ignored)
            let entry = try #require(try await entry(planner))
            #expect(entry.person == nil && entry.answer == .going)
            let code = await refusalCode { _ = try await planner.takeMail(entry.id, saving: true) }
            #expect(code == "mail_unclear")
            _ = try await planner.takeMail(entry.id, who: "Ben", saving: true)
            #expect(try await mails.said(planner, id) == .invited)
            #expect(try await mails.said(planner, id, "Ben") == .going)
        }
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "-1", "99999999999"])
    func `A number in a subject that no invitation can have is not read`(
        _ number: String
    ) async throws {
        try await mails.withLunch { world, planner, id in
            let meeting = MeetingID(text: id)
            let anna = try await planner.participants(named: ["Anna"], of: meeting, on: nil)
            for isInvited in [true, false, true] {
                if isInvited {
                    _ = try? await planner.invite(["Anna"], to: meeting, saving: true)
                } else {
                    _ = try await planner.uninvite(anna, from: meeting, saving: true)
                }
                _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
            }
            let mail = "From: anna@example.org\nSubject: Yes: Lunch [\(id).\(number)]\n\nHello"
            #expect(try await planner.receiveMail(Array(mail.utf8)).outcome == .ignored)
        }
    }

    @Test func `Who delegates has not answered`() async throws {
        try await mails.withLunch { _, planner, id in
            let cleo =
                "ATTENDEE;PARTSTAT=ACCEPTED;DELEGATED-FROM=\"mailto:anna@example.org\":"
                + "mailto:cleo@example.org\n"
            let mail = mails.reply(mails.event(id, "DELEGATED", more: cleo))
            let receipt = try await planner.receiveMail(mail)
            #expect(
                receipt.reason
                    == "it answers neither yes nor maybe nor no, but passes the invitation on to "
                    + "somebody else")
            let entry = try #require(try await entry(planner))
            #expect(entry.person == "Anna Aalto" && entry.answer == nil)
        }
    }

    @Test func `One event without an answer does not cost the others`() async throws {
        try await mails.withLunch(repeats: "weekly") { _, planner, id in
            let mail = mails.reply(
                mails.event(id, "ACCEPTED"), mails.event(id, "NEEDS-ACTION", more: Self.second))
            let receipt = try await planner.receiveMail(mail)
            #expect(receipt.outcome == .answered && receipt.answer == .going)
            #expect(receipt.also.map(\.reason) == ["it answers neither yes nor maybe nor no"])
            #expect(try await mails.said(planner, id) == .going)
            #expect(try await entry(planner)?.date?.text.hasPrefix("2026-12-11") == true)
        }
    }

    @Test func `An event that cannot be read is named`() async throws {
        try await mails.withLunch(repeats: "weekly") { _, planner, id in
            let bad = mails.event(id, "DECLINED", more: "RECURRENCE-ID:11 Dec\n")
            let receipt = try await planner.receiveMail(
                mails.reply(mails.event(id, "ACCEPTED"), bad))
            #expect(receipt.outcome == .answered)
            #expect(receipt.also.map(\.reason) == ["one of its answers cannot be read"])
            #expect(try await planner.ignoredMails().rows.map(\.isAnswer) == [true])
        }
    }

    @Test func `An older mail about one date does not replace a later answer to all dates from it`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 5 times") { _, planner, id in
            let older = mails.reply(
                mails.event(id, "DECLINED", more: Self.third),
                date: "Tue, 1 Dec 2026 14:30:00 +0200")
            let later = mails.reply(
                mails.event(id, "ACCEPTED", more: "\(Self.andLater)11T100000Z\n"),
                date: "Tue, 1 Dec 2026 14:45:00 +0200")
            #expect(try await planner.receiveMail(later).outcome == .answered)
            let refused = try await planner.receiveMail(older)
            #expect(refused.reason.hasPrefix("a later answer by mail was already recorded"))
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .going)
        }
    }

    @Test func `An older mail about a date and all later ones keeps newer answers to single dates`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 5 times") { _, planner, id in
            let newer = mails.reply(
                mails.event(id, "ACCEPTED", more: Self.third),
                date: "Tue, 1 Dec 2026 14:45:00 +0200")
            let older = mails.reply(
                mails.event(id, "DECLINED", more: "\(Self.andLater)11T100000Z\n"),
                date: "Tue, 1 Dec 2026 14:30:00 +0200")
            #expect(try await planner.receiveMail(newer).outcome == .answered)
            #expect(try await planner.receiveMail(older).outcome == .answered)
            let said = try await ["11", "18", "25"].asyncMap { day in
                try await mails.said(planner, id, on: "2026-12-\(day)")
            }
            #expect(said == [.declined, .going, .declined])
        }
    }

    @Test func `An answer to all dates replaces those kept before a date and all later ones`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 5 times") { _, planner, id in
            let days = ["04", "11", "18", "25"]
            func said() async throws -> [Answer?] {
                try await days.asyncMap { try await mails.said(planner, id, on: "2026-12-\($0)") }
            }
            let mailed = [
                ("ACCEPTED", "\(Self.andLater)11T100000Z\n"),
                ("DECLINED", "\(Self.andLater)25T100000Z\n"), ("TENTATIVE", ""),
            ]
            let expected: [[Answer]] = [
                [.invited, .going, .going, .going], [.invited, .going, .going, .declined],
                [.maybe, .maybe, .maybe, .maybe],
            ]
            for (place, (answer, more)) in mailed.enumerated() {
                let mail = mails.reply(
                    mails.event(id, answer, more: more),
                    date: "Tue, 1 Dec 2026 14:\(30 + place):00 +0200")
                let receipt = try await planner.receiveMail(mail)
                #expect(receipt.outcome == .answered)
                let now = try await said()
                #expect(now == expected[place])
            }
        }
    }

    @Test(arguments: [21, 45]) func `A mail with too many answers is listed`(
        _ count: Int
    ) async throws {
        try await mails.withLunch(repeats: "daily, 60 times") { _, planner, id in
            let events = (0..<count).map { day in
                let (month, day) = day < 27 ? (12, 5 + day) : (1, day - 26)
                let text = (month < 10 ? "20270100" : "20261200").dropLast(day < 10 ? 1 : 2)
                return mails.event(
                    id, "DECLINED", more: "RECURRENCE-ID:\(text)\(day)T100000Z\n")
            }
            let receipt = try await planner.receiveMail(
                mails.reply(events.joined(separator: "\n")))
            let all = [receipt] + receipt.also
            #expect(all.count { $0.outcome == .answered } == 20)
            #expect(try await entry(planner)?.reason.contains("more than 20 answers") == true)
        }
    }

    @Test func `Of several answers in a mail the more special ones count, in any order`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 5 times") { _, planner, id in
            let events = [
                mails.event(id, "DECLINED", more: Self.third),
                mails.event(id, "ACCEPTED", more: "\(Self.andLater)11T100000Z\n"),
                mails.event(id, "DECLINED", more: "\(Self.andLater)25T100000Z\n"),
            ]
            for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
                _ = try await planner.receiveMail(
                    mails.reply(events[order[0]], events[order[1]], events[order[2]]))
                let said = try await ["11", "18", "25"].asyncMap { day in
                    try await mails.said(planner, id, on: "2026-12-\(day)")
                }
                #expect(said == [.going, .declined, .declined], "\(order)")
            }
        }
    }

    @Test func `The same answer twice in one mail is no conflict`() async throws {
        try await mails.withLunch { _, planner, id in
            let mail = mails.reply(
                mails.event(id, "ACCEPTED"), mails.event(id, "ACCEPTED", more: "COMMENT:Fine\n"))
            let taken = try await planner.receiveMail(mail)
            #expect(taken.outcome == .answered)
        }
    }

    @Test(arguments: [
        ("Tue, 1 Dec 2026 15:20:00 +0200", 1, ""),
        (
            "Tue, 1 Dec 2026 16:20:00 +0200", 1,
            "DTSTART:20261204T100000Z\n"
        ),
    ])
    func `An answer to the old time is not one to the new time, whatever its SEQUENCE`(
        _ date: String, _ sequence: Int, _ start: String
    ) async throws {
        try await mails.withLunch { world, planner, id in
            world.clock.advance(bySeconds: 3600)
            _ = try await planner.edit(id) { $0.start = "2026-12-06T09:00" }
            world.clock.advance(bySeconds: 3600)
            let mail = mails.reply(
                mails.event(id, "ACCEPTED", more: start, sequence: sequence), date: date)
            let receipt = try await planner.receiveMail(mail)
            #expect(receipt.outcome == .ignored)
            #expect(receipt.reason.contains("before the meeting was moved"))
            let now = mails.reply(
                mails.event(
                    id, "ACCEPTED", more: "DTSTART:20261206T070000Z\n", sequence: sequence),
                date: "Tue, 1 Dec 2026 16:30:00 +0200")
            let taken = try await planner.receiveMail(now)
            #expect(taken.outcome == .answered)
        }
    }

    @Test(arguments: [
        "Thu, 01 Jan 1970 00:00:00 +0000", "yesterday", "Thu, 1 Jan 2099 00:00:00 +0000",
    ])
    func `Without a date that can be true, a mail counts from its arrival`(
        _ date: String
    ) async throws {
        try await mails.withLunch { _, planner, id in
            _ = try await planner.answer(
                id, .going, who: "anna", plus: nil, note: nil, saving: true)
            let mail = mails.reply(mails.event(id, "DECLINED"), date: date)
            let taken = try await planner.receiveMail(mail)
            #expect(taken.answer == .declined)
        }
    }

    @Test func `The note of a reply is read in its charset, and from Google's parameter`()
        async throws
    {
        try await mails.withLunch { _, planner, id in
            let text = String(
                decoding: mails.reply(mails.event(id, "ACCEPTED", more: "COMMENT:Igra\n")),
                as: UTF8.self)
            let koi = Array(text.replacing("charset=utf-8", with: "charset=koi8-r").utf8)
            let place = try #require(koi.firstRange(of: Array("Igra".utf8)))
            var octets = koi
            octets.replaceSubrange(place, with: [0xE9, 0xC7, 0xD2, 0xD9])
            _ = try await planner.receiveMail(octets)
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note == "Игры")
            let google = mails.event(
                id, "DECLINED", parameters: ";X-RESPONSE-COMMENT=\"Can't come\"")
            _ = try await planner.receiveMail(
                mails.reply(google, date: "Tue, 1 Dec 2026 15:01:00 +0200"))
            let again = try await planner.meeting(id).participants.first {
                $0.name == "Anna Aalto"
            }
            #expect(again?.note == "Can't come")
        }
    }

    @Test(arguments: [("2", 2), ("0", 0), ("999", 50), ("x", 0)])
    func `The number of guests in an answer of Google's calendar counts`(
        _ stated: String, _ plus: Int
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let yes = mails.event(id, "ACCEPTED", parameters: ";X-NUM-GUESTS=\(stated)")
            let receipt = try await planner.receiveMail(mails.reply(yes))
            #expect(receipt.answer == .going, "\(receipt.reason)")
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.plus == plus)
        }
    }

    @Test(arguments: [("Microsoft Exchange Server 2010", "Ten minutes late"), ("Another", "")])
    func `The comment of a reply of Outlook is the text of the mail`(
        _ program: String, _ note: String
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let mail = """
                From: anna@example.org
                Content-Type: multipart/alternative; boundary=x

                --x
                Content-Type: text/plain; charset=utf-8

                Ten minutes late

                --x
                Content-Type: text/calendar; method=REPLY; charset=utf-8

                BEGIN:VCALENDAR
                PRODID:\(program)
                METHOD:REPLY
                \(mails.event(id, "ACCEPTED"))
                END:VCALENDAR
                --x--
                """
            #expect(try await planner.receiveMail(Array(mail.utf8)).answer == .going)
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note == note)
        }
    }

    @Test(arguments: [
        "EXTERNAL EMAIL: ", "EXTERNAL SENDER: ", "Externe Mail: ", "OFFICIAL: ", "UNCLASSIFIED: ",
        "Suspected Spam: ", "SPAM-LOW: ", "External - ", "##External## ", "|EXT| ", "_SPAM_ ",
        "---SPAM--- ", "!EXTERN! ", "⚠ ",
    ])
    func `Marks of filters before an answer are passed over`(_ mark: String) async throws {
        try await mails.withLunch { _, planner, id in
            let mail = mails.words(
                "=?utf-8?B?\(Data("\(mark)No: Lunch [\(id)]".utf8).base64EncodedString())?=")
            let taken = try await planner.receiveMail(mail)
            #expect(taken.answer == .declined)
        }
    }

    @Test(arguments: ["Re: ", "AW: ", "SV: Fwd: "])
    func `A reply to an answer is none, and that is the reason`(_ prefix: String) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await planner.receiveMail(mails.words("\(prefix)No: Lunch [\(id)]"))
            #expect(receipt.reason == "it replies to an answer or forwards one")
        }
    }

    private static let arrival =
        "Hi Olga,\nI arrive later:\n\nAnkunft: 19:30 Uhr\nTelefon: 0170 1234\nMail: a@b.example"
    private static let yahoo =
        "On Thursday, November 26, 2026 at 10:00:00 AM GMT+2, Olga <o@x.example> wrote:"
    private static let outlook =
        "Von: Olga Owner\nGesendet: Donnerstag, 26. November 2026 10:00\nAn: Anna\nBetreff: x"

    @Test(arguments: [
        (arrival, arrival), ("From: my side it is fine", "From: my side it is fine"),
        ("Fine\n\n\(yahoo)\n\nYou are invited", "Fine"), ("Gut\n\n\(outlook)\n\nHi", "Gut"),
    ])
    func `The note is what the author wrote`(_ text: String, _ note: String) async throws {
        try await mails.withLunch { _, planner, id in
            _ = try await planner.receiveMail(mails.words("No: Lunch [\(id)]", text))
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note == note)
        }
    }

    @Test func `The note of a mail in HTML alone is read without the quoted mail`() async throws {
        try await mails.withLunch { _, planner, id in
            let html =
                "<html><head><style>p{}</style></head><body><p>Ill &amp; tired<br>Sorry</p>"
                + "<blockquote>You are invited</blockquote></body></html>"
            _ = try await planner.receiveMail(
                mails.words("No: Lunch [\(id)]", html, head: "Content-Type: text/html\n"))
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note == "Ill & tired\nSorry")
        }
    }

    @Test func `A proposed time that comes too late is kept in the note`() async throws {
        try await mails.withLunch { world, planner, id in
            _ = try await planner.edit(id) { $0.start = "2026-12-06T09:00" }
            world.clock.advance(bySeconds: 60)
            let counter = String(
                decoding: mails.reply(
                    mails.event(
                        id, "TENTATIVE",
                        more: "DTSTART:20261205T100000Z\nDTEND:20261205T110000Z\n")),
                as: UTF8.self
            ).replacing("REPLY", with: "COUNTER")
            let taken = try await planner.receiveMail(Array(counter.utf8))
            #expect(taken.outcome == .ignored)
            let entry = try #require(try await entry(planner))
            _ = try await planner.takeMail(entry.id, saving: true)
            let anna = try await planner.meeting(id).participants.first { $0.name == "Anna Aalto" }
            #expect(anna?.note.hasPrefix("→ ") == true && anna?.note.contains("5 Dec") == true)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Other>(
        _ form: (Element) async throws -> Other
    ) async rethrows -> [Other] {
        var others: [Other] = []
        for element in self { others.append(try await form(element)) }
        return others
    }
}
