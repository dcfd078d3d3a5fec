import Agenda
import Inbox
import Ledger
import Notifications
import Planning
import TestKit
import Testing
import Timekeeping

/// Answers by mail to dates of a series that has changed since.
@Suite(.timeLimit(.minutes(5))) struct SeriesMailTests {
    private let mails = PeoplesMailTests()
    private static let start = "DTSTART:20261211T100000Z\n"

    private func send(_ world: TestWorld, _ planner: Planner) async throws {
        _ = try await world.engine(planner, sinks: [ScriptedSink(name: "mail")]).runOnce()
    }

    @Test(arguments: [
        "RECURRENCE-ID:20261225T100000Z\n", "RECURRENCE-ID;VALUE=DATE:20261225\n",
    ])
    func `An answer to a date that was split off names the new meeting, and can be taken there`(
        _ date: String
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 6 times") { world, planner, id in
            try await send(world, planner)
            let rest = try await planner.edit(id) {
                ($0.from, $0.start) = ("2026-12-18", "2026-12-18T15:00")
            }.meeting.id
            #expect(rest != id)
            let receipt = try await planner.receiveMail(
                mails.reply(mails.event(id, "DECLINED", more: date)))
            let reason = "it refers to a date that now belongs to another meeting: \(rest)"
            #expect(receipt.outcome == .ignored && receipt.reason == reason)
            #expect(receipt.meeting == rest)
            let entry = try #require(try await planner.ignoredMails().rows.first)
            #expect(entry.meeting == rest && entry.person == "Anna Aalto")
            #expect(entry.date?.text.hasPrefix("2026-12-25") == true)
            #expect(entry.help?.advice == [.calendars(.takeMail(entry.id, saying: []))])
            _ = try await planner.takeMail(entry.id, saving: true)
            #expect(try await mails.said(planner, rest, on: "2026-12-25") == .declined)
        }
    }

    @Test func `The date of a split series that moved to another day has to be named`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 6 times") { _, planner, id in
            let rest = try await planner.edit(id) {
                ($0.from, $0.start) = ("2026-12-18", "2026-12-19T12:00")
            }.meeting.id
            _ = try await planner.receiveMail(mails.words("No: Lunch [\(id).0.20261225T120000]"))
            let entry = try #require(try await planner.ignoredMails().rows.first)
            #expect(entry.meeting == rest && entry.date == nil)
            #expect(entry.help?.advice == [.calendars(.takeMail(entry.id, saying: [.date]))])
            _ = try await planner.takeMail(entry.id, on: "2026-12-26", saving: true)
            #expect(try await mails.said(planner, rest, on: "2026-12-26") == .declined)
        }
    }

    @Test func `A date after the end of a series has not moved`() async throws {
        try await mails.withLunch(repeats: "weekly, 6 times") { _, planner, id in
            _ = try await planner.cancelMeeting(id, from: "2026-12-18", saving: true)
            let receipt = try await planner.receiveMail(
                mails.reply(
                    mails.event(id, "DECLINED", more: "RECURRENCE-ID:20261225T100000Z\n")))
            #expect(receipt.reason == "it refers to a date that the meeting does not have")
        }
    }

    @Test(arguments: ["", start])
    func `An answer to a cancelled date says so, whether or not it states the start`(
        _ start: String
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { world, planner, id in
            try await send(world, planner)
            _ = try await planner.cancelMeeting(id, on: "2026-12-11", saving: true)
            let receipt = try await planner.receiveMail(
                mails.reply(
                    mails.event(
                        id, "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n\(start)")))
            #expect(receipt.outcome == .ignored && receipt.help == nil)
            #expect(receipt.reason.contains("is already cancelled"), "\(receipt.reason)")
        }
    }

    @Test(arguments: ["04", "11", "18"], [true, false])
    func `An answer to a date and all later ones counts, whether or not it states the start`(
        _ day: String, _ isStated: Bool
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { world, planner, id in
            try await send(world, planner)
            _ = try await planner.edit(id) {
                ($0.date, $0.start) = ("2026-12-18", "2026-12-19T15:00")
            }
            try await send(world, planner)
            world.clock.advance(bySeconds: 3600)
            let start = isStated ? "DTSTART:202612\(day)T100000Z\n" : ""
            let range = "RECURRENCE-ID;RANGE=THISANDFUTURE:202612\(day)T100000Z\n\(start)"
            let receipt = try await planner.receiveMail(
                mails.reply(
                    mails.event(id, "DECLINED", more: range),
                    date: "Tue, 1 Dec 2026 14:30:00 +0200"))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            #expect(try await mails.said(planner, id, on: "2026-12-25") == .declined)
            let first = try await mails.said(planner, id, on: "2026-12-04")
            #expect(first == (day == "04" ? .declined : .invited))
        }
    }

    @Test func `Who was removed from a date has to be invited again before their answer counts`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { world, planner, id in
            try await send(world, planner)
            _ = try await planner.uninvite(["Anna"], from: id, on: "2026-12-11", saving: true)
            let receipt = try await planner.receiveMail(
                mails.reply(
                    mails.event(id, "ACCEPTED", more: "RECURRENCE-ID:20261211T100000Z\n")))
            let entry = try #require(try await planner.ignoredMails().rows.first)
            let take = Advice.calendars(.takeMail(entry.id, saying: []))
            #expect(entry.help?.advice.count == 2 && entry.help?.advice.last == take)
            #expect(receipt.help == entry.help)
            _ = try await planner.invite(["Anna"], to: id, on: "2026-12-11", saving: true)
            #expect(try await planner.ignoredMails().rows.first?.help?.advice == [take])
            _ = try await planner.takeMail(entry.id, saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-11") == .going)
        }
    }

    @Test(arguments: [["2026-12-11"], ["2026-12-11", "2026-12-18"]])
    func `An answer of a guest of single dates that names none is for the only one, or open`(
        _ dates: [String]
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            try await planner.add("Cora", "cora@example.org")
            for date in dates {
                _ = try await planner.invite(["Cora"], to: id, on: date, saving: true)
            }
            let reply = mails.reply(
                mails.event(id, "DECLINED", attendee: "mailto:cora@example.org"),
                from: "cora@example.org")
            _ = try await planner.receiveMail(reply)
            let entry = try #require(try await planner.ignoredMails().rows.first)
            #expect(entry.person == "Cora")
            let gaps: [Advice.MailGap] = dates.count == 1 ? [] : [.date]
            let take = Advice.calendars(.takeMail(entry.id, saying: gaps))
            #expect(entry.help?.advice == [take])
            if dates.count > 1 {
                let open = await refusal { _ = try await planner.takeMail(entry.id, saving: true) }
                #expect(open?.advice == [take])
            }
            let date = dates.count > 1 ? dates[1] : nil
            _ = try await planner.takeMail(entry.id, on: date, saving: true)
            let answer = try await mails.said(planner, id, "Cora", on: dates.last)
            #expect(answer == .declined)
        }
    }

    @Test func `The hint for a guest of single dates names all parts of the command`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            try await planner.add("Cora", "cora@example.org")
            _ = try await planner.invite(["Cora"], to: id, on: "2026-12-11", saving: true)
            let mail = "From: phone@example.org\nSubject: Friday\n\nI come. Cora"
            _ = try await planner.receiveMail(Array(mail.utf8))
            let entry = try #require(try await planner.ignoredMails().rows.first)
            let meeting = MeetingID(text: id)
            let open = await refusal {
                _ = try await planner.takeMail(
                    entry.id, .going, meeting: meeting, who: "Cora", saving: true)
            }
            let gaps: [Advice.MailGap] = [.answer, .meeting, .person, .date]
            #expect(open?.advice == [.calendars(.takeMail(entry.id, saying: gaps))])
            _ = try await planner.takeMail(
                entry.id, .going, meeting: meeting, on: "2026-12-11", who: "Cora", saving: true)
            #expect(try await mails.said(planner, id, "Cora", on: "2026-12-11") == .going)
        }
    }

    /// The only mail that was not taken.
    private func entry(_ planner: Planner) async throws -> IgnoredMailView {
        let rows: [IgnoredMailView] = try await planner.ignoredMails().rows
        return try #require(rows.first)
    }

    @Test(arguments: [false, true])
    func `An answer to one date is taken for this date, or for all dates if the owner says so`(
        _ isOfAllDates: Bool
    ) async throws {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            let date = mails.event(id, "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n")
            _ = try await planner.receiveMail(mails.reply(date, from: "phone@example.org"))
            let mail = try await entry(planner)
            _ = try await planner.takeMail(
                mail.id, onAllDates: isOfAllDates, who: "Anna", saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-11") == .declined)
            let other = try await mails.said(planner, id, on: "2026-12-18")
            #expect(other == (isOfAllDates ? .declined : .invited))
        }
    }

    @Test func `An answer to one date that was forwarded as an attachment is taken for this date`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            let date = mails.event(id, "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n")
            let head = """
                From: anna@example.org
                Subject: Fwd: See you
                Content-Type: multipart/mixed; boundary=B

                --B
                Content-Type: message/rfc822


                """
            _ = try await planner.receiveMail(
                Array(head.utf8) + mails.reply(date) + Array("\n--B--\n".utf8))
            let mail = try await entry(planner)
            #expect(mail.date?.text.hasPrefix("2026-12-11") == true)
            _ = try await planner.takeMail(mail.id, .declined, saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-11") == .declined)
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .invited)
        }
    }

    @Test func `A reply to an answer in words about one date is taken for this date`() async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            _ = try await planner.receiveMail(
                mails.words("Re: No: Lunch [\(id).0.20261211T120000]"))
            let mail = try await entry(planner)
            #expect(mail.date?.text.hasPrefix("2026-12-11") == true)
            _ = try await planner.takeMail(mail.id, .declined, saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .invited)
        }
    }

    @Test func `An answer to a date of an unknown meeting names its UID, and needs a date`()
        async throws
    {
        try await mails.withLunch(repeats: "weekly, 4 times") { _, planner, id in
            let date = mails.event(
                "other", "DECLINED", more: "RECURRENCE-ID:20261211T100000Z\n")
            let receipt = try await planner.receiveMail(mails.reply(date))
            #expect(
                receipt.reason == "it does not refer to a known meeting: its UID is "
                    + "other@letsmeet and its date 20261211T100000Z")
            #expect(receipt.help == nil)
            let mail = try await entry(planner)
            #expect(mail.reason == receipt.reason && !mail.isAnswer)
            let gaps: [Advice.MailGap] = [.meeting, .person, .date]
            let take = Advice.calendars(.takeMail(mail.id, saying: gaps))
            #expect(mail.help?.advice.last == take)
            let meeting = MeetingID(text: id)
            let open = await refusal {
                _ = try await planner.takeMail(mail.id, meeting: meeting, saving: true)
            }
            #expect(open?.code == "mail_unclear")
            _ = try await planner.takeMail(
                mail.id, meeting: meeting, on: "2026-12-11", saving: true)
            #expect(try await mails.said(planner, id, on: "2026-12-11") == .declined)
            #expect(try await mails.said(planner, id, on: "2026-12-18") == .invited)
        }
    }
}
