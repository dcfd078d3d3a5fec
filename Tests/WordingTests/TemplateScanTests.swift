import Testing

@testable import Wording

@Suite struct TemplateScanTests {
    /// A template, the line of what is wrong with it, and a word of why.
    @Test(arguments: [
        ("Hi {{title\n\nbody\n", 1, "not closed"),
        ("Hi\n{{title\n}}\n", 2, "not closed"),
        ("a\nb\n{{#note}}\nc\nd\n", 3, "{{#note}} is open to the end"),
        ("{{#note}}\n{{^title}}\n{{/note}}\n", 3, "open since line 2"),
        ("a\n{{/note}}", 2, "closes nothing"), ("{{.}}", 1, "no word {{.}}"),
        ("{{}}", 1, "no word {{}}"), ("{{note.text}}", 1, "no word {{note.text}}"),
        ("x\n{{> nopart}}", 2, "Parts are: {{> facts}}"),
        ("{{& nothing}}", 1, "no word {{nothing}}"), ("{{=<% %>=}}", 1, "delimiters"),
        ("{{{title}}", 1, "not closed"), ("{{! a\n comment }}\n{{x}}", 3, "no word {{x}}"),
    ])
    func `What is wrong is named where it stands`(_ text: String, _ line: Int, _ why: String) {
        let fault = TemplateScan.fault(
            in: text, words: ["title", "note"], partials: ["facts"])
        #expect(fault?.line == line)
        #expect(fault?.reason.contains(why) == true, "\(fault?.reason ?? "")")
    }

    @Test(arguments: [
        "", "{{title}}", "{{{ title }}}", "{{#note}}{{^title}}x{{/title}}{{/note}}",
        "{{> facts}}", "{{! a } comment }}", "{{uppercased(title)}}", "}} {",
    ])
    func `What is right is let through`(_ text: String) {
        #expect(
            TemplateScan.fault(in: text, words: ["title", "note"], partials: ["facts"]) == nil)
    }
}
