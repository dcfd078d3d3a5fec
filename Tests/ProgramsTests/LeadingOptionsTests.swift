import Programs
import Testing

struct LeadingOptionsTests {
    private let options = LeadingOptions(flags: ["--json"], valued: ["--home", "--tz"])

    @Test(arguments: [
        ("meeting list", "meeting list"),
        ("--home h meeting list", "meeting list --home h"),
        (
            "--home=h --json --tz UTC meeting list --mine",
            "meeting list --mine --home=h --json --tz UTC"
        ),
        ("--json people show -- --odd", "people show --json -- --odd"),
        ("--help", "--help"), ("--home", "--home"), ("--home h", "--home h"),
        ("--home h --help", "--home h --help"), ("--jsons list", "--jsons list"), ("", ""),
    ])
    func `Options before a command are moved behind it`(typed: String, read: String) {
        #expect(options.movedBehind(words(typed)) == words(read))
    }

    private func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
