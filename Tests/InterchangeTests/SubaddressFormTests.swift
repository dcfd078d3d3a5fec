import Testing

@testable import Interchange

@Suite struct SubaddressFormTests {
    @Test(arguments: [
        ("replies+*@example.org", "replies+abc2@example.org"),
        ("*@answers.example.org", "abc2@answers.example.org"),
        ("olga*@example.org", "olgaabc2@example.org"), ("*a@example.org", "abc2a@example.org"),
        ("olga-*-x@b\u{FC}cher.example", "olga-abc2-x@xn--bcher-kva.example"),
    ])
    func `A mark is put into an address and found in it`(
        _ form: String, _ address: String
    ) throws {
        let form = try SubaddressForm(form)
        #expect(form.address("abc2") == address)
        #expect(form.mark(in: address.uppercased()) == "abc2")
    }

    @Test(arguments: [
        "replies@example.org", "replies+@example.org", "other+abc@example.org",
        "replies+abc@example.com", "replies+abc@example.org.evil.example", "@example.org", "",
    ])
    func `An address that does not match the pattern has no mark`(_ address: String) throws {
        #expect(try SubaddressForm("replies+*@example.org").mark(in: address) == nil)
    }

    @Test(arguments: [
        "", "*", "replies@example.org", "replies+**@example.org", "a@b@*.org", "a@*.example.org",
        "with space+*@example.org", "replies+*", "replies+*@", "replies+*@-",
        "a-local-part-that-is-far-too-long-for-it+*@example.org",
    ])
    func `An invalid pattern is refused`(_ text: String) {
        #expect(throws: Mailbox.Fault.self) { try SubaddressForm(text) }
    }
}
