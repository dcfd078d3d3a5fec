import Agenda
import Inbox
import Ledger
import Planning
import Storage
import TestKit
import Testing

/// Mails of mail systems that quote a mail of ours, whatever their subject.
@Suite(.timeLimit(.minutes(5))) struct QuotedReportTests {
    private let bounces = BounceReceivingTests()
    private static let anna = BounceReceivingTests.anna
    private static let robot = "Robot <robot@mx.example>\nAuto-Submitted: auto-generated"

    /// Receives a mail about the invitation that was sent to Anna. Its text contains the header of
    /// the invitation, or only its own header names it.
    private func receive(
        _ site: BounceReceivingTests.Site, from: String, subject: String, _ text: String,
        isQuoting: Bool = true
    ) async throws -> MailReceipt {
        let id = try await site.row(to: Self.anna).identity
        let (head, end) =
            isQuoting
            ? ("", "\n\nReceived: from planner\nMessage-ID: <\(id)>\n")
            : ("In-Reply-To: <\(id)>\n", "")
        let mail = "From: \(from)\nSubject: \(subject)\n\(head)\n\(text)\(end)"
        return try await site.planner.receiveMail(Array(mail.utf8))
    }

    @Test(arguments: [
        ("MAILER-DAEMON@mx.example", "NOTICE: mail delivery status.", "<<< 550 User unknown."),
        (
            "MDaemon@mx.example", "Permanent Delivery Failure",
            "    550 <\(anna)>, Recipient unknown"
        ),
        ("mailer-daemon@docomo.example", "Unknown user", "550 Unknown user \(anna)"),
        ("MAILER-DAEMON@libero.example", "Mancata consegna", "User unknown"),
        ("MAILER-DAEMON@mx.example", "x", "It has failed: 5.1.1"), (robot, "x", "User unknown"),
    ])
    func `A mail of a mail system that quotes ours and states a failure is a bounce`(
        _ author: String, _ subject: String, _ line: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: author, subject: subject, "To:\n\n\(Self.anna)\n\(line)\n")
            #expect(receipt.outcome == .bounced, "\(receipt.reason)")
            #expect(try await site.suppressions().map(\.address) == [Self.anna])
        }
    }

    @Test(arguments: [
        "Your message cannot be delivered.", "Die Nachricht wurde nicht zugestellt.",
        "Il messaggio non è stato consegnato.", "Votre message n'a pas pu être remis.",
        "Your message was\nnot delivered.",
    ])
    func `A failure in words alone is a bounce, and stops no address`(_ text: String) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: Self.robot, subject: "x", "\(Self.anna): \(text)")
            #expect(receipt.outcome == .bounced, "\(receipt.reason)")
            #expect(try await site.suppressions() == [])
            #expect(try await site.row(to: Self.anna).state == .failed)
        }
    }

    @Test(arguments: [
        ("MAILER-DAEMON@mx.example", "Your message has been held for approval.", true),
        (robot, "We have received your mail.", true), (robot, "We have received your mail.", false),
        ("postmaster@mx.example", "Anna has left. \(anna) does not exist any more.", false),
    ])
    func `A mail about ours that is not understood is listed first, with the reason`(
        _ author: String, _ text: String, _ isQuoting: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: author, subject: "Your mail", text, isQuoting: isQuoting)
            #expect(receipt.outcome == .ignored && receipt.help != nil)
            site.world.clock.advance(bySeconds: 60)
            let other = "From: x@y.example\nSubject: Offer\n\nBuy"
            _ = try await site.planner.receiveMail(Array(other.utf8))
            let mails = try await site.planner.ignoredMails().rows
            #expect(mails.map(\.isReport) == [true, false] && !mails[0].isAnswer)
            #expect(mails[0].title == "Lunch" && mails[0].person == "Anna")
            #expect(
                mails[0].reason
                    == "it is about a mail to \(Self.anna), in words that are not understood")
            #expect(mails[0].help?.advice.last == .calendars(.dismissMail(mails[0].id)))
            let reports = try await site.planner.store.ignoredMails(only: .report, limit: 9)
            let answers = try await site.planner.store.ignoredMails(only: .answer, limit: 9)
            #expect(reports.count == 1 && answers.isEmpty)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test func `An automatic reply from another address of the guest is neither`() async throws {
        try await bounces.withInvitations { site in
            let work = "anna@work.example"
            var edit = ContactEdit()
            edit.emails = [Self.anna, work]
            _ = try await site.planner.editPerson("Anna", edit)
            let receipt = try await receive(
                site, from: "Anna <\(work)>\nAuto-Submitted: auto-replied", subject: "Away",
                "I am away. \(Self.anna) does not exist any more.")
            #expect(receipt.outcome == .ignored && receipt.help == nil)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test func `A bounce that no mail system sent is listed as a report`() async throws {
        try await bounces.withInvitations { site in
            let id = try await site.row(to: Self.anna).identity
            let mail = """
                From: eve@evil.example
                Content-Type: multipart/report; boundary=B

                --B
                Content-Type: message/delivery-status

                Final-Recipient: rfc822; \(Self.anna)
                Action: failed
                Status: 5.1.1

                --B
                Content-Type: text/rfc822-headers

                Message-ID: <\(id)>
                --B--
                """
            _ = try await site.planner.receiveMail(Array(mail.utf8))
            let mails = try await site.planner.ignoredMails().rows
            #expect(mails.map(\.isReport) == [true])
            #expect(mails[0].reason == "it looks like a bounce, but no mail system sent it")
            #expect(try await site.suppressions() == [])
        }
    }
}
