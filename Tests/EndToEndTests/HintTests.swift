import Foundation
import TestKit
import Testing

/// Who calls something by another name reads what it is called.
@Suite(.timeLimit(.minutes(5))) struct HintTests {
    @Test(arguments: [
        ("cancel", "letsmeet meeting cancel"), ("list", "letsmeet meeting list"),
        ("contacts", "letsmeet people list"), ("send", "letsmeetd once"),
        ("meeting delete", "letsmeet meeting cancel"), ("invite anna", "letsmeet meeting invite"),
        ("import x.vcf", "letsmeet people import, letsmeet place import, letsmeet calendar import"),
    ])
    func `A command of another name is answered with the near one`(
        _ line: String, _ near: String
    ) async throws {
        let called = try await Program("letsmeet", home: "/none")
            .run(line.split(separator: " ").map(String.init))
        #expect(called.status == 2)
        #expect(called.errors.contains("Did you mean: \(near)? There are: "), "\(called.errors)")
    }

    @Test func `A command that is like no other has no such hint`() async throws {
        let called = try await Program("letsmeet", home: "/none").run("nonsense")
        #expect(!called.errors.contains("Did you mean"))
    }

    @Test(arguments: [["people", "add", "Anna", "Virtanen"], ["people", "show", "Anna", "V."]])
    func `A name without quotes is told to be put into some`(_ arguments: [String]) async throws {
        let called = try await Program("letsmeet", home: "/none").run(arguments)
        #expect(called.status == 2)
        #expect(called.errors.contains("Put a name of several words in quotes."))
    }

    @Test func `Who adds to a circle that is not there reads how to make it`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna")
            let called = try await letsmeet.run("circle", "add", "Old friends", "anna")
            #expect(called.status == 1)
            #expect(called.errors.contains("letsmeet circle new \"Old friends\""))
            let shown = try await letsmeet.run("circle", "show", "friends")
            #expect(!shown.errors.contains("circle new"))
        }
    }

    @Test func `An overview breaks its lines for the reader alone`() async throws {
        let help = try await Program("letsmeet", home: "/none", settings: ["COLUMNS": "100"])
            .run("meeting", "new", "--help").output
        let paragraph = help.components(separatedBy: "\n\n").first { $0.contains("A WHO is") } ?? ""
        let lines = paragraph.split(separator: "\n")
        #expect(lines.count > 1)
        #expect(lines.dropLast().allSatisfy { $0.count > 60 }, "\(paragraph)")
    }
}
