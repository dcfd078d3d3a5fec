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

    @Test func `On a screen a table has headings, and its widest columns are cut until it fits`() {
        var table = Table(["Id", "Name", "Mail"], uncut: [2])
        table.add("ab", "A very long name of somebody", "somebody@example.org")
        table.add("cd", "Ben", "b@example.org")
        let frame = TableFrame(columns: 40, hasHeadings: true)
        #expect(
            table.text(in: frame) == """
                Id  Name            Mail
                ab  A very long n…  somebody@example.org
                cd  Ben             b@example.org
                """)
        let narrow = TableFrame(columns: 20, hasHeadings: false)
        #expect(table.text(in: narrow).hasPrefix("ab  A very …  somebody@example.org\n"))
        #expect(table.text(in: .plain).hasPrefix("ab  A very long name of somebody  somebody@"))
    }

    @Test func `A table that fits is not cut, and the cells of a cut column stay aligned`() {
        var table = Table(["When", "What"])
        table.add("today", "x")
        #expect(
            table.text(in: TableFrame(columns: 80, hasHeadings: true)) == "When   What\ntoday  x")
        var two = Table()
        two.add(String(repeating: "a", count: 30), String(repeating: "b", count: 20), "c")
        let text = two.text(in: TableFrame(columns: 40, hasHeadings: false))
        #expect(TextColumns.width(of: text) == 40 && text.hasSuffix("bbb…  c"))
        #expect(text.contains("aaa…  bbb"))
    }

    @Test func `Two columns that are equally wide are cut alike, and a third one stays whole`() {
        var table = Table()
        let wide = String(repeating: "a", count: 60)
        table.add(wide, wide, "+358 40 123")
        let text = table.text(in: TableFrame(columns: 55, hasHeadings: false))
        let cut = String(repeating: "a", count: 19) + "…"
        #expect(text == "\(cut)  \(cut)  +358 40 123")
    }

    @Test func `The column after a cut cell with wide characters stays aligned`() {
        var table = Table(["Id", "Title", "Place"], uncut: [0, 2])
        table.add("ab", "会議会議会議会議", "Office")
        table.add("cd", "Lunch", "Café")
        let frame = TableFrame(columns: 20, hasHeadings: true)
        #expect(
            table.text(in: frame) == """
                Id  Title     Place
                ab  会議会…   Office
                cd  Lunch     Café
                """)
    }

    @Test func `With colours, headings are bold, ids are faint and troubles are red`() {
        var table = Table(["Id", "What"], troubles: ["off"])
        table.add("ab", "off")
        table.add("c", "office")
        let frame = TableFrame(columns: 40, hasHeadings: true, paint: Paint(isOn: true))
        let plain = "\u{1B}[0m"
        #expect(
            table.text(in: frame)
                == [
                    "\u{1B}[1mId  What\(plain)", "\u{1B}[2mab\(plain)  \u{1B}[31moff\(plain)",
                    "\u{1B}[2mc\(plain)   office",
                ].joined(separator: "\n"))
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

    @Test func `A column that a table can do without is left out where there is no room`() {
        var table = Table(
            ["Key", "Due", "To", "By", "Reason"], uncut: [0, 1], expendable: [4, 3])
        table.add("abcdefgh", "Mon 30 Nov 2026, 18:06", "Anna Virtanen", "mail", "a long reason")
        table.add("ijklmnop", "Mon 30 Nov 2026, 18:07", "Ben", "mail")
        func lines(_ columns: Int) -> [String] {
            table.text(in: TableFrame(columns: columns, hasHeadings: true))
                .split(separator: "\n").map(String.init)
        }
        #expect(lines(80)[1].hasSuffix("  Anna Virtanen  mail  a long reason"))
        #expect(lines(50)[0] == "Key       Due                     To          By")
        #expect(lines(50)[1] == "abcdefgh  Mon 30 Nov 2026, 18:06  Anna Virt…  mail")
        #expect(lines(45)[1] == "abcdefgh  Mon 30 Nov 2026, 18:06  Anna Virta…")
        #expect(lines(45)[2] == "ijklmnop  Mon 30 Nov 2026, 18:07  Ben")
    }
}
