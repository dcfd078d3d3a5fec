import Testing

@testable import Wording

@Suite struct TemplateSetTests {
    private static let values: TemplateValues = [
        "title": "Tea & <cake>", "empty": "", "no": false, "yes": true, "none": .list([]),
        "html": .html("<b>&amp;</b>"),
        "changes": .list([["what": "Title", "old": "A"], ["what": "Where"]]),
        "people": .list([
            ["name": "Anna", "likes": .list([["what": "tea"], ["what": "cake"]])]
        ]),
    ]

    private static func set(
        _ texts: [String: String], html isHTML: Bool = false,
        translate: @escaping @Sendable (String) -> String? = { $0 }
    ) throws -> TemplateSet {
        var sample = values
        sample["missing"] = "x"
        let vocabulary = Template.Vocabulary(
            names: TemplateNames(of: sample), parts: texts.keys.sorted(), translate: translate)
        return TemplateSet(try texts.mapValues { try Template($0, vocabulary) }, html: isHTML)
    }

    @Test(arguments: [
        ("{{title}}|{{{title}}}|{{ missing }}", "Tea & <cake>|Tea & <cake>|"),
        ("{{#title}}[{{title}}]{{/title}}{{^title}}none{{/title}}", "[Tea & <cake>]"),
        ("{{#empty}}there{{/empty}}{{^empty}}none{{/empty}}", "there"),
        ("{{#no}}x{{/no}}{{^no}}no{{/no}}{{#yes}}yes{{title}}{{/yes}}", "noyesTea & <cake>"),
        ("{{#none}}x{{/none}}{{^none}}none{{/none}}{{^missing}}-{{/missing}}", "none-"),
        (
            "{{#changes}}{{what}}:{{old}}{{title}};{{/changes}}{{^changes}}same{{/changes}}",
            "Title:ATea & <cake>;Where:Tea & <cake>;"
        ),
        (
            "{{#people}}{{name}}{{#likes}} {{what}} of {{name}}{{/likes}}{{/people}}",
            "Anna tea of Anna cake of Anna"
        ),
        ("a{{! said to nobody\n at all }}b{{yes}}{{none}}", "ab"),
        ("no tag at all", "no tag at all"),
    ])
    func `Variables and sections show their values`(_ text: String, _ expected: String) throws {
        #expect(try Self.set(["t": text]).filled("t", Self.values) == expected)
    }

    /// As the specification of Mustache says of standalone tags.
    @Test(arguments: [
        ("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"), ("  {{#yes}}\nb\n\t{{/yes}}", "b\n"),
        ("a {{#yes}}\nb\n{{/yes}} c", "a \nb\n c"), ("{{! x }}\r\nb", "b"),
        ("a\n  {{> part}}\nb", "a\n  (one\n  two)\nb"), ("a {{> part}}\nb", "a (one\ntwo)\n\nb"),
        ("{{title}}\n\n{{^yes}}\n{{/yes}}\nx", "Tea & <cake>\n\nx"),
        ("{{#changes}}\n{{what}}\n{{/changes}}\n", "Title\nWhere\n"),
    ])
    func `A line with one tag that is not a variable leaves no line`(
        _ text: String, _ expected: String
    ) throws {
        let set = try Self.set(["t": text, "part": "(one\ntwo)\n"])
        #expect(set.filled("t", Self.values) == expected)
    }

    @Test func `Text is escaped in HTML by scalar, and HTML is inserted unchanged`() throws {
        let text = "<i a=\"{{title}}\">{{{title}}}{{html}}{{_Fish & %title%}}"
        let set = try Self.set(["t": text], html: true)
        #expect(
            set.filled("t", Self.values)
                == "<i a=\"Tea &amp; &lt;cake&gt;\">Tea & <cake><b>&amp;</b>Fish &amp; "
                + "Tea &amp; &lt;cake&gt;")
        #expect(
            set.filled("t", ["title": "\"\u{301}onclick='x"])?
                .hasPrefix("<i a=\"&quot;\u{301}onclick=&#39;x\">") == true)
    }

    @Test func `A phrase is translated when the template is read`() throws {
        let german = ["Tea with %title%": "Mit %title% Tee"]
        let set = try Self.set(["t": "{{_ Tea with %title% }}!"]) { german[$0] }
        #expect(set.filled("t", ["title": "Anna"]) == "Mit Anna Tee!")
        #expect(throws: Template.Fault.self) {
            try Self.set(["t": "a\n{{_Coffee}}"]) { german[$0] }
        }
    }

    @Test func `Parts that contain each other end`() throws {
        let set = try Self.set(["t": "a{{> u}}", "u": "b{{> t}}"])
        #expect(set.filled("t", [:])?.hasPrefix("abab") == true)
        #expect(set.filled("another", [:]) == nil)
        #expect(set.tooLarge == [])
    }

    @Test(.timeLimit(.minutes(1)))
    func `A template that is too large with its parts is empty, and others are kept`() throws {
        let letters = String(repeating: "a", count: 1000)
        func repeated(_ tag: String, _ count: Int) -> String {
            String(repeating: tag, count: count)
        }
        let set = try Self.set([
            "growing": "b" + repeated("{{> growing}}", 5), "around": "c{{> growing}}",
            "letters": letters, "long": repeated("{{> letters}}", 10_000),
            "nested": "{{#yes}}" + repeated("{{> letters}}", 10_000) + "{{/yes}}",
            "short": repeated("{{> letters}}", 100),
        ])
        #expect(set.tooLarge == ["growing", "around", "long", "nested"])
        for name in set.tooLarge { #expect((set.filled(name, Self.values) ?? "").isEmpty) }
        #expect(set.filled("short", Self.values) == repeated(letters, 100))
    }

    @Test(arguments: [
        ("a\n\n{{#title}}b", 3, "{{#title}} is never closed."),
        ("{{#title}}\na{{/no}}\n", 2, "{{/no}} stands in place of {{/title}}"),
        ("a{{/no}}", 1, "{{/no}} closes nothing"), ("a\n{{title\n", 2, "a tag is not closed."),
        ("{{{title}}", 1, "a tag is not closed."), ("\n{{= x =}}", 2, "the tag that changes"),
        ("{{% OWN }}", 1, "a tag that begins with %"), ("{{$a}}", 1, "a tag that begins with $"),
        ("{{titel}}", 1, "there is no variable {{titel}}. Available: "),
        ("{{what}}", 1, "there is no variable {{what}}."),
        ("{{#changes}}\n{{name}}{{/changes}}", 2, "there is no variable {{name}}."),
        ("{{> facts}}", 1, "there is no part {{> facts}}. Available: {{> t}}."),
        ("{{! a\nb }}\n{{no way}}", 3, "there is no variable {{no way}}."),
        (
            "a\n" + String(repeating: "{{#title}}", count: 51), 2,
            "sections are nested more than 50 levels deep."
        ), ("{{_ a %title }}", 1, "a variable in a phrase is written as %name%."),
    ])
    func `An error in a template is found with its line`(
        _ text: String, _ line: Int, _ reason: String
    ) throws {
        let fault = #expect(throws: Template.Fault.self) { try Self.set(["t": text]) }
        #expect(fault?.line == line)
        #expect(fault?.reason.hasPrefix(reason) == true, "\(fault?.reason ?? "")")
    }
}
