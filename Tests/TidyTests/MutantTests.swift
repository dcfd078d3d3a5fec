import Foundation
import Testing

/// The list of mutants against the sources that they change.
struct MutantTests {
    private static let countMin = 60

    private struct Mutant {
        let name: String
        let file: String
        let old: String
        let new: String
    }

    /// The mutants of a list: blocks of lines such as `name: text`, with empty lines between them.
    private static func mutants(in list: String) -> [Mutant] {
        let lines = list.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.filter { !$0.hasPrefix("#") }.split(whereSeparator: \.isEmpty).map { block in
            func value(_ key: String) -> String {
                let line = block.first { $0.hasPrefix("\(key):") } ?? ""
                return String(line.dropFirst("\(key): ".count))
            }
            return Mutant(
                name: value("name"), file: value("file"), old: value("old"), new: value("new"))
        }
    }

    @Test func `Each mutant changes a text that occurs once in its file`() throws {
        let list = try #require(Repository.text(of: "Tests/Mutants/mutants.txt"))
        let mutants = Self.mutants(in: list)
        #expect(mutants.count >= Self.countMin)
        #expect(Set(mutants.map(\.name)).count == mutants.count)
        for mutant in mutants {
            let text = Repository.text(of: mutant.file) ?? ""
            let count = text.components(separatedBy: mutant.old).count - 1
            #expect(count == 1, "\(mutant.name): its old text occurs \(count) times")
            #expect(mutant.new != mutant.old, "\(mutant.name)")
        }
    }
}
