import Interchange
import Testing

/// Texts with patterns for other languages.
@Suite struct RemarkTextTests {
    @Test func `A text keeps its values apart from its pattern`() {
        let (name, count) = ("100 % \"Anna\"", 3)
        let text: RemarkText = "\(name) has \(count) lines"
        #expect(text.description == "100 % \"Anna\" has 3 lines")
        #expect(text.pattern == "%1% has %2% lines" && text.values == [name, "3"])
        #expect("\(text)!" == "100 % \"Anna\" has 3 lines!")
    }

    @Test func `A text made of others numbers all values in their order`() {
        let word = "x"
        let names: [RemarkText] = ["\("Anna")", "\("Ben")", "others"]
        let text: RemarkText =
            "in line \(7): " + "\(names.joined(by: " or ")) and \(RemarkText(word))"
        #expect(text.pattern == "in line %1%: %2% or %3% or others and %4%")
        #expect(text.values == ["7", "Anna", "Ben", "x"])
        #expect(text == RemarkText("in line 7: Anna or Ben or others and x"))
    }
}
