import Testing

struct LayoutTests {
    @Test func `No folder has more files than the limit`() {
        expectNone(Layout.crowdedFolders(Repository.sources + Repository.tests))
    }

    @Test func `Every source file is named after a type in it`() {
        expectNone(Repository.sources.flatMap(Layout.misnamed))
    }

    @Test func `No source file is shorter than the limit`() {
        expectNone(Repository.sources.flatMap(Layout.short))
    }

    @Test func `A crowded folder is found, and migrations are exempt`() {
        func files(_ folder: String, _ count: Int) -> [Source] {
            (0..<count).map { snippet("", path: "Sources/\(folder)/A\($0).swift") }
        }
        let fits = files("A", Layout.folderFilesMax)
        let many = Layout.folderFilesMax + 1
        #expect(Layout.crowdedFolders(fits + files("Storage/Migrations", many)) == [])
        #expect(Layout.crowdedFolders(files("A/B", many)).map(\.path) == ["Sources/A/B"])
    }

    @Test(arguments: [
        ("Meeting.swift", "public struct Meeting {}", 0),
        ("Meeting.swift", "/// Meeting\nstruct Other {}", 1),
        ("Meeting.swift", "extension Meeting {}", 1),
        ("Meeting+Rows.swift", "extension Meeting {}", 0),
        ("Meeting+Rows.swift", "extension Meeting.Time {}", 1),
        ("Scalar+Text.swift", "extension Unicode.Scalar {}", 0),
        ("Array+Spans.swift", "extension [Span] {}", 0),
        ("CircleID.swift", "public typealias CircleID = Identifier<Circle>", 0),
    ])
    func `A file named after nothing in it is found`(name: String, text: String, count: Int) {
        let source = snippet(text, path: "Sources/Agenda/\(name)")
        #expect(Layout.misnamed(source).count == count)
    }

    @Test func `A short file is found`() {
        let fits = String(repeating: "x\n", count: Layout.fileLinesMin)
        #expect(Layout.short(snippet(fits)) == [])
        #expect(Layout.short(snippet(String(fits.dropLast(2)))).count == 1)
        let step = snippet("x\n", path: "Sources/Storage/Migrations/001People.swift")
        #expect(Layout.short(step) == [])
    }
}
