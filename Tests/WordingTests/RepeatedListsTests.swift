import TestKit
import Testing
import Timekeeping

@testable import Wording

/// Custom templates whose lists stand inside lists, so that their results grow with a power of the
/// number of elements.
@Suite(.timeLimit(.minutes(1))) struct RepeatedListsTests {
    private static func nested(_ list: String, _ depth: Int, around text: String) -> String {
        String(repeating: "{{#\(list)}}", count: depth) + text
            + String(repeating: "{{/\(list)}}", count: depth)
    }

    private static func set(_ text: String, elements: Int) throws -> (TemplateSet, TemplateValues) {
        let values: TemplateValues = [
            "people": .list((0..<elements).map { ["name": "Person \($0)"] })
        ]
        let vocabulary = Template.Vocabulary(names: TemplateNames(of: values))
        return (TemplateSet(["t": try Template(text, vocabulary)]), values)
    }

    @Test(arguments: [(1, true), (2, true), (3, false), (50, false)])
    func `A result of too many parts is not rendered`(_ depth: Int, _ isRendered: Bool) throws {
        for text in ["{{name}}", ""] {
            let (set, values) = try Self.set(
                Self.nested("people", depth, around: text), elements: 300)
            #expect((set.filled("t", values, within: .custom) != nil) == isRendered)
        }
    }

    @Test func `A result that is too long is not rendered`() throws {
        let (set, values) = try Self.set(
            "{{#people}}" + String(repeating: "a", count: 1 << 20) + "{{/people}}", elements: 17)
        #expect(set.filled("t", values, within: .custom) == nil)
        #expect(set.filled("t", values)?.utf8.count == 17 << 20)
    }

    @Test
    func `Built-in templates are rendered in place of custom ones whose results are too large`()
        throws
    {
        let (set, values) = try Self.set(Self.nested("people", 50, around: "x"), elements: 1)
        #expect(set.filled("t", values) == "x")
        let vocabulary = Template.Vocabulary(names: TemplateNames(of: values))
        let own = ["t": try Template(Self.nested("people", 4, around: "x"), vocabulary)]
        let builtIn = ["t": try Template("{{#people}}{{name}};{{/people}}", vocabulary)]
        let templates = FallbackTemplates(own, builtIn: builtIn)
        #expect(templates.filled("t", values) == "x")
        let many: TemplateValues = ["people": .list((0..<100).map { ["name": "\($0)"] })]
        #expect(templates.filled("t", many)?.hasPrefix("0;1;2;") == true)
    }

    @Test(arguments: ["text/change", "html/change", "chat/change", "de/text/change"])
    func `A notification with lists inside lists is ignored and reported`(
        _ name: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = "\(folder)/\(name).mustache"
            let text = Self.nested("changes", 4, around: "{{what}}")
            try Files.write("{{title}}\n{{title}} {{message}}\n\(text)\n", to: file)
            let library = try TemplateLibrary(
                shipped: Checkout.root + "/templates", own: folder, zones: ZoneDirectory())
            #expect(library.faults.map(\.file) == [file])
            let reason = library.faults.first?.reason ?? ""
            #expect(reason.hasPrefix("it repeats lists inside lists too often"), "\(reason)")
        }
    }

    @Test func `A guest page with lists inside lists is ignored and reported`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/page/shared.mustache"
            let text = Self.nested("dates", 4, around: "x")
            try Files.write("<a href='{{token}}/meeting.ics'>\(text)</a>", to: file)
            let pages = try GuestPages(shipped: Checkout.root + "/templates", own: folder)
            #expect(pages.faults.map(\.file) == [file])
        }
    }

    @Test func `A page with a list inside the same list is ignored and reported`() async throws {
        try await withTemporaryFolder { folder in
            let shipped = folder + "/shipped"
            try Files.write("{{title}}", to: shipped + "/web/page.mustache")
            for ending in ["phrases", "refusals"] {
                try Files.write("", to: shipped + "/web/de.\(ending)")
            }
            let file = folder + "/own/web/page.mustache"
            let inner = "{{#title}}{{#days}}{{day}}{{/days}}{{/title}}"
            try Files.write("{{#days}}\(inner){{/days}}", to: file)
            let names = TemplateNames(["title"], lists: ["days": ["day"]])
            let templates = try SiteTemplates(
                shipped: shipped, own: folder + "/own", pages: ["page": names])
            #expect(templates.faults.map(\.file) == [file])
            let reason = templates.faults.first?.reason ?? ""
            #expect(reason.contains("{{#days}} stands inside {{#days}}"), "\(reason)")
            #expect(templates.page("page", ["title": "Tea"], in: .english) == "Tea")
        }
    }
}
