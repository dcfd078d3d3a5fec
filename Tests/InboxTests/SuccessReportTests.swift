import Foundation
import Inbox
import Planning
import TestKit
import Testing

/// Reports that nothing failed, and receipts.
@Suite(.timeLimit(.minutes(5))) struct SuccessReportTests {
    private let bounces = BounceReceivingTests()
    private let plain = PlainBounceTests()
    private static let anna = BounceReceivingTests.anna

    @Test(arguments: [
        (
            "Successful Mail Delivery Report",
            "Your message was successfully delivered to the destination(s) listed below.\n\n"
                + "<\(anna)>: delivery via local: 250 2.1.5 OK"
        ),
        (
            "Delivered: Lunch",
            "Your message has been delivered to the following recipients:\n\n\(anna)"
        ),
        (
            "Relayed: Lunch",
            "Delivery to these recipients or groups is complete, but no delivery notification was "
                + "sent by the destination server:\n\n\(anna)"
        ),
        ("Zugestellt: Lunch", "Ihre Nachricht wurde erfolgreich zugestellt:\n\n\(anna)"),
    ])
    func `A report of success in words is no bounce`(
        _ subject: String, _ text: String
    ) async throws {
        try await bounces.withInvitations { site in
            let row = try await site.row(to: Self.anna)
            let receipt = try await plain.receive(
                site, subject: subject, "\(text)\n\nMessage-ID: <\(row.identity)>\n")
            #expect(receipt.outcome == .ignored, "\(receipt.reason)")
            #expect(receipt.reason == "it says that the mail to \(Self.anna) was delivered")
            #expect(receipt.help == nil)
            #expect(try await site.unreached() == nil)
        }
    }

    @Test(arguments: [
        "It was successfully delivered to x@y.example, but not to:\n\(anna): 550 5.1.1 unknown",
        "It was successfully delivered to the relay. It could not be delivered:\n\(anna) 5.1.1",
    ])
    func `A report of success and failure is a bounce`(_ text: String) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await plain.receive(site, subject: "Delivery report", text)
            #expect(receipt.outcome == .bounced)
        }
    }

    @Test(arguments: ["delivered", "relayed", "expanded", "Delivered (to mailbox)", ""])
    func `A report of success for programs is no bounce`(_ action: String) async throws {
        try await bounces.withInvitations { site in
            let row = try await site.row(to: Self.anna)
            let mail = """
                From: MAILER-DAEMON@mx.example
                Subject: Successful Mail Delivery Report
                Content-Type: multipart/report; report-type=delivery-status; boundary=B

                --B
                Content-Type: message/delivery-status

                Final-Recipient: rfc822; \(Self.anna)
                Action: \(action)
                Status: 2.0.0
                --B
                Content-Type: text/rfc822-headers

                Message-ID: <\(row.identity)>
                --B--
                """
            let receipt = try await site.planner.receiveMail(Array(mail.utf8))
            #expect(receipt.reason == "it says that the mail to \(Self.anna) was delivered")
            #expect(try await site.unreached() == nil)
        }
    }

    @Test(arguments: [
        ("Read: Lunch", "Your message\n\n To: Anna\n Subject: Lunch\n\nwas read on Tuesday."),
        ("Gelesen: Lunch", "Ihre Nachricht\n\n Betreff: Lunch\n\nwurde am 1. Dezember gelesen."),
        ("Not read: Lunch", "Your message was deleted without being read on Tuesday."),
    ])
    func `A receipt in words is no answer`(_ subject: String, _ text: String) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await plain.receive(site, from: Self.anna, subject: subject, text)
            #expect(receipt.reason == "it is a receipt for a mail that was read or deleted")
            #expect(receipt.help == nil)
        }
    }

    @Test(arguments: [
        "OOO", "Poissa", "Automaattinen vastaus", "Fuera de la oficina", "Vakantie", "自动回复",
        "[EXT] Automatická odpověď",
    ])
    func `A subject that programs write for people who are away is no answer`(
        _ start: String
    ) async throws {
        try await bounces.withInvitations { site in
            let subject = Data("\(start): Yes: Lunch [\(site.meeting)]".utf8)
                .base64EncodedString()
            let receipt = try await plain.receive(
                site, from: Self.anna, subject: "=?utf-8?B?\(subject)?=", "I am away.",
                head: "Date: Tue, 1 Dec 2026 14:00:30 +0200\n")
            #expect(receipt.reason == "a program sent it automatically")
        }
    }
}
