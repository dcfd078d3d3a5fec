import Mustache
import Testing

@testable import Wording

@Suite struct TemplateSetTests {
    private static let templates = [
        "{{title}}|{{{title}}}|{{ missing }}",
        "{{#title}}[{{title}}{{note}}]{{/title}}{{^title}}none{{/title}}",
        "{{#yes}}yes{{title}}{{/yes}}{{^no}}no{{/no}}{{#none}}x{{/none}}{{^none}}none{{/none}}",
        "{{! said to nobody }}{{> part}}{{title}}\n{{> part}}\n",
        "{{#changes}}{{what}}:{{old}}{{title}};{{/changes}}{{^changes}}same{{/changes}}",
        "{{uppercased(title)}} {{#title}}{{.}}{{/title}}",
        "a\n  {{> part}}\nb",
        "{{=<% %>=}}<% title %>{{title}}",
        "no variable at all",
    ]

    private static var words: [[String: Any]] {
        let texts = ["", "Tea", "{{title}}", "two\nlines\n", "\u{301}x\0y", "<&>\"'"]
        return texts.flatMap { text -> [[String: Any]] in
            [
                ["title": text, "yes": true, "no": false, "none": [[String: String]]()],
                ["title": "x", "note": text, "yes": false, "no": true],
                ["changes": [["what": text, "old": "A"], ["what": "b"]], "title": text],
                [:],
            ]
        }
    }

    /// The output by outline is identical to the output of the Mustache library.
    @Test(arguments: templates)
    func `An outline gives the same output as its template`(_ text: String) throws {
        let texts = ["t": text, "part": "({{title}}\n{{note}})\n"]
        let set = TemplateSet(try texts.mapValues(Template.init))
        let library = MustacheLibrary(
            templates: try texts.mapValues {
                try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + $0)
            })
        for _ in 0..<2 {
            for words in Self.words {
                #expect(set.filled("t", words) == library.render(words, withTemplate: "t"))
            }
        }
        #expect(set.filled("another", [:]) == nil)
    }

    /// Templates, each with true if it can have outlines.
    @Test(arguments: [
        ("{{title}} {{{title}}} {{#a}}{{^b}}{{/b}}{{/a}}{{> part}}{{! words }}", true),
        ("{{uppercased(title)}}", false), ("{{#title}}{{.}}{{/title}}", false),
        (" {{> part}}", false), ("a\n\t{{>part}}", false), ("{{=<% %>=}}<%title%>", false),
        ("a\0b", false), ("{{$block}}x{{/block}}", false), ("{{title}} {{ a.b }}", false),
    ])
    func `Only a template that inserts values unchanged has an outline`(
        _ text: String, _ isPlain: Bool
    ) throws {
        #expect(try Template(text).isPlain == isPlain)
    }

    @Test func `More shapes than the cache holds are rendered correctly`() throws {
        let set = TemplateSet(["t": try Template("{{a0}}{{a7}}|{{#a299}}last{{/a299}}")])
        for number in 0..<300 {
            let expected = number == 299 ? "|last" : number == 0 || number == 7 ? "x|" : "|"
            #expect(set.filled("t", ["a\(number)": "x"]) == expected)
        }
    }
}
