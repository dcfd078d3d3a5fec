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

    /// The phrases of remarks that the pages say: the texts in `Phrase(…)`, or both of a choice.
    /// Phrases that are put together from parts are left out.
    static func remarks(in text: String) -> Set<String> {
        let text = text.replacing(#/"\s*\n\s*\+ "/#, with: "")
        let call =
            #/
            \bPhrase\((?:[^"\[()]*\?)?\s*"(?<one>(?:[^"\\]|\\")*)"
            (?:\s*:\s*"(?<other>(?:[^"\\]|\\")*)")?
            /#
        return Set(
            text.matches(of: call).flatMap { match in
                [match.one, match.other ?? ""].map { String($0).replacing("\\\"", with: "\"") }
            }.filter { !$0.isEmpty })
    }

    /// The phrases about people who are busy, which are put together from parts.
    private static var conflicts: [String] {
        ["You are busy", "You may be busy", "%name% is busy", "%name% may be busy"]
            .flatMap { whoIs in
                [
                    "\(whoIs) %period%.", "\(whoIs) %period% on %date%.",
                    "\(whoIs) %period%, during the meeting on %date%.",
                    "\(whoIs) on all of the next %n% dates: %dates%.",
                    "\(whoIs) on %m% of the next %n% dates: %dates%.",
                ]
            }
    }

    /// The texts about parts of a file, with `%1%`, `%2%` and so on in place of the values: whole
    /// literals in reasons and warnings, and in functions that return one. Shorter texts are kinds.
    static func texts(in text: String) -> Set<String> {
        let text = text.replacing(#/\/\/\/.*/#, with: "").replacing(#/"\s*\n\s*\+ "/#, with: "")
        let literal =
            #/
            (?:(?:warn|skip)\(\s*line:\s[\w.]+,|remark\(|reason:|RemarkText\s*=|return|[?:])\s*
            "(?<text>(?:[^"\\\n]|\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\.)*)"
            /#
        let value = #/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/#
        let found = text.matches(of: literal).map { match in
            var place = 0
            return String(match.text).replacing(
                value,
                with: { _ -> String in
                    place += 1
                    return "%\(place)%"
                }
            ).replacing("\\\"", with: "\"")
        }
        return Set(
            found.filter { text in
                text.count >= 15 && text.contains(" ")
                    && (text.first?.isLowercase == true || text.first?.isNumber == true
                        || text.hasPrefix("%1%") || text.hasPrefix("END:"))
            })
    }

    /// The texts about cards and circles that are put together from parts.
    private static var composed: [String] {
        ["name", "note", "birthday", "time zone", "language"].map {
            "the \($0) of %1% was changed here and in the file: the version here was kept"
        }
            + ["%3%", "%3% or %4%", "%3% or %4% or %5%", "%3% or %4% or %5% or others"].map {
                "From now on, \"%1%\" means this circle. %2% means \($0)."
            } + ["\"%1%\" is now the name of a circle and of a person. Write %2% or %3%."]
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

    @Test func `Every remark about a meeting has a German translation`() throws {
        let known = try Self.translated()
        let files = ["Sources/Planning", "Sources/Calendars"].flatMap(Repository.files)
        let used = files.reduce(into: Set(Self.conflicts)) { used, path in
            used.formUnion(Self.remarks(in: Repository.text(of: path) ?? ""))
        }
        #expect(used.count > Self.conflicts.count + 20)
        #expect(used.filter { known[$0] == nil }.sorted() == [])
    }

    @Test func `Every remark on an address book has a German translation`() throws {
        let known = try Self.translated()
        let files = ["Sources/Interchange/Contacts", "Sources/Planning/AddressBooks"].flatMap(
            Repository.files)
        let used = files.reduce(into: Set(Self.composed)) { used, path in
            used.formUnion(Self.texts(in: Repository.text(of: path) ?? ""))
        }.filter { text in
            // Kinds of data have phrases of their own, and the names of fields are in `composed`.
            !["the property ", "the column ", "the %1% of "].contains(where: text.hasPrefix)
        }
        #expect(used.count > 65)
        #expect(used.filter { known[$0] == nil }.sorted() == [])
    }

    @Test func `Texts about parts of a file are found in calls of all forms`() {
        let text = #"""
            /// reason: "a text in a comment"
            remarks.skip(line: row.line, "the row has \(count(of: "x")) fields, and "
                + "no more") + read.remark("\(name) has no \"\(words(of: (a, b)))\"")
            let fault: RemarkText = isOne
                ? "1 person of \(name) is left" : "\(count) people are left"
            """#
        #expect(
            Self.texts(in: text) == [
                "the row has %1% fields, and no more", "%1% has no \"%2%\"",
                "1 person of %1% is left", "%1% people are left",
            ])
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

    @Test func `Phrases of remarks are found in calls of all forms`() {
        let text = """
            Remark(Phrase("One")) + Phrase(
                count == 1
                    ? "It is \\"%title%\\"."
                    : "A long one "
                        + "in two lines", [:]) + Phrase("\\(whoIs) busy.")
            """
        #expect(
            Self.remarks(in: text) == ["One", "It is \"%title%\".", "A long one in two lines"])
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
