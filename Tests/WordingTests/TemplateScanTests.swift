import Testing

@testable import Wording

@Suite struct TemplateScanTests {
    /// A template, the line of its error, and a part of the reason.
    @Test(arguments: [
        ("Hi {{title\n\nbody\n", 1, "not closed"),
        ("Hi\n{{title\n}}\n", 2, "not closed"),
        ("a\nb\n{{#note}}\nc\nd\n", 3, "{{#note}} is never closed"),
        ("{{#note}}\n{{^title}}\n{{/note}}\n", 3, "begins in line 2"),
        ("a\n{{/note}}", 2, "closes nothing"), ("{{.}}", 1, "no variable {{.}}"),
        ("{{}}", 1, "no variable {{}}"), ("{{note.text}}", 1, "no variable {{note.text}}"),
        ("x\n{{> nopart}}", 2, "Available: {{> facts}}"),
        ("{{& nothing}}", 1, "no variable {{nothing}}"), ("{{=<% %>=}}", 1, "delimiters"),
        ("{{{title}}", 1, "not closed"), ("{{! a\n comment }}\n{{x}}", 3, "no variable {{x}}"),
    ])
    func `An error in a template is reported with its line`(
        _ text: String, _ line: Int, _ why: String
    ) {
        let fault = TemplateScan.fault(
            in: text, words: ["title", "note"], partials: ["facts"])
        #expect(fault?.line == line)
        #expect(fault?.reason.contains(why) == true, "\(fault?.reason ?? "")")
    }

    @Test(arguments: [
        "", "{{title}}", "{{{ title }}}", "{{#note}}{{^title}}x{{/title}}{{/note}}",
        "{{> facts}}", "{{! a } comment }}", "{{uppercased(title)}}", "}} {",
    ])
    func `A correct template has no error`(_ text: String) {
        #expect(
            TemplateScan.fault(in: text, words: ["title", "note"], partials: ["facts"]) == nil)
    }
}
