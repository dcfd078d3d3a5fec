import Agenda
import Inbox
import Ledger
import Planning
import TestKit
import Testing

/// Mails of guests that seem to be answers, by their subject, their quotation or a broken calendar
/// object.
@Suite(.timeLimit(.minutes(5))) struct TitledMailTests {
    private let mails = IgnoredMailTests()

    /// Receives a mail in words of Ben.
    private func receive(
        _ planner: Planner, _ subject: String, _ text: String = "", from author: String? = nil
    ) async throws -> MailReceipt {
        let mail = "From: \(author ?? "ben@example.org")\nSubject: \(subject)\n\n\(text)"
        return try await planner.receiveMail(Array(mail.utf8))
    }

    @Test(
        arguments: [
            ("Accepted: Lunch", .going), ("Declined: lunch", .declined), ("Zusage: Lunch", .going),
            ("[EXT] Tentative: Lunch @ Sat 5 Dec 2026", .maybe), ("Re: Invitation: Lunch", nil),
            ("Antw: Lunch", nil), ("Lunch", nil), ("Re: Accepted: Lunch", nil),
        ] as [(String, Answer?)])
    func `A mail of a guest with the title of a coming meeting seems to be an answer to it`(
        _ subject: String, _ answer: Answer?
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let receipt = try await receive(planner, subject, "See below.")
            #expect(receipt.outcome == .ignored && receipt.help != nil)
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer && mail.title == "Lunch" && mail.person == "Ben")
            #expect(mail.answer == answer)
            #expect(mail.reason.hasPrefix("it has no calendar object") == (answer != nil))
            let said = try await mails.answer(planner, id, of: "Ben")
            #expect(said == .invited)
            _ = try await planner.takeMail(mail.id, answer ?? .maybe, saving: true)
            let taken = try await mails.answer(planner, id, of: "Ben")
            #expect(taken == answer ?? .maybe)
        }
    }

    @Test(arguments: [
        ("Lunch tomorrow?", "ben@example.org"), ("Re: Lunchtime", "ben@example.org"),
        ("Accepted: Dinner", "ben@example.org"), ("Accepted: Lunch", "x@y.example"),
        ("Accepted: Lunch", "olga@example.org"),
    ])
    func `A mail about something else, or of somebody else, seems to be no answer`(
        _ subject: String, _ author: String
    ) async throws {
        try await mails.withLunch { _, planner, _ in
            _ = try await receive(planner, subject, from: author)
            let mails = try await planner.ignoredMails().rows
            #expect(mails.map(\.isAnswer) == [false])
            #expect(mails.first?.meeting == nil)
        }
    }

    @Test(arguments: ["%5BID.0%5D", "%5bID%5d", "[ID.0]"])
    func `A quotation of our links names the meeting`(_ reference: String) async throws {
        try await mails.withLunch { _, planner, id in
            let link = "mailto:olga@example.org?subject=Yes%3A%20Lunch%20"
            _ = try await receive(
                planner, "Re: Saturday", "No\n\n> \(link)\(reference.replacing("ID", with: id))\n")
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer && mail.meeting == id && mail.person == "Ben")
        }
    }

    @Test(arguments: [("", true), ("UID:abc", true), ("UID:x@example.com\n", false)])
    func `A reply of a guest that was cut off before its UID seems to be an answer`(
        _ end: String, _ isAnswer: Bool
    ) async throws {
        try await mails.withLunch { _, planner, id in
            let head = "Answer\nContent-Type: text/calendar; method=REPLY"
            let receipt = try await receive(
                planner, head, "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\n\(end)")
            #expect(receipt.reason == "its calendar object is not a valid reply")
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer == isAnswer)
            #expect(mail.meeting == (isAnswer ? id : nil))
        }
    }

    @Test func `Of several meetings with one title, it stays open which is answered`() async throws
    {
        try await mails.withLunch { _, planner, _ in
            let second = try await planner.create(.lunch(with: "Ben", start: "2026-12-12T12:00"))
            _ = try await receive(planner, "Declined: Lunch")
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer && mail.meeting == nil)
            #expect(mail.help?.advice == [.calendars(.takeMail(mail.id, saying: [.meeting]))])
            let meeting = MeetingID(text: second.meeting.id)
            _ = try await planner.takeMail(mail.id, meeting: meeting, saving: true)
            let taken = try await mails.answer(planner, second.meeting.id, of: "Ben")
            #expect(taken == .declined)
        }
    }

    /// The digest of the other organizer would contain its sender and subject.
    @Test
    func `A mail that only has the title of another organizer's meeting is not noted with it`()
        async throws
    {
        try await mails.withLunch { world, planner, _ in
            let ben = try await world.planner(actingAs: "Ben")
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.title = "Dinner"
            _ = try await ben.create(request)
            _ = try await receive(planner, "Accepted: Dinner", from: "anna@example.org")
            let mail = try #require(try await planner.ignoredMails().first)
            #expect(mail.isAnswer && mail.meeting == nil && mail.answer == .going)
        }
    }
}
