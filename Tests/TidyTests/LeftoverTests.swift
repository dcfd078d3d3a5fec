import Testing

struct LeftoverTests {
    /// The endings of our own text files; all other files are data.
    private static let textEndings = [
        "css", "h", "html", "js", "json", "md", "modulemap", "mustache", "py", "sh", "swift", "txt",
        "yaml", "yml",
    ]

    /// Our own texts: files with these endings or without one. In data folders, only scripts and
    /// descriptions.
    private var ownTexts: [String] {
        Repository.files.filter { path in
            guard !path.contains("/Data/") || path.hasSuffix(".py") || path.hasSuffix(".md") else {
                return false
            }
            let name = path.split(separator: "/").last ?? ""
            let ending = name.dropFirst().split(separator: ".").dropFirst().last.map(String.init)
            return ending.map(Self.textEndings.contains) ?? true
        }
    }

    private func findings(
        in paths: [String], by check: (String, String) -> [Finding]
    ) -> [Finding] {
        paths.flatMap { path in Repository.text(of: path).map { check($0, path) } ?? [] }
    }

    @Test func `No words of unfinished work are left`() {
        let paths = ["Sources", "Tests", "templates"].flatMap { folder in
            Repository.files(under: folder).filter { path in
                // Files by others stay as they are.
                !["/Data/", "/leaflet/"].contains(where: path.contains)
            }
        }
        #expect(!paths.isEmpty)
        expectNone(findings(in: paths, by: Leftovers.unfinished))
    }

    @Test func `No paths of a particular machine are left`() {
        #expect(ownTexts.contains("Makefile"))
        expectNone(findings(in: ownTexts, by: Leftovers.machinePaths))
    }

    @Test func `The top level contains only the listed entries`() {
        let allowed = [
            "Benchmarks", "CHANGELOG.md", "LICENSE", "Makefile", "NOTICE", "Package.swift",
            "README.md", "Sources", "Tests", "crontab", "docs", "templates",
        ]
        let top = Set(Repository.files.map { String($0.prefix { $0 != "/" }) })
        let strangers = top.filter { !$0.hasPrefix(".") && !allowed.contains($0) }
        #expect(strangers.sorted() == [])
        #expect(top.contains("Package.swift"))
    }

    @Test(arguments: [
        ("// TO" + "DO: later", 1), ("a\nb // fix" + "me\nha" + "ckneyed", 1),
        ("Not yet " + "implemented. For" + " now", 2), ("a st" + "ubborn Tod", 0),
        ("place" + "holder", 1),
    ])
    func `A word of unfinished work is found`(text: String, count: Int) {
        #expect(Leftovers.unfinished(in: text, at: "a").count == count)
    }

    @Test(arguments: [
        ("cd /" + "work/main", 1), ("a\n\"/" + "root/x\"", 1), ("=/" + "home/ada/x", 1),
        ("/" + "homeward, frame" + "work/x, ../" + "work/y", 0), ("https://a.b/" + "work/x", 0),
    ])
    func `A path of a particular machine is found`(text: String, count: Int) {
        #expect(Leftovers.machinePaths(in: text, at: "a").count == count)
    }

    @Test func `A finding shows file and line`() {
        let findings = Leftovers.unfinished(in: "one\n\nha" + "ck", at: "docs/a.md")
        #expect(
            findings.map(\.description) == ["docs/a.md:3: \"ha" + "ck\" means unfinished work"])
    }
}
