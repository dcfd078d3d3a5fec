import Testing

@testable import Wording

@Suite struct PrivateTextTests {
    @Test(arguments: [
        ("olga@example.org", "o…@example.org"),
        ("550 <anna.b+x@example.org>: unknown", "550 <a…@example.org>: unknown"),
        ("a@b.c,d@e.f", "a…@b.c,d…@e.f"), ("no address @ all", "no address @ all"),
        ("\"Anna B\"@example.org", "\"…@example.org"), ("jörg@example.org", "j…@example.org"),
        ("smtp://user@host", "smtp://u…@host"), ("/G=Jo/S=Doe/@x.org", "/G…@x.org"),
        ("smtp://user:word@host", "smtp://user:w…@host"), ("a@b@c", "a…@b…@c"), ("@x", "@x"),
    ])
    func `Only the first letter and the host of a mail address are shown`(
        text: String, shown: String
    ) {
        #expect(PrivateText.of(text) == shown)
    }
}
