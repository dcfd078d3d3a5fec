import TestKit
import Testing

@testable import Wording

/// Custom templates of the pages for people who sign in.
@Suite(.timeLimit(.minutes(1))) struct SiteTemplatesTests {
    private static let letters = String(repeating: "a", count: 1000)

    /// Built-in templates of one page with one part, beside which custom ones may lie.
    private static func templates(in folder: String) throws -> SiteTemplates {
        let shipped = folder + "/shipped"
        try Files.write("{{title}}: {{> part}}", to: shipped + "/web/page.mustache")
        try Files.write(letters, to: shipped + "/web/part.mustache")
        for ending in ["phrases", "refusals"] {
            try Files.write("", to: shipped + "/web/de.\(ending)")
        }
        return try SiteTemplates(
            shipped: shipped, own: folder + "/own", pages: ["page": TemplateNames(["title"])])
    }

    private static func page(_ templates: SiteTemplates, in language: Language) -> String {
        templates.page("page", ["title": "Tea"], in: language)
    }

    @Test func `A custom template replaces the built-in one`() async throws {
        try await withTemporaryFolder { folder in
            try Files.write("{{title}}!", to: folder + "/own/web/page.mustache")
            let templates = try Self.templates(in: folder)
            #expect(templates.faults == [])
            #expect(Self.page(templates, in: .english) == "Tea!")
        }
    }

    @Test(arguments: [("part", 5), ("page", 10_000)])
    func `A custom template that is too large with its parts is ignored and reported`(
        _ name: String, _ count: Int
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/own/web/\(name).mustache"
            try Files.write(String(repeating: "{{> part}}", count: count), to: file)
            let templates = try Self.templates(in: folder)
            #expect(templates.faults.map(\.file) == [file])
            let reason = templates.faults.first?.reason ?? ""
            #expect(reason.contains("page") && reason.contains("larger than 4 MiB"), "\(reason)")
            for language in Language.allCases {
                #expect(Self.page(templates, in: language) == "Tea: \(Self.letters)")
            }
        }
    }
}
