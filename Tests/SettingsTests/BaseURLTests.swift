import Settings
import Testing

@Suite struct BaseURLTests {
    @Test(arguments: [
        ("https://meet.example.org", "https://meet.example.org", "", true),
        ("https://meet.example.org/", "https://meet.example.org", "", true),
        ("http://127.0.0.1:8420", "http://127.0.0.1:8420", "", false),
        ("HTTPS://example.org/x/b/", "HTTPS://example.org/x/b", "/x/b", true),
        ("https://[::1]:8420/gx", "https://[::1]:8420/gx", "/gx", true),
    ])
    func `An address is parsed with its path`(
        _ text: String, _ shown: String, _ path: String, _ isSecure: Bool
    ) throws {
        let base = try BaseURL(text)
        #expect(base.text == shown && base.path == path && base.isSecure == isSecure)
    }

    @Test(arguments: [
        "", "meet.example.org", "ftp://example.org", "https://", "https:///g",
        "https://olga:secret@example.org", "https://example.org/?x=1", "https://example.org/#x",
        "https://example.org/a b", "https://example.org/\r\nX: y", "https://exämple.org",
        "https://example.org/g", "https://example.org/u/x", "https://example.org/meetings/",
        "https://example.org/\"",
        "https://example.org/" + String(repeating: "a", count: 200), "mailto:a@example.org",
    ])
    func `An invalid public address is refused`(_ text: String) {
        #expect(throws: BaseURL.Fault.self) { try BaseURL(text) }
    }
}
