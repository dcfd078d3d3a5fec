import Foundation
import Testing

/// The documents against the sources: what they list is there, and what is there is listed.
struct DocsTests {
    private static let sources = Repository.sources.flatMap(\.lines)

    /// The first capture of a pattern in each place where it matches.
    private static func captures(_ pattern: String, in lines: [String]) -> Set<String> {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        return Set(
            lines.flatMap { line in
                expression.matches(in: line, range: NSRange(line.startIndex..., in: line))
                    .compactMap { Range($0.range(at: 1), in: line).map { String(line[$0]) } }
            })
    }

    private static func lines(of path: String) throws -> [String] {
        try #require(Repository.text(of: path), "\(path)").components(separatedBy: "\n")
    }

    @Test func `Every refusal code is documented`() throws {
        let used = Self.captures("code: \"([a-z]+(?:_[a-z]+)*)\"", in: Self.sources)
        let listed = Self.captures("^\\| `([a-z_]+)` \\|", in: try Self.lines(of: "docs/codes.md"))
        #expect(used.count > 100)
        #expect(used.subtracting(listed).sorted() == [])
    }

    @Test(arguments: [("refused", 1), ("invalid", 2), ("unreachable", 3), ("bug", 70)])
    func `Every refusal has its documented exit status`(category: String, status: Int) throws {
        let used = Self.captures("\\.\(category), code: \"([a-z_]+)\"", in: Self.sources)
        let listed = Self.captures(
            "^\\| `([a-z_]+)` \\| (?:\\d+, )*\(status)\\b", in: try Self.lines(of: "docs/codes.md"))
        #expect(!used.isEmpty)
        #expect(used.subtracting(listed).sorted() == [])
    }

    @Test func `Every documented code is in the sources`() throws {
        let listed = Self.captures("^\\| `([a-z_]+)` \\|", in: try Self.lines(of: "docs/codes.md"))
        let words = Self.captures("\"([a-z_]+)", in: Self.sources)
            .union(Self.captures("case ([a-z]+)\\b", in: Self.sources))
        let composed = ["bad_", "long_", "empty_"]
        let missing = listed.filter { code in
            !words.contains(code) && !composed.contains(where: code.hasPrefix)
        }
        #expect(missing.sorted() == [])
    }

    @Test func `Every metric is documented, and every documented metric exists`() throws {
        let used = Self.captures("\"((?:letsmeet|process)_[a-z_]+)\"", in: Self.sources)
        let guide = try Self.lines(of: "docs/operating.md")
        let listed = Self.captures("`((?:letsmeet|process)_[a-z_]+)", in: guide)
        #expect(used.count > 10)
        #expect(used.symmetricDifference(listed).sorted() == [])
    }

    @Test func `Every link in a document leads to a file`() throws {
        let documents = Repository.files.filter { $0.hasSuffix(".md") }
        #expect(documents.contains("docs/adr/0001-the-plan-is-one-pure-function.md"))
        for document in documents {
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            let links = Self.captures("\\]\\(([^)#:]+)[)#]", in: try Self.lines(of: document))
            for link in links {
                let path = Repository.root.appending(path: folder).appending(path: link)
                #expect(
                    FileManager.default.fileExists(atPath: path.standardized.path),
                    "\(document): \(link)")
            }
        }
    }

    @Test func `Every document is in the index`() throws {
        let index = try Self.lines(of: "docs/README.md").joined(separator: "\n")
        let documents = Repository.files.filter {
            $0.hasPrefix("docs/") && $0.hasSuffix(".md") && $0 != "docs/README.md"
        }
        for document in documents {
            #expect(index.contains("(\(document.dropFirst("docs/".count)))"), "\(document)")
        }
    }
}
