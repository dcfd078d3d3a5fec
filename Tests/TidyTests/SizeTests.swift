import Testing

struct SizeTests {
    @Test func `No line is wider than the limit`() {
        expectNone((Repository.sources + Repository.tests).flatMap(Sizes.wideLines))
    }

    @Test func `No file is longer than the limit`() {
        expectNone((Repository.sources + Repository.tests).flatMap(Sizes.length))
    }

    @Test func `No function is longer than the limit`() {
        expectNone((Repository.sources + Repository.tests).flatMap(Sizes.longFunctions))
    }

    @Test func `There are files to check`() {
        #expect(Repository.sources.contains { !$0.tokens.isEmpty })
        #expect(Repository.tests.contains { $0.fileName == "SizeTests.swift" })
    }

    @Test func `A line at the limit passes, and a longer one fails`() {
        let fits = String(repeating: "é", count: Sizes.columnsMax)
        #expect(Sizes.wideLines(in: snippet(fits)) == [])
        let findings = Sizes.wideLines(in: snippet("\n\(fits)x\n"))
        #expect(findings.map(\.line) == [2])
    }

    @Test func `A file at the limit passes, and a longer one fails`() {
        let fits = String(repeating: "x\n", count: Sizes.fileLinesMax)
        #expect(Sizes.length(of: snippet(fits)) == [])
        #expect(Sizes.length(of: snippet(fits + "x")).map(\.line) == [Sizes.fileLinesMax + 1])
    }

    @Test func `A function at the limit passes, and a longer one fails`() {
        let body = String(repeating: "    step()\n", count: Sizes.functionLinesMax - 2)
        #expect(Sizes.longFunctions(in: snippet("func fits() {\n\(body)}\n")) == [])
        let findings = Sizes.longFunctions(in: snippet("\nfunc tall() {\n\(body)\n}\n"))
        #expect(findings.map(\.line) == [2])
        #expect(findings.first?.message == "func tall has 61 lines, 60 allowed")
    }
}
