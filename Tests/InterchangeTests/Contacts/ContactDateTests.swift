import Testing

@testable import Interchange

struct ContactDateTests {
    @Test(
        arguments: [
            ("19900412", "1990-04-12"), ("1990-04-12", "1990-04-12"), ("1990/4/2", "1990-04-02"),
            ("1990-04-12T23:59:59+02:00", "1990-04-12"), ("1990-04-12 10:00", "1990-04-12"),
            ("--0412", "--04-12"), ("--04-12", "--04-12"), ("--0229", "--02-29"),
            ("1604-02-29", "--02-29"), ("20000229", "2000-02-29"), ("19000229", nil),
            ("1990-02-30", nil), ("1990-13-01", nil), ("1990-00-10", nil), ("0000-01-01", nil),
            ("1990-04", nil), ("1990", nil), ("---12", nil), ("", nil), ("T10", nil),
            ("90-04-12", nil), ("19900412x", nil), ("１９９０-04-12", nil), ("-1990-04-12", nil),
            ("9999-12-31", nil), ("2999-12-31", "2999-12-31"), ("1990-04-12T-15", "1990-04-12"),
            ("99999999999999999999", nil), ("1990--04-12", nil), ("--", nil),
        ] as [(String, String?)])
    func `Dates are converted to one form`(text: String, date: String?) {
        #expect(ContactDate.normalised(text) == date)
    }

    @Test(arguments: [("1990-04-12", "19900412"), ("--04-12", "--0412")])
    func `The form of 4_0 has no hyphens`(date: String, basic: String) {
        #expect(ContactDate.basic(date) == basic)
    }
}

struct MailAddressTests {
    @Test(
        arguments: [
            ("a@b", "a@b"), ("MAILTO:a@b.org", "a@b.org"), ("mailto:a%40b", "a@b"),
            ("ü+x@ex\u{e4}mple", "ü+x@ex\u{e4}mple"), ("mailto:a@b?cc=c@d", "a@b"),
            ("", nil), ("foo", nil), ("@b", nil), ("a@", nil), ("a@b@c", nil), ("a b@c", nil),
            ("a@b,c@d", nil), ("A <a@b>", nil), ("a@b\r\nBcc:c", nil), ("a@b\u{0}", nil),
            ("\"a b\"@c", nil), ("a\u{a0}@b", nil), ("mailto:a%0D%0A@b", nil),
            ("mailto:%FF@b", nil),
            ("SMTP:a@b", "a@b"), ("[mailto:a@b]", "a@b"), ("<a@b>", "a@b"),
            ("mailto: a@b", "a@b"), ("mailto:<a@b>", "a@b"), ("a@b#mailto:a@b#", "a@b"),
            ("a@example.org/ä.evil.org", nil), ("a@example.org?x", nil), ("a@[::1]", "a@[::1]"),
            ("Doe/ACME@ACME", nil), ("a/b@c.org", "a/b@c.org"), ("smtp@b", "smtp@b"),
            ("\"mailto:a%40b.org?\"@c.org", nil), ("\"a@b.org#mailto:x\"@c.org", nil),
            ("<\"mailto:a%40b.org?\"@c.org>", nil), ("\"<a@b.org>\"@c.org", nil),
            ("mailto:\"a\"@b.org", "a@b.org"), ("\"a\"@b.org", "a@b.org"),
            ("a@b.org\u{3002}", "a@b.org"), ("mailto:a@b.org\u{FF0E}", "a@b.org"),
            ("a@b\u{FF61}org", "a@b.org"), ("a@\u{3002}", nil),
            ("a\u{3002}b@c.org", "a\u{3002}b@c.org"),
            ("a\u{2028}@b", nil), (String(repeating: "a", count: 253) + "@b", nil),
        ] as [(String, String?)])
    func `An address that could misdirect mail is rejected`(text: String, address: String?) {
        #expect(MailAddress.plausible(text) == address)
    }

    @Test(arguments: ["/", "?", "#", "%"])
    func `An address at another domain is never folded to a shorter one`(_ sign: String) {
        let address = "ben@example.org\(sign)ä.evil.org"
        #expect(MailAddress.folded(address) != MailAddress.folded("ben@example.org"))
    }

    @Test(arguments: ["\u{3002}", "\u{FF0E}", "\u{FF61}"])
    func `A full stop of another script separates and ends a domain as a dot does`(
        _ stop: String
    ) throws {
        #expect(MailAddress.folded("Ben@Example\(stop)org\(stop)") == "ben@example.org")
        #expect(
            MailAddress.folded("ben@b\u{fc}cher\(stop)example\(stop)")
                == MailAddress.folded("ben@b\u{fc}cher.example"))
        #expect(try Mailbox("ben@example\(stop)org\(stop)").address == "ben@example.org")
        for end in ["...", stop + stop + stop] {
            #expect(throws: Mailbox.Fault.badDomain) { try Mailbox("ben@example.org\(end)") }
        }
    }
}
