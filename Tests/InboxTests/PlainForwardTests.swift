import Agenda
import Inbox
import Ledger
import Planning
import TestKit
import Testing

/// Reports in words about mails that the receiver's address has passed on to another one.
@Suite(.timeLimit(.minutes(5))) struct PlainForwardTests {
    private let bounces = BounceReceivingTests()
    private static let anna = BounceReceivingTests.anna
    private static let old = "old@elsewhere.example"
    private static let header = "Return-path: <olga@example.org>\nTo: Anna <\(anna)>\n"

    @Test(arguments: [
        "  \(old)\n    (generated from \(anna))\n    550 5.1.1 User unknown\n",
        "  \(old)\n    (ultimately generated from \(anna))\n    Unrouteable address\n",
        "<\(old)> (expanded from\n    <\(anna)>): host mx said: 550 5.1.1 User unknown\n",
        "<\(old)>\n    (reason: 550 5.1.1 User unknown)\n    (expanded from: <\(anna)>)\n",
        "<\(old)>:\n<<< 550 User unknown, forwarded for \(anna)\n",
        "<\(old)>: 550 5.1.1 User unknown\n",
        "Your message to \(anna) failed.\n>>> RCPT TO:<\(old)>\n<<< 550 User unknown\n",
        "Your message to \(anna) failed.\n550-5.1.1 <\(old)>: User unknown\n",
        "Original-Recipient: rfc822;\(anna)\nFinal-Recipient: rfc822;\(old)\n550 5.1.1 unknown\n",
    ])
    func `A mail that the address passed on counts as arrived, and the address gets mail`(
        _ text: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await PlainBounceTests().receive(
                site, subject: "Undelivered Mail", "\(text)\n\(Self.header)")
            #expect(receipt.outcome == .bounced)
            #expect(receipt.reason.hasSuffix(" (forwarded to \(Self.old))"), "\(receipt.reason)")
            #expect(try await site.suppressions() == [])
            #expect(try await site.row(to: Self.anna).state == .accepted)
            #expect(try await site.unreached() == receipt.reason)
        }
    }

    @Test func `An address that a report does not name is another one`() async throws {
        try await bounces.withInvitations { site in
            let receipt = try await PlainBounceTests().receive(
                site, subject: "Mail delivery failed",
                "an undisclosed address\n  (generated from \(Self.anna))\n  550 5.1.1 unknown")
            #expect(receipt.reason.hasSuffix(" (forwarded to another address)"))
            #expect(try await site.suppressions() == [])
        }
    }

    @Test(arguments: [
        "<\(anna)>: host mx said: 550 5.1.1 <anna_aalto@mx.internal.example>: User unknown\n",
        "\(anna)\n  (generated from info@example.org)\n  550 5.1.1 User unknown\n",
        "Your message to \(anna) failed.\n>>> RCPT TO:<\(anna)>\n<<< 550 5.1.1 <x@y.example>\n",
        "olga@example.org, your mail came back.\n550 5.1.1 User unknown\n",
    ])
    func `An address that failed itself is stopped, whatever else the report names`(
        _ text: String
    ) async throws {
        try await bounces.withInvitations { site in
            let receipt = try await PlainBounceTests().receive(
                site, subject: "Undelivered Mail", "\(text)\n\(Self.header)",
                head: "To: olga@example.org\n")
            #expect(receipt.outcome == .bounced)
            #expect(try await site.suppressions().map(\.address) == [Self.anna])
        }
    }
}
