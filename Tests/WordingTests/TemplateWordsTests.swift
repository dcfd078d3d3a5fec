import Mustache
import Testing

@testable import Wording

@Suite struct TemplateWordsTests {
    private static var words: [String: Any] {
        [
            "title": "Tea & cake", "empty": "", "no": false, "yes": true,
            "none": [[String: String]](),
            "changes": [["what": "Title", "old": "A", "new": "B"], ["what": "Where"]],
            "people": [["name": "Anna", "likes": [["what": "tea"], ["what": "cake"]]]]
                as [[String: Any]],
        ]
    }

    /// A template and its output, which is the same as with a dictionary.
    @Test(arguments: [
        ("{{title}}|{{{title}}}|{{missing}}", "Tea & cake|Tea & cake|"),
        (
            "{{#title}}[{{title}} {{.}}]{{/title}}{{^title}}none{{/title}}",
            "[Tea & cake Tea & cake]"
        ),
        ("{{#empty}}there{{/empty}}{{^empty}}none{{/empty}}", "there"),
        ("{{#no}}x{{/no}}{{^no}}no{{/no}}{{#yes}}yes{{title}}{{/yes}}", "noyesTea & cake"),
        ("{{#none}}x{{/none}}{{^none}}none{{/none}}{{^missing}}-{{/missing}}", "none-"),
        (
            "{{#changes}}{{what}}:{{old}}{{title}};{{/changes}}",
            "Title:ATea & cake;Where:Tea & cake;"
        ),
        (
            "{{#people}}{{name}}{{#likes}} {{what}} of {{name}}{{/likes}}{{/people}}",
            "Anna tea of Anna cake of Anna"
        ),
        ("{{uppercased(title)}}|{{#empty(empty)}}empty{{/empty(empty)}}", "TEA & CAKE|empty"),
    ])
    func `Variables are found as in a dictionary`(_ template: String, _ expected: String) throws {
        let text = "{{% CONTENT_TYPE:TEXT}}" + template
        let library = MustacheLibrary(templates: ["t": try MustacheTemplate(string: text)])
        #expect(library.filled("t", Self.words) == expected)
        #expect(library.render(Self.words, withTemplate: "t") == expected)
    }
}
