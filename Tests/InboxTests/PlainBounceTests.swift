import Agenda
import Foundation
import Inbox
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Reports of mail systems in plain text or HTML, and mails that only look like them.
@Suite(.timeLimit(.minutes(5))) struct PlainBounceTests {
    private let bounces = BounceReceivingTests()

    /// Receives a mail about the invitation that was sent to Anna.
    func receive(
        _ site: BounceReceivingTests.Site, from: String = "MAILER-DAEMON@mx.example",
        subject: String, _ text: String, head: String = ""
    ) async throws -> MailReceipt {
        let rows = try await site.planner.ledger(states: [], meeting: site.meeting, limit: 99)
        let row = try #require(
            rows.first {
                $0.delivery.kind == .invitation
                    && $0.delivery.address == BounceReceivingTests.anna
            })
        let mail = """
            From: \(from)
            Return-Path: <>
            Subject: \(subject)
            In-Reply-To: <\(row.delivery.identity)>
            \(head)
            \(text)
            """
        return try await site.planner.receiveMail(Array(mail.utf8))
    }

    @Test(arguments: [
        "Automatic reply: Invitation: Delivery planning", "Delivery of cakes: back on Monday",
        "Returned on 7 December", "Warning: I have left the company", "Zustellung: Paketdienst",
    ])
    func `An automatic reply of a guest is no bounce, whatever its subject`(
        _ subject: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: "Anna <\(BounceReceivingTests.anna)>", subject: subject,
                "I am on holiday. My old address a@old.example does not exist any more.",
                head: "Auto-Submitted: auto-replied\n")
            #expect(receipt.outcome == .ignored)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test func `An answer is no bounce, whatever the meeting is called`() async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: BounceReceivingTests.anna,
                subject: "No: Delivery failed planning [\(site.meeting)]",
                "The old room does not exist.", head: "Date: Tue, 1 Dec 2026 14:00:30 +0200\n")
            #expect(receipt.outcome == .answered && receipt.answer == .declined)
        }
    }

    @Test(arguments: [
        "Nicht zustellbar: Einladung", "Zustellung fehlgeschlagen", "Non remis : Invitation",
        "No se puede entregar: Invitation", "Onbestelbaar: x", "Something else", "配信不能",
    ])
    func `A report is recognized by its sender and an error code in any language`(
        _ subject: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "=?utf-8?B?\(subject.base64)?=",
                "\(BounceReceivingTests.anna) 550 5.1.1 nobody")
            #expect(receipt.outcome == .bounced)
            #expect(try await site.suppressions().map(\.origin) == [.bounce])
        }
    }

    @Test func `A final report about a delayed birthday is final`() async throws {
        try await bounces.withInvitations { site in
            _ = try await receive(
                site, subject: "Undeliverable: Invitation: Delayed birthday",
                "Your message to \(BounceReceivingTests.anna) couldn't be delivered.\n#5.1.1")
            #expect(try await site.suppressions().count == 1)
        }
    }

    @Test func `A report in HTML alone is read`() async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "Undeliverable: x",
                "<p>To <b>\(BounceReceivingTests.anna)</b></p>"
                    + "<p>550 5.1.10 RESOLVER.ADR.RecipientNotFound</p>",
                head: "Content-Type: text/html\n")
            #expect(receipt.reason.contains("550 5.1.10 RESOLVER.ADR.RecipientNotFound"))
            #expect(try await site.suppressions().count == 1)
        }
    }

    @Test(arguments: [
        ("Unrouteable address", "Unrouteable address"),
        (
            "554: delivery error: dd This user doesn't have a yahoo.com account",
            "554: delivery error"
        ),
    ])
    func `The reason is the line that says what failed`(
        _ line: String, _ words: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "Mail delivery failed: returning message to sender",
                "This message was created automatically by mail delivery software.\n\n"
                    + "  \(BounceReceivingTests.anna)\n    \(line)\n")
            #expect(receipt.reason.contains(words), "\(receipt.reason)")
            #expect(try await site.suppressions().count == 1)
        }
    }

    @Test func `Without an error code, the reason is the line below the address`() async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "Mail delivery failed: returning message to sender",
                "This is a permanent error. The following address(es) failed:\n\n"
                    + "  \(BounceReceivingTests.anna)\n    retry timeout exceeded\n",
                head: "X-Failed-Recipients: \(BounceReceivingTests.anna)\n")
            #expect(receipt.reason == "bounced: retry timeout exceeded")
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: ["收件人：\(BounceReceivingTests.anna)", "（\(BounceReceivingTests.anna)）不存在"])
    func `The signs of other scripts around an address are no part of it`(
        _ line: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "=?utf-8?B?\("系统退信".base64)?=",
                "您的邮件被退回来了\n\(line)\n原因：550 Mailbox not found\n",
                head: "Content-Type: text/plain; charset=utf-8\n")
            #expect(receipt.reason == "bounced: 5.1.1 原因：550 Mailbox not found")
            #expect(try await site.suppressions().count == 1)
        }
    }

    @Test(arguments: [
        "550 unbekannter Empfänger", "550 Benutzer unbekannt", "550 Utilisateur inconnu",
        "550 Usuario desconocido", "550 Utente sconosciuto",
    ])
    func `An unknown address is recognized in other languages`(_ words: String) async throws {
        try await bounces.withInvitations { site in
            _ = try await receive(
                site, subject: "Undelivered Mail",
                "\(BounceReceivingTests.anna)\n  \(words)\n",
                head: "Content-Type: text/plain; charset=utf-8\n")
            #expect(try await site.suppressions().map(\.origin) == [.bounce])
        }
    }

    @Test func `An internal name in a report is the mailbox itself`() async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "Undelivered Mail",
                """
                --B
                Content-Type: message/delivery-status

                Reporting-MTA: dns; mx.example

                Original-Recipient: rfc822; \(BounceReceivingTests.anna)
                Final-Recipient: x400; /O=ACME/CN=ANNA/
                Action: failed
                Status: 5.1.1
                --B--
                """, head: "Content-Type: multipart/report; boundary=B\n")
            #expect(receipt.reason == "bounced: 5.1.1")
            #expect(try await site.suppressions().count == 1)
        }
    }

    @Test func `A full mailbox is no unknown address, on whatever line the report says it`()
        async throws
    {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, subject: "Undelivered mail",
                "\(BounceReceivingTests.anna)\n550 mailbox unavailable\nThe storage is used up.")
            #expect(receipt.outcome == .bounced)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: ["5.1.1(user unknown)", "550 5.1.1", "5.0.0"])
    func `A status is read with a remark, behind another code, and from the error message`(
        _ status: String
    ) async throws {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: BounceReceivingTests.anna, status)
            #expect(try await site.suppressions().map(\.origin) == [.bounce])
        }
    }

    @Test(arguments: [
        "550-Requested action not taken: mailbox unavailable\n550 Reject due to policy "
            + "restrictions",
        "550-Verification failed for <olga@planner.example>\n550-No Such User Here\n550 Sender "
            + "verify failed",
        "550 Verification failed for <olga@planner.example>: Sender domain does not exist",
        "554 Your IP does not exist in our whitelist", "550 SPF: domain does not exist",
        "550 Mailbox unavailable: user has exceeded storage quota",
        "550 5.1.1 <olga@planner.example>: Sender address rejected: User unknown",
        "554-IP address is block listed and\n554 the A record of your host does not exist",
    ])
    func `A refusal of the sender or of the mail does not suppress the address`(
        _ words: String
    ) async throws {
        try await bounces.withInvitations { site in
            let text = "Your message to \(BounceReceivingTests.anna) could not be delivered.\n"
            let receipt = try await receive(site, subject: "Undelivered Mail", text + words)
            #expect(receipt.outcome == .bounced)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: [
        ("Anna <postmaster@guest.example>", "Re: Invitation: Board games"),
        ("Mail Delivery Manager Anna <anna@guest.example>", "The café"),
        ("Mail Delivery Manager Anna <anna@guest.example>", "Re: Delivery of the invitation"),
        ("postmaster@guest.example", "Out of office"),
    ])
    func `A mail of a person is no bounce`(_ author: String, _ subject: String) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: author, subject: subject,
                "Sorry, the café does not exist any more. I am in room 550 until then.")
            #expect(receipt.outcome == .ignored)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: ["Re: Invitation: Board games", "[EXT] AW: Einladung"])
    func `A reply of a postmaster is no bounce, whatever it quotes`(_ subject: String) async throws
    {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, from: "Anna <postmaster@guest.example>", subject: subject,
                "My other address says:\n> 550 5.1.1 user unknown")
            #expect(receipt.outcome == .ignored)
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: [
        ("Warning: message 1abc delayed 24 hours", "451 unknown user, try later"),
        ("Delivery delayed: Invitation", "It has been delayed. 550 5.1.1 may follow."),
        ("Remise différée : Invitation", "4.4.7 autre serveur"),
        ("Entrega retrasada: Invitación", "4.4.7 otro servidor"),
    ])
    func `A delay is no failure, whatever the other system says`(
        _ subject: String, _ words: String
    ) async throws {
        try await bounces.withInvitations { site in
            let text = "A message to \(BounceReceivingTests.anna) has not yet been delivered.\n"
            let receipt = try await receive(
                site, subject: "=?utf-8?B?\(subject.base64)?=", text + words)
            #expect(receipt.reason.hasPrefix("delayed:"))
            #expect(try await site.suppressions() == [])
        }
    }
}

extension String {
    fileprivate var base64: String { Data(utf8).base64EncodedString() }
}
