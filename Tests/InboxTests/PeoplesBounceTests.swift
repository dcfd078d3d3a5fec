import Agenda
import Inbox
import Ledger
import Planning
import TestKit
import Testing
import Timekeeping

/// Reports whose code alone says too much, mails of people that look like reports, and the end of a
/// suppression.
@Suite(.timeLimit(.minutes(5))) struct PeoplesBounceTests {
    private let bounces = BounceReceivingTests()
    private static let anna = BounceReceivingTests.anna

    /// The result for one recipient in a report.
    private func result(
        _ status: String?, _ words: String, for address: String = Self.anna,
        action: String = "failed"
    ) -> String {
        let fields = [
            "Final-Recipient: rfc822; \(address)", "Action: \(action)",
            status.map { "Status: \($0)" }, "Diagnostic-Code: smtp; \(words)",
        ]
        return fields.compactMap(\.self).joined(separator: "\n")
    }

    /// Receives a report about the invitation that was sent to Anna.
    private func receive(
        _ site: BounceReceivingTests.Site, _ results: String...,
        from: String = "MAILER-DAEMON@mx.example", head: String = "",
        identity: (String) -> String = { $0 }
    ) async throws -> MailReceipt {
        let rows = try await site.planner.ledger(states: [], meeting: site.meeting, limit: 99)
        let row = try #require(
            rows.first { $0.delivery.kind == .invitation && $0.delivery.address == Self.anna })
        let mail = """
            From: \(from)
            \(head)Content-Type: multipart/report; report-type=delivery-status; boundary=B

            --B
            Content-Type: message/delivery-status

            Reporting-MTA: dns; mx.example

            \(results.joined(separator: "\n\n"))

            --B
            Content-Type: text/rfc822-headers

            Message-ID: <\(identity(row.delivery.identity))>
            --B--
            """
        return try await site.planner.receiveMail(Array(mail.utf8))
    }

    /// Whoever plans a meeting can compute the keys of the deliveries to its guests.
    @Test func `A bounce by somebody who knows only the key of a delivery changes nothing`()
        async throws
    {
        try await bounces.withInvitations { site in
            let failure = result("5.1.1", "550 5.1.1 User unknown")
            func local(_ identity: String) -> String { String(identity.prefix { $0 != "@" }) }
            let forgeries: [(String) -> String] = [
                { local($0).prefix(26) + "@letsmeet" },
                { local($0).prefix(26) + "aaaaaa@letsmeet" },
                { local($0).prefix(26) + local($0).dropFirst(26).prefix(5) + "@letsmeet" },
                { local($0) + "a@letsmeet" },
            ]
            for forgery in forgeries {
                let receipt = try await receive(site, failure, identity: forgery)
                #expect(receipt.outcome == .ignored)
                #expect(receipt.reason.contains("not sent from here"))
            }
            #expect(try await site.suppressions() == [])
            let receipt = try await receive(site, failure) {
                local($0).uppercased() + "@letsmeet"
            }
            #expect(receipt.outcome == .bounced)
        }
    }

    @Test(
        arguments: [
            ("5.2.1", "550 5.2.1 The user is receiving mail at a rate that prevents it", false),
            ("5.2.1", "550 5.2.1 Mailbox temporarily disabled, try again later", false),
            ("5.2.1", "550 5.2.1 Mailbox disabled, not accepting messages", true),
            ("5.1.1", "450 4.1.1 Unverified address: verification in progress", false),
            ("5.1.1", "550 5.1.1 Address temporarily rejected", false),
            ("5.1.1", "550 5.1.1 Greylisted", false),
            ("5.1.1", "550 5.1.1 The address 450@example.org does not exist", true),
            ("5.5.0", "550 5.5.0 Requested action not taken: mailbox unavailable", true),
            ("5.0.0", "550 User not found", true),
            ("5.1.0", "550 5.1.1 User unknown", true), ("5.1.0", "550 5.1.0 Rejected", false),
            ("5.4.1", "550 5.4.1 Recipient address rejected: Access denied. AS(201)", true),
            ("5.4.1", "550 5.4.1 No answer from host", false),
            ("5.0.0", "550 Anna is not listed in Domino Directory", true),
            ("5.0.0", "550 Mailbox unavailable: user has exceeded storage quota", false),
            (nil, "550 Mailbox unavailable: user has exceeded storage quota", false),
            (
                "5.1.1", "550 5.1.1 <olga@example.org>: Sender address rejected: User unknown",
                false
            ),
        ] as [(String?, String, Bool)])
    func `Words about a while, a full mailbox or the sender count more than the code`(
        _ status: String?, _ words: String, _ isSuppressed: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(site, result(status, words))
            #expect(receipt.outcome == .bounced && receipt.reason.hasPrefix("bounced: "))
            #expect(try await site.suppressions().count == (isSuppressed ? 1 : 0))
        }
    }

    @Test func `An address that passes mails on to two others is kept if one of them takes them`()
        async throws
    {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, result("2.0.0", "250 OK", for: "anna@home.example", action: "delivered"),
                result("5.1.1", "550 no such user", for: "anna@old.example"))
            #expect(receipt.outcome == .bounced)
            #expect(receipt.reason.hasSuffix("(forwarded to anna@old.example)"))
            #expect(try await site.suppressions() == [])
            #expect(try await site.move().contains("change \(Self.anna)"))
        }
    }

    @Test(arguments: [
        ("Anna <\(anna)>", "", false), ("eve@evil.example", "", false),
        ("Anna <\(anna)>", "Return-Path: <>\n", true), ("Olga Owner <olga@example.org>", "", true),
    ])
    func `A report counts from a mail system and from the owner, and not from other people`(
        _ author: String, _ head: String, _ counts: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await receive(
                site, result("5.1.1", "550 no such user"), from: author, head: head)
            #expect(receipt.outcome == (counts ? .bounced : .ignored))
            let isTold = receipt.reason == "it looks like a bounce, but no mail system sent it"
            #expect(isTold != counts, "\(receipt.reason)")
            #expect(try await site.suppressions().count == (counts ? 1 : 0))
        }
    }

    @Test(arguments: [
        ("5.4.4", "Host or domain name not found", true), ("5.7.1", "554 Not wanted", false),
        ("5.0.0", "5.1.0 - Unknown address error 550-'5.1.1 User unknown'", true),
    ])
    func `A meeting shows whose last mail bounced, whether or not the address is suppressed`(
        _ status: String, _ words: String, _ isSuppressed: Bool
    ) async throws {
        try await bounces.withInvitations { site in
            #expect(try await site.unreached() == nil)
            _ = try await receive(site, result(status, words))
            #expect(try await site.unreached()?.hasPrefix("bounced: ") == true)
            #expect(try await site.suppressions().count == (isSuppressed ? 1 : 0))
        }
    }

    @Test func `An answer from an address that bounced ends its suppression`() async throws {
        try await bounces.withInvitations { site in
            _ = try await site.receiveBounce(ofMailTo: Self.anna)
            #expect(try await site.suppressions().map(\.address) == [Self.anna])
            let answer = """
                From: Anna <\(Self.anna)>
                Subject: Yes: Lunch [\(site.meeting)]
                Date: Tue, 1 Dec 2026 14:00:30 +0200

                See you
                """
            let receipt = try await site.planner.receiveMail(Array(answer.utf8))
            #expect(receipt.outcome == .answered, "\(receipt.reason)")
            #expect(try await site.suppressions() == [])
            // She knows of the meeting, so that nothing is sent again.
            #expect(try await site.unreached() == nil)
            let sent = try await site.send()
            #expect(sent.allSatisfy { !$0.hasSuffix(Self.anna) })
            #expect(try await site.move().contains("invitation \(Self.anna)"))
        }
    }
}
