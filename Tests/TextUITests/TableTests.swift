import Testing

@testable import TextUI

@Suite(.timeLimit(.minutes(5))) struct TableTests {
    @Test func `Columns are as wide as their widest cell, and rows end with their last text`() {
        var table = Table()
        table.add("a", "longer", "", "x")
        table.add("abc", "b", "", "")
        table.add("", "", "")
        #expect(table.text == "a    longer    x\nabc  b\n")
    }

    @Test func `A cell that is wider than the limit of its table is cut`() {
        var table = Table(cellColumnsMax: 4)
        table.add("abcd", "x")
        table.add("äöü\u{308}ßé", "y")
        #expect(table.text == "abcd  x\näöü\u{308}…  y")
    }

    @Test func `A table with one very wide cell takes no time for blanks`() {
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
