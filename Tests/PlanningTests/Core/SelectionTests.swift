import Foundation
import Planning
import Settings
import TestKit
import Testing

@Suite struct SelectionTests {
    private static let cards = ["Anna Aalto", "Ben Berg", "Zoë"].map { name in
        """
        BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\n\
        \(name == "Zoë" ? "" : "EMAIL:\(name.prefix(3))@example.org\r\n")END:VCARD\r\n
        """
    }.joined()

    @Test(arguments: [
        ("@", ["Anna Aalto", "Ben Berg"]), ("ANN@", ["Anna Aalto"]), ("zoe", ["Zoë"]),
        ("ben", ["Ben Berg"]), ("---", []),
    ])
    func `An import selects the cards that contain a text, even one of symbols only`(
        _ text: String, _ expected: [String]
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let file = world.home.path + "/people.vcf"
            try Self.cards.write(toFile: file, atomically: true, encoding: .utf8)
            var selection = ImportSelection()
            selection.texts = [text]
            let report = try await planner.importPeople([file], selection: selection)
            #expect(report.imported == expected.count)
            #expect(try await planner.people().map(\.name).sorted() == expected)
        }
    }
}
