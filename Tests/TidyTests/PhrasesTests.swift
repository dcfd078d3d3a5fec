import Foundation
import Testing

/// The phrases of the pages and their translations.
struct PhrasesTests {
    /// The phrases that the pages' code says: the first texts in calls of `words(…)`, and in
    /// calls of `self(…)` in extensions of `PageWords`.
    static func phrases(in text: String) -> Set<String> {
        let text = text.replacing(#/"\s*\n\s*\+ "/#, with: "")
        let call =
            #/\b(?:words|self)\(\s*(?:[\w.$ -]+,\s*)?"(?<one>[^"\\]*)"(?:,\s*"(?<many>[^"\\]*)")?/#
        return Set(
            text.matches(of: call).flatMap { match in
                [match.one, match.many ?? ""].map(String.init)
            }.filter { !$0.isEmpty })
    }

    private static func translated() throws -> [String: String] {
        let text = try #require(Repository.text(of: "templates/web/de.phrases"))
        let pairs = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: " = ", maxSplits: 1).map(String.init)
        }
        #expect(pairs.allSatisfy { $0.count == 2 })
        return Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in
            Issue.record("translated twice: \(first)")
            return first
        }
    }

    @Test func `Every phrase of the pages has a German translation`() throws {
        let known = try Self.translated()
        let files = Repository.files(under: "Sources/Web")
        let used = files.reduce(into: Set<String>()) { used, path in
            used.formUnion(Self.phrases(in: Repository.text(of: path) ?? ""))
        }
        #expect(used.count > 100)
        #expect(used.filter { known[$0] == nil }.sorted() == [])
    }

    @Test func `Every translated refusal has a code that the docs list, once, in order`() throws {
        let text = try #require(Repository.text(of: "templates/web/de.refusals"))
        let docs = try #require(Repository.text(of: "docs/codes.md"))
        let codes = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            String(line.prefix { $0 != " " })
        }
        #expect(codes.count > 100)
        #expect(codes.filter { !docs.contains("| `\($0)` |") } == [])
        #expect(codes == Array(Set(codes)).sorted())
    }

    @Test func `A translation has the same variables as its phrase`() throws {
        let variables = #/%\w+%/#
        for (phrase, translation) in try Self.translated() {
            let wanted = Set(phrase.matches(of: variables).map { String($0.output) })
            let found = Set(translation.matches(of: variables).map { String($0.output) })
            #expect(found == wanted, "\(phrase)")
        }
    }

    @Test func `Phrases are found in calls of all forms`() {
        let text = """
            words("One") + words(count, "1 two", "%n% twos") + self("Three", ["n": "x"])
            words(
                "A long one "
                    + "in two lines", values) + other("Four")
            """
        #expect(
            Self.phrases(in: text) == [
                "One", "1 two", "%n% twos", "Three", "A long one in two lines",
            ])
    }
}
