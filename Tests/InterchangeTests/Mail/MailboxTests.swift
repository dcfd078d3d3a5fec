import Testing

@testable import Interchange

@Suite struct MailboxTests {
    @Test(arguments: [
        ("anna@example.org", "anna@example.org"), ("Anna@Example.ORG", "Anna@Example.ORG"),
        ("anna+chess@example.org", "anna+chess@example.org"),
        ("o'brien_{x}@example.org", "o'brien_{x}@example.org"),
        ("anna@bücher.example", "anna@xn--bcher-kva.example"),
        ("anna@faß.de", "anna@xn--fa-hia.de"),
        (".anna.@example.org", "\".anna.\"@example.org"),
        ("a..b@example.org", "\"a..b\"@example.org"),
        ("a[b]:c@example.org", "\"a[b]:c\"@example.org"),
        ("anna@localhost", "anna@localhost"), ("anna@[192.0.2.1]", "anna@[192.0.2.1]"),
        ("anna@[IPv6:2001:db8::1]", "anna@[IPv6:2001:db8::1]"),
        ("mailto:anna@example.org?subject=x", "anna@example.org"),
    ])
    func `An address is converted to its form in SMTP`(text: String, address: String) throws {
        let mailbox = try Mailbox(text)
        #expect(mailbox.address == address)
        #expect(!mailbox.needsUTF8)
    }

    @Test func `A non-ASCII local part is kept and needs a server with SMTPUTF8`() throws {
        let mailbox = try Mailbox("änna@bücher.example")
        #expect(mailbox.address == "änna@xn--bcher-kva.example")
        #expect(mailbox.needsUTF8)
    }

    @Test(arguments: [
        "", "anna", "anna@", "@example.org", "anna@b@c", "anna@example.org\r\nRCPT TO:<x@y>",
        "anna>@example.org", "anna @example.org", "anna\0@example.org",
        String(repeating: "x", count: 250) + "@example.org",
    ])
    func `An address that could misdirect mail is rejected`(text: String) {
        #expect(throws: Mailbox.Fault.malformed) { try Mailbox(text) }
    }

    @Test(arguments: [
        "anna@a..b", "anna@-x.example", "anna@x-.example", "anna@exa/mple", "anna@x:25",
        "anna@[]", "anna@[x y", "anna@a%41.example", "anna@a#b",
        "anna@" + String(repeating: "a", count: 64) + ".example",
    ])
    func `An address with an invalid domain is rejected`(text: String) {
        #expect(throws: (any Error).self) { try Mailbox(text) }
    }
}
