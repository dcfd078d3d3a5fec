import Testing

@testable import letsmeet

@Suite(.timeLimit(.minutes(5))) struct TableTests {
    @Test func `Columns are as wide as their widest text, and rows end with their last one`() {
        var table = Table()
        table.add("a", "longer", "", "x")
        table.add("abc", "b", "", "")
        table.add("", "", "")
        #expect(table.text == "a    longer    x\nabc  b\n")
    }

    @Test func `A text that is too wide is cut where a table says so`() {
        var table = Table(cellColumnsMax: 4)
        table.add("abcd", "x")
        table.add("äöü\u{308}ßé", "y")
        #expect(table.text == "abcd  x\näöü\u{308}…  y")
    }

    @Test func `A table with one very wide cell takes time for its text, not for its blanks`() {
        var table = Table()
        table.add(String(repeating: "x", count: 64_000), "", "")
        for number in 0..<20_000 { table.add("\(number)", "", "") }
        let clock = ContinuousClock()
        var lines = 0
        let elapsed = clock.measure { lines = table.text.split(separator: "\n").count }
        #expect(lines == 20_001)
        #expect(elapsed < .seconds(2))
    }
}
